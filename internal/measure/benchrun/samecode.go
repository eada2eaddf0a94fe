package benchrun

import (
	"github.com/tarebench/tare/internal/binary/samecode"
	"github.com/tarebench/tare/record"
)

// codeLimit is the most functions of a binary that are read for digests if the run has one side. Such digests are
// used only if the record is compared with another one later, so that they may cost about a second and no more.
const codeLimit = 1000

// addCode sets [record.Case.Code] of the cases whose machine code can be read.
func (b *Built) addCode(cases []*record.Case) {
	opened := map[int]*samecode.Binary{} // by the binary's ID; nil if its code cannot be read
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
