package record

import "fmt"

// Limits of an [Asm], so that readers of a damaged one neither compute for hours nor
// overflow.
const (
	maxAsmFuncs   = 1 << 20
	maxAsmEvents  = 16
	maxAsmSamples = 1 << 50
)

// Validate returns an error if the counts do not add up or addresses lie outside of
// their code. Call it for an Asm from a file before using it.
func (a *Asm) Validate() error {
	switch n := len(a.Events); {
	case n < 1 || n > maxAsmEvents:
		return fmt.Errorf("%d kinds of events, want 1 to %d", n, maxAsmEvents)
	case len(a.Funcs) > maxAsmFuncs:
		return fmt.Errorf("%d functions, want %d at most", len(a.Funcs), maxAsmFuncs)
	}
	total := make([]int64, len(a.Events))
	for i := range a.Funcs {
		f := &a.Funcs[i]
		if err := f.validate(len(a.Events)); err != nil {
			return fmt.Errorf("function %q: %w", f.Name, err)
		}
		for e, n := range f.Samples {
			if total[e] += n; total[e] > maxAsmSamples {
				return fmt.Errorf("function %q: more than %d samples", f.Name, int64(maxAsmSamples))
			}
		}
	}
	for e := range a.Events {
		if ev := &a.Events[e]; ev.Samples != total[e] {
			return fmt.Errorf("event %q: %d samples, and its functions have %d", ev.Name, ev.Samples, total[e])
		}
	}
	return nil
}

func (f *AsmFunc) validate(events int) error {
	sum := make([]int64, events)
	if len(f.Samples) != events {
		return fmt.Errorf("counts of %d kinds of events, want %d", len(f.Samples), events)
	}
	var last uint64
	for i, c := range f.Counts {
		switch {
		case len(c.N) != events:
			return fmt.Errorf("%#x: counts of %d kinds of events, want %d", c.Addr, len(c.N), events)
		case i > 0 && c.Addr <= last:
			return fmt.Errorf("%#x after %#x", c.Addr, last)
		case len(f.Code) > 0 && (c.Addr < f.Entry || c.Addr-f.Entry >= uint64(len(f.Code))):
			return fmt.Errorf("%#x lies outside of its code, which is %d bytes from %#x on", c.Addr, len(f.Code), f.Entry)
		}
		last = c.Addr
		for e, n := range c.N {
			if n < 0 || n > maxAsmSamples {
				return fmt.Errorf("%#x: %d samples", c.Addr, n)
			}
			if sum[e] += n; sum[e] > maxAsmSamples {
				return fmt.Errorf("more than %d samples", int64(maxAsmSamples))
			}
		}
	}
	for e := range sum {
		if sum[e] != f.Samples[e] {
			return fmt.Errorf("%d samples, and its addresses have %d", f.Samples[e], sum[e])
		}
	}
	if n := uint64(len(f.Code)); n > 0 && f.Entry+n < f.Entry {
		return fmt.Errorf("%d bytes of code from %#x on", n, f.Entry)
	}
	return nil
}
