package listing

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/tarebench/tare/record"
)

// Merge puts the records of several processes together: forks of one case, which ran
// one binary and were sampled in one way. What it returns shares code and sources with
// them, and none may be changed from then on.
//
// Counts are added up; a rate is that of all CPU time together; of windows the least
// exact counts. The error names what differs: build, architecture, events, code.
func Merge(as []*record.Asm) (*record.Asm, error) {
	if len(as) == 0 || slices.Contains(as, nil) {
		return nil, errors.New("listing: merging: no record")
	}
	for i, a := range as {
		if err := a.Validate(); err != nil {
			return nil, fmt.Errorf("listing: merging: record %d: %w", i+1, err)
		}
		if err := sameBinary(as[0], a); err != nil {
			return nil, fmt.Errorf("listing: merging: record %d: %w", i+1, err)
		}
	}
	out := *as[0]
	out.Events, out.Funcs, out.Rejected = slices.Clone(out.Events), nil, nil
	for e := range out.Events {
		mergeEvent(&out.Events[e], as, e)
	}
	mergeRun(&out, as)
	funcs := map[funcKey]*funcSum{}
	var order []*funcSum
	for i, a := range as {
		for k := range a.Funcs {
			f := &a.Funcs[k]
			key := funcKey{f.Name, f.Area, f.Entry}
			s := funcs[key]
			if s == nil {
				s = newFuncSum(f, len(out.Events))
				funcs[key], order = s, append(order, s)
			}
			if err := s.add(f); err != nil {
				return nil, fmt.Errorf("listing: merging: record %d: %w", i+1, err)
			}
		}
	}
	for _, s := range order {
		out.Funcs = append(out.Funcs, s.done())
	}
	slices.SortStableFunc(out.Funcs, func(a, b record.AsmFunc) int {
		return more(a.Samples, b.Samples)
	})
	if err := out.Validate(); err != nil {
		return nil, fmt.Errorf("listing: merging: %w", err)
	}
	return &out, nil
}

// sameBinary returns an error if b cannot be merged with a.
func sameBinary(a, b *record.Asm) error {
	switch {
	case a.BuildID != b.BuildID:
		return fmt.Errorf("another binary: build %q, not %q", b.BuildID, a.BuildID)
	case a.Arch != b.Arch:
		return fmt.Errorf("another architecture: %q, not %q", b.Arch, a.Arch)
	case a.Source != b.Source:
		return fmt.Errorf("samples of another source: %q, not %q", b.Source, a.Source)
	case len(a.Events) != len(b.Events):
		return fmt.Errorf("%d kinds of events, not %d", len(b.Events), len(a.Events))
	}
	for e := range a.Events {
		x, y := &a.Events[e], &b.Events[e]
		if x.Name != y.Name || x.Precise != y.Precise || x.UserOnly != y.UserOnly {
			return fmt.Errorf("another event: %s, not %s", eventName(y), eventName(x))
		}
	}
	return nil
}

func eventName(e *record.AsmEvent) string {
	s := e.Name
	if e.Precise {
		s += ", precise"
	}
	if e.UserOnly {
		s += ", without the kernel"
	}
	return s
}

// mergeEvent adds up event e of all records.
func mergeEvent(out *record.AsmEvent, as []*record.Asm, e int) {
	out.Samples, out.Outside, out.Stopped, out.Kernel, out.Lost, out.Throttled = 0, 0, 0, 0, 0, 0
	var samples, cpu, period float64 // seconds of CPU time; ns that all samples stand for
	known := true
	for _, a := range as {
		x := &a.Events[e]
		out.Samples += x.Samples
		out.Outside += x.Outside
		out.Stopped += x.Stopped
		out.Kernel += x.Kernel
		out.Lost += x.Lost
		out.Throttled += x.Throttled
		period += x.Period * float64(x.Samples)
		known = known && x.Achieved > 0
		if x.Achieved > 0 {
			n := float64(x.Samples) + float64(x.Outside)
			samples, cpu = samples+n, cpu+n/x.Achieved
		}
	}
	out.Achieved = 0
	if known && cpu > 0 {
		out.Achieved = samples / cpu
	}
	if out.Samples > 0 {
		out.Period = period / float64(out.Samples)
	}
}

// mergeRun adds up what is not about events.
func mergeRun(out *record.Asm, as []*record.Asm) {
	exact := []string{record.AsmMarks, record.AsmWhole, record.AsmRough}
	out.Ops, out.Cost, out.Stopped = 0, 0, 0
	cost, measured, counted := 0.0, 0.0, true
	for _, a := range as {
		out.Ops += a.Ops
		out.Stopped += a.Stopped / float64(len(as)) // forks of a case last about as long
		counted = counted && a.Ops > 0
		if slices.Index(exact, a.Window) > slices.Index(exact, out.Window) {
			out.Window = a.Window
		}
		for _, p := range a.Rejected {
			if !slices.Contains(out.Rejected, p) {
				out.Rejected = append(out.Rejected, p)
			}
		}
		if n := float64(a.Events[0].Samples); a.Cost > 0 {
			cost, measured = cost+n*a.Cost, measured+n
		}
		out.NoLines = cmp.Or(out.NoLines, a.NoLines)
	}
	if !counted { // times per operation would be too long
		out.Ops = 0
	}
	if measured > 0 {
		out.Cost = cost / measured
	}
}

// funcKey identifies a function of one binary.
type funcKey struct {
	name, area string
	entry      uint64
}

// funcSum is a function of several records.
type funcSum struct {
	f      record.AsmFunc
	counts map[uint64][]int64
}

func newFuncSum(f *record.AsmFunc, events int) *funcSum {
	s := &funcSum{f: *f, counts: map[uint64][]int64{}}
	s.f.Samples, s.f.Counts = make([]int64, events), nil
	return s
}

func (s *funcSum) add(f *record.AsmFunc) error {
	switch {
	case len(f.Code) == 0:
	case len(s.f.Code) == 0:
		samples := s.f.Samples
		s.f = *f
		s.f.Samples, s.f.Counts = samples, nil
	case string(s.f.Code) != string(f.Code):
		return fmt.Errorf("function %q: another code, though the binary has the same build", f.Name)
	}
	for e, n := range f.Samples {
		s.f.Samples[e] += n
	}
	for _, c := range f.Counts {
		n := s.counts[c.Addr]
		if n == nil {
			n = make([]int64, len(c.N))
			s.counts[c.Addr] = n
		}
		for e := range c.N {
			n[e] += c.N[e]
		}
	}
	return nil
}

func (s *funcSum) done() record.AsmFunc {
	s.f.Counts = make([]record.AsmCount, 0, len(s.counts))
	for _, a := range slices.Sorted(maps.Keys(s.counts)) {
		s.f.Counts = append(s.f.Counts, record.AsmCount{Addr: a, N: s.counts[a]})
	}
	return s.f
}
