// Command program is disassembled by the tests: it has vector code, atomic
// instructions, carry chains, hashes in assembly, and all that the runtime has.
package main

import (
	"bytes"
	"crypto/sha256"
	"crypto/sha512"
	"fmt"
	"math/big"
	"slices"
	"sync/atomic"
)

func main() {
	var counter atomic.Int64
	var flags atomic.Uint32
	counter.Add(3)
	flags.Or(5)
	flags.And(4)
	flags.CompareAndSwap(4, flags.Swap(9))
	text := bytes.Repeat([]byte("tare "), 1000)
	a := new(big.Int).SetBytes(sha512.New().Sum(text))
	b := new(big.Int).Exp(a, big.NewInt(3), nil)
	sum := sha256.Sum256(b.Bytes())
	slices.Sort(text)
	fmt.Println(counter.Load(), flags.Load(), bytes.IndexByte(text, 'r'), bytes.Count(text, []byte("a")), sum)
}
