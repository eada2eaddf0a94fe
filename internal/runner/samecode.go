package runner

import (
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/samecode"
	"github.com/tarebench/tare/record"
)

// sameCode finds the benchmarks whose machine code is the same on two sides although the binaries differ.
type sameCode struct {
	*Built
	opened map[int]*samecode.Binary // by the binary's ID; nil: its code cannot be compared
	known  map[codePair]bool
}

// codePair is a benchmark's function in two binaries.
type codePair struct {
	base, other   int // IDs of the binaries
	pkg, function string
}

// sameCodeWarnings returns a warning for each case of a side that has the same machine code as the base's.
func (b *Built) sameCodeWarnings(cases []*record.Case) []*record.Warn {
	if len(b.sides) < 2 {
		return nil
	}
	s := sameCode{b, map[int]*samecode.Binary{}, map[codePair]bool{}}
	defer s.close()
	var out []*record.Warn
	for _, x := range cases {
		for _, base := range cases {
			if !b.isBase(x.Side) && b.isBase(base.Side) && sameBenchmark(x, base) && s.same(base, x) {
				out = append(out, &record.Warn{
					About: record.AboutCase, ID: x.ID, Code: result.CodeSameCode,
					Text: "the benchmark's own machine code is the same on both sides",
					Advice: "what can still differ: the runtime and deeper parts of the standard library, calls through interfaces, data, the environment, " +
						"where the linker placed the code (--layouts 4), the machine",
				})
			}
		}
	}
	return out
}

func (s *sameCode) close() {
	for _, x := range s.opened {
		if x != nil {
			x.Close()
		}
	}
}

// same reports whether two cases of one benchmark are known to have the same machine code, in binaries that differ.
func (s *sameCode) same(base, x *record.Case) bool {
	p := codePair{base.Bin, x.Bin, x.Pkg, "Benchmark" + topName(x.Name)}
	if s.bins[p.base-1].SHA256 == s.bins[p.other-1].SHA256 {
		return false
	}
	same, ok := s.known[p]
	if !ok {
		old, other := s.open(p.base), s.open(p.other)
		same = old != nil && other != nil && samecode.Same(old, other, p.pkg, p.function)
		s.known[p] = same
	}
	return same
}

// open returns the binary with an ID, nil if its code cannot be compared.
func (s *sameCode) open(id int) *samecode.Binary {
	x, ok := s.opened[id]
	if !ok {
		x, _ = samecode.Open(s.bins[id-1].built.Path)
		s.opened[id] = x
	}
	return x
}
