package runner

import (
	"github.com/tarebench/tare/internal/samecode"
	"github.com/tarebench/tare/record"
)

// codeLimit is how many functions of a binary are read for the digests of a run without sides, which only a later comparison
// may use. It takes about a second.
const codeLimit = 1000

// addCode sets the digests of the cases' machine code, where they are known.
func (b *Built) addCode(cases []*record.Case) {
	opened := map[int]*samecode.Binary{} // by the binary's ID; nil: its code cannot be told
	defer func() {
		for _, x := range opened {
			if x != nil {
				x.Close()
			}
		}
	}()
	known := map[[2]any]string{} // by binary and function
	for _, c := range cases {
		bin, ok := opened[c.Bin]
		if !ok {
			if bin, _ = samecode.Open(b.bins[c.Bin-1].built.Path); bin != nil && len(b.sides) < 2 {
				bin.Limit = codeLimit
			}
			opened[c.Bin] = bin
		}
		if bin == nil {
			continue
		}
		key := [2]any{c.Bin, topName(c.Name)}
		if _, ok := known[key]; !ok {
			known[key] = bin.Digest(c.Pkg, "Benchmark"+topName(c.Name))
		}
		c.Code = known[key]
	}
}
