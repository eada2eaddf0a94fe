package result

import "github.com/tarebench/tare/internal/result/attached"

// AllocPair is a benchmark whose allocations were counted by site on two sides.
type AllocPair struct{ Old, New *Benchmark }

// Changes returns the sites where the sides differ.
func (p AllocPair) Changes() []AllocChange { return attached.AllocChanges(p.Old.Allocs, p.New.Allocs) }

// AllocPairs returns the compared benchmarks whose allocations were counted on both sides, in the order of the
// comparisons.
func AllocPairs(s *Result) (out []AllocPair) {
	type key struct {
		pkg, name  string
		procs      int
		base, side string
	}
	seen := map[key]bool{}
	for i := range s.Comparisons {
		c := &s.Comparisons[i]
		k := key{c.Pkg, c.Name, c.Procs, c.Base, c.Side}
		if seen[k] {
			continue
		}
		seen[k] = true
		p := AllocPair{s.counted(c, c.Base), s.counted(c, c.Side)}
		if p.Old != nil && p.New != nil {
			out = append(out, p)
		}
	}
	return out
}

// counted returns the row of a side of a comparison that has counts, or nil.
func (s *Result) counted(c *Comparison, side string) *Benchmark {
	for i := range s.Results {
		r := &s.Results[i]
		if r.Allocs != nil && r.Pkg == c.Pkg && r.Name == c.Name && r.Procs == c.Procs && r.Side == side {
			return r
		}
	}
	return nil
}
