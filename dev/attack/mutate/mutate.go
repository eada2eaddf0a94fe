package mutate

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// MaxSize is the most bytes that a damaged input has.
const MaxSize = 16 << 20

// change damages data in one way. It returns false where data has nothing of what it changes.
type change struct {
	name string
	do   func(rng *rand.Rand, data []byte, others [][]byte) ([]byte, bool)
}

// Text returns a copy of a file of lines with one to four changes, and their names.
// Others are files of the same kind, from which lines are taken.
func Text(rng *rand.Rand, data []byte, others [][]byte) ([]byte, string) {
	return apply(rng, data, others, textChanges)
}

// Binary returns a copy of a binary file with one to four changes, and their names. What
// is compressed by gzip is often damaged inside, with a checksum that is right again.
func Binary(rng *rand.Rand, data []byte, others [][]byte) ([]byte, string) {
	if inside, ok := gunzip(data); ok && rng.IntN(4) > 0 {
		out, what := apply(rng, inside, nil, binaryChanges)
		return gzipped(out), "inside gzip: " + what
	}
	return apply(rng, data, others, binaryChanges)
}

func apply(rng *rand.Rand, data []byte, others [][]byte, changes []change) ([]byte, string) {
	out := append([]byte(nil), data...)
	var names []string
	for n := 1 + rng.IntN(4); n > 0; n-- {
		for tries := 0; tries < 20; tries++ {
			c := changes[rng.IntN(len(changes))]
			next, ok := c.do(rng, out, others)
			if ok && len(next) <= MaxSize {
				out, names = next, append(names, c.name)
				break
			}
		}
	}
	return out, strings.Join(names, ", ")
}

var binaryChanges = []change{
	{"bits flipped", flipBits},
	{"bits flipped at the start", flipHead},
	{"cut off", cut},
	{"bytes removed", removeBytes},
	{"bytes repeated", repeatBytes},
	{"bytes of another place", moveBytes},
	{"extreme integer", extremeInteger},
	{"zeros", zeros},
	{"noise", noise},
}

func flipBits(rng *rand.Rand, data []byte, _ [][]byte) ([]byte, bool) {
	if len(data) == 0 {
		return nil, false
	}
	for n := 1 + rng.IntN(16); n > 0; n-- {
		data[rng.IntN(len(data))] ^= 1 << rng.IntN(8)
	}
	return data, true
}

// flipHead flips bits where most formats have their lengths and offsets.
func flipHead(rng *rand.Rand, data []byte, _ [][]byte) ([]byte, bool) {
	head := min(len(data), 4096)
	if head == 0 {
		return nil, false
	}
	for n := 1 + rng.IntN(8); n > 0; n-- {
		data[rng.IntN(head)] ^= 1 << rng.IntN(8)
	}
	return data, true
}

func cut(rng *rand.Rand, data []byte, _ [][]byte) ([]byte, bool) {
	if len(data) == 0 {
		return nil, false
	}
	return data[:rng.IntN(len(data))], true
}

func removeBytes(rng *rand.Rand, data []byte, _ [][]byte) ([]byte, bool) {
	from, to, ok := span(rng, data)
	if !ok {
		return nil, false
	}
	return append(data[:from:from], data[to:]...), true
}

func repeatBytes(rng *rand.Rand, data []byte, _ [][]byte) ([]byte, bool) {
	from, to, ok := span(rng, data)
	if !ok {
		return nil, false
	}
	part := strings.Repeat(string(data[from:to]), 1+rng.IntN(8))
	return []byte(string(data[:to]) + part + string(data[to:])), true
}

// moveBytes copies bytes of another place, or of another file, over those of one.
func moveBytes(rng *rand.Rand, data []byte, others [][]byte) ([]byte, bool) {
	source := data
	if len(others) > 0 && rng.IntN(2) == 0 {
		source = others[rng.IntN(len(others))]
	}
	from, to, ok := span(rng, source)
	if !ok || len(data) == 0 {
		return nil, false
	}
	part := append([]byte(nil), source[from:to]...)
	copy(data[rng.IntN(len(data)):], part)
	return data, true
}

// extremeInteger writes an integer of 1, 2, 4 or 8 bytes, or a long varint.
func extremeInteger(rng *rand.Rand, data []byte, _ [][]byte) ([]byte, bool) {
	patterns := []string{
		"\xff", "\xff\xff", "\xff\xff\xff\xff", "\xff\xff\xff\xff\xff\xff\xff\xff", "\xff\xff\xff\x7f", "\xff\xff\xff\xff\xff\xff\xff\x7f",
		"\x00\x00\x00\x80", "\x00\x00\x00\x00\x00\x00\x00\x80", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80",
	}
	p := patterns[rng.IntN(len(patterns))]
	if len(data) < len(p) {
		return nil, false
	}
	copy(data[rng.IntN(len(data)-len(p)+1):], p)
	return data, true
}

func zeros(rng *rand.Rand, data []byte, _ [][]byte) ([]byte, bool) {
	from, to, ok := span(rng, data)
	if !ok {
		return nil, false
	}
	clear(data[from:to])
	return data, true
}

func noise(rng *rand.Rand, data []byte, _ [][]byte) ([]byte, bool) {
	from, to, ok := span(rng, data)
	if !ok {
		return nil, false
	}
	for i := range data[from:to] {
		data[from+i] = byte(rng.Uint32())
	}
	return data, true
}

// span draws a piece of data; short pieces are as likely as long ones.
func span(rng *rand.Rand, data []byte) (from, to int, ok bool) {
	if len(data) == 0 {
		return 0, 0, false
	}
	from = rng.IntN(len(data))
	most := 1 << rng.IntN(16)
	return from, from + 1 + rng.IntN(min(most, len(data)-from)), true
}

// Seed returns the random source of one input of a reader: inputs can be repeated alone.
func Seed(seed uint64, name string, input int) *rand.Rand {
	h := seed
	for _, b := range []byte(fmt.Sprintf("%s/%d", name, input)) {
		h = (h ^ uint64(b)) * 0x100000001b3
	}
	return rand.New(rand.NewPCG(seed, h))
}
