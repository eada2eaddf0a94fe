// Command small measures a few small things in a plain program, without go test:
// a line per thing, and one result in full.
//
//	go run ./examples/small
//	go run ./examples/small -d 5s
//
// Its output on a virtual machine (AMD EPYC, 2 cores, Go 1.26.8):
//
//	nothing: 3893970 iterations per millisecond
//	a token of work: 735287 iterations per millisecond
//	reading the clock: 23336.4 iterations per millisecond
//	reading a map: 140159 iterations per millisecond
//	a hash of 4 bytes: 269805 iterations per millisecond
//	a number as text: 56153.8 iterations per millisecond
//	nine words joined: 20326.8 iterations per millisecond
//
//	nine words joined, in full:
//	49.13 ns/op, median 48.69 (48.51 … 48.98: 96.2 % over 40 groups of this one process; others may lie outside)
//	20355839 iterations in 1.000 s, 257 garbage collections
//	clock read 20362 times for 20355839 iterations: 0.4741 s saved
//	overhead (tare), not subtracted: empty loop 0.24 ns, call of an empty function value 1.42 ns, clock read 23.3 ns
//
// The first line is the overhead: an empty loop. Each line is the rate of this one
// process: two more runs on the same busy machine had 70.90 and 72.68 ns/op instead
// of 49.13. To compare two things, write benchmarks and use tare bench, which
// measures each in many processes.
package main

import (
	"flag"
	"fmt"
	"hash/maphash"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/tarebench/tare/bench"
)

func main() {
	d := flag.Duration("d", time.Second, "measure each thing for this `duration`")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "small: unexpected argument %q\n", flag.Arg(0))
		os.Exit(2)
	}
	measure(*d)
}

func measure(d time.Duration) {
	words := strings.Fields("the quick brown fox jumps over the lazy dog")
	seen := map[string]int{}
	for i, w := range words {
		seen[w] = i
	}
	seed := maphash.MakeSeed()
	number := bench.Opaque(123456789)

	bench.ForPrint("nothing:", d, func() {})
	bench.ForPrint("a token of work:", d, func() { bench.Work(1) })
	bench.ForPrint("reading the clock:", d, func() { bench.Sink(time.Now()) })
	bench.ForPrint("reading a map:", d, func() { bench.Sink(seen["lazy"]) })
	bench.ForPrint("a hash of 4 bytes:", d, func() { bench.Sink(maphash.String(seed, "lazy")) })
	bench.ForPrint("a number as text:", d, func() { bench.Sink(strconv.Itoa(number)) })
	bench.ForPrint("nine words joined:", d, func() { bench.Sink(strings.Join(words, " ")) })

	fmt.Println("\nnine words joined, in full:")
	fmt.Println(bench.For(d, func() { bench.Sink(strings.Join(words, " ")) }))
}
