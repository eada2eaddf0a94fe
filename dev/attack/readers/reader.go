//go:build linux

package readers

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/tarebench/tare/dev/attack/mutate"
)

// place stands in a command line for the path of the damaged file.
const place = "FILE"

// reader is a kind of file.
type reader struct {
	name   string
	inputs int    // at scale 1
	suffix string // of its files
	binary bool
	bases  []base

	draw func(rng *rand.Rand) base // draws files and their command lines; nil: real ones are damaged
}

// base is a real file, with the command lines that read it.
type base struct {
	name  string
	data  []byte
	lines [][]string
}

// input returns the damaged file of a number, its base, and what was done to it.
func (r reader) input(seed uint64, number int) (base, []byte, string) {
	rng := mutate.Seed(seed, r.name, number)
	if r.draw != nil {
		b := r.draw(rng)
		return b, b.data, "as it was drawn"
	}
	b := r.bases[number%len(r.bases)]
	damage := mutate.Text
	if r.binary {
		damage = mutate.Binary
	}
	out, what := damage(rng, b.data, r.others(rng))
	return b, out, what
}

// others are files from which parts may be taken.
func (r reader) others(rng *rand.Rand) [][]byte {
	return [][]byte{r.bases[rng.IntN(len(r.bases))].data, r.bases[rng.IntN(len(r.bases))].data}
}

// line is a command line for a file.
func line(args []string, file string) []string {
	out := slices.Clone(args)
	for i := range out {
		out[i] = strings.ReplaceAll(out[i], place, file)
	}
	return out
}

func words(lines ...string) (out [][]string) {
	for _, l := range lines {
		out = append(out, strings.Fields(l))
	}
	return out
}
