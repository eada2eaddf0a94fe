package listing

import (
	"cmp"

	"github.com/tarebench/tare/record"
)

// listedSide is one of two that are compared: the listing of all its processes, and how
// many samples of the first event each of them has.
type listedSide struct {
	l     *Listing
	forks []fork
}

// fork is a process, with its samples by what they are compared by.
type fork struct {
	samples int64
	perOp   float64 // ns of CPU time for each operation that a sample stands for; 0: not known
	inlined map[string]int64
	areas   map[string]int64
	regions map[*region]int64
}

// newSide merges the records, and counts each against the merged code, so that the code is disassembled only once.
func newListedSide(as []*record.Asm, c Config) (*listedSide, error) {
	a, err := Merge(as)
	if err != nil {
		return nil, err
	}
	l, err := New(a, c)
	if err != nil {
		return nil, err
	}
	s := &listedSide{l: l}
	funcs := map[funcKey]*function{}
	for _, f := range l.funcs {
		funcs[funcKey{f.rec.Name, f.rec.Area, f.rec.Entry}] = f
	}
	regions := map[*function][]*region{}
	for _, r := range l.regions {
		regions[r.fn] = append(regions[r.fn], r)
	}
	for _, a := range as {
		k := fork{samples: a.Events[0].Samples, perOp: newUnit(a, PerOp).ns[0], inlined: map[string]int64{}, areas: map[string]int64{}, regions: map[*region]int64{}}
		for i := range a.Funcs {
			rec := &a.Funcs[i]
			f := funcs[funcKey{rec.Name, rec.Area, rec.Entry}]
			k.areas[cmp.Or(rec.Area, record.AreaUnknown)] += rec.Samples[0]
			for _, n := range rec.Counts {
				at := f.index(n.Addr)
				k.inlined[f.innermost(at)] += n.N[0]
				for _, r := range regions[f] {
					if r.from <= at && at < r.to {
						k.regions[r] += n.N[0]
					}
				}
			}
		}
		s.forks = append(s.forks, k)
	}
	return s, nil
}

// scale returns what a share of all samples is multiplied with: 1, or the CPU time of an
// operation in ns, if that is asked for.
func (s *listedSide) scale() float64 {
	if u := &s.l.unit; u.counts == PerOp {
		return u.ns[0] * float64(s.l.all[0])
	}
	return 1
}

// values returns those of the side's processes that have samples at all; n says how
// many of them one has.
func (s *listedSide) values(n func(k *fork) int64) []float64 {
	var out []float64
	for i := range s.forks {
		switch k := &s.forks[i]; {
		case k.samples == 0:
		case s.l.unit.counts == PerOp:
			out = append(out, k.perOp*float64(n(k)))
		default:
			out = append(out, float64(n(k))/float64(k.samples))
		}
	}
	return out
}
