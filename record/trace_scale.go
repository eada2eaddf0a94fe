package record

import "math"

// ProbeError is how far what probes take in a program may be from what they took where it started, as a share: the processor
// has other work under way, and does not begin the next call's while a probe waits for the end of a call. They took 0.8 to
// 1.1 times as much where calls wait for each other, and 4 times where those without probes overlap; see docs/method.md.
const ProbeError = 1

// Unreliable is the share of a corrected time beyond which its uncertainty makes it unreliable.
const Unreliable = 0.2

// Limits of the factor by which forks without probes correct what probes take: beyond it, something else differs.
const (
	leastScale = 0.5
	mostScale  = 3
	mostError  = 0.5 // standard error of the factor
)

// Scale is what forks without probes tell of the probes' time in those with probes.
type Scale struct {
	// Factor is what probes took, in units of what they took where the program started: with it, the operations take
	// as long as in forks without probes. 0: not known.
	Factor float64

	// Error is the standard error of Factor, by how much forks with probes differ.
	Error float64

	// Ratio is what the operations take without probes by the calibration at program start alone, in units of what they
	// take in forks without probes. 0: not known.
	Ratio float64

	// Used reports whether corrected times go by Factor.
	Used bool
}

// scale returns what forks without probes tell of the probes' time.
func (t *Trace) scale() (s Scale) {
	if t.NotBeyond() != "" || !(t.Length > 0) || !(t.Added > 0) || t.Lost > 0 || t.System > 0 || t.Waited >= WaitedTrace || t.Others >= SharedTrace {
		return s
	}
	s.Ratio = max(0, t.Length-t.Added) / t.Plain
	s.Factor = (t.Length - t.Plain) / t.Added
	s.Error = t.factors
	s.Used = s.Factor >= leastScale && s.Factor <= mostScale && math.Hypot(s.Error, t.PlainError/t.Added) <= mostError
	return s
}

// Scaled returns the trace with corrected times that go by forks without probes, as far as there are such and they can be
// relied on; otherwise it returns the trace with Scale set. It leaves t as it is.
func (t *Trace) Scaled() *Trace {
	out := *t
	out.Scale = t.scale()
	if !out.Scale.Used || t.Scale.Used {
		return &out
	}
	out.Funcs, out.Tree = make([]TraceFunc, len(t.Funcs)), make([]TraceCall, len(t.Tree))
	less := func(raw float64, corrected *float64) {
		*corrected = min(max(0, raw-out.Scale.Factor*(raw-*corrected)), max(raw, *corrected))
	}
	for i, f := range t.Funcs {
		less(f.Total, &f.Corrected)
		less(f.Self, &f.CorrectedSelf)
		f.Dominated = f.Total > 0 && (f.Corrected < 0.2*f.Total || 2*f.Loose > f.Timed)
		out.Funcs[i] = f
	}
	for i, c := range t.Tree {
		less(c.Total, &c.Corrected)
		less(c.Self, &c.CorrectedSelf)
		out.Tree[i] = c
	}
	return &out
}

// Uncertainty returns how far a corrected time may be from that without probes, ns. What probes took is known to
// [ProbeError]. Where corrected times go by forks without probes, all probes together took what they took, and only what
// other parts of the program have of that is uncertain.
func (t *Trace) Uncertainty(raw, corrected float64) float64 {
	probes := raw - corrected
	if !(probes > 0) {
		return 0
	}
	share := max(ProbeError, math.Abs(t.Scale.Factor-1)) // 1 where the factor is not known
	if !t.Scale.Used {
		return share * probes
	}
	probes /= t.Scale.Factor
	part := min(1, probes/t.Added)
	return math.Hypot(math.Hypot(share, 2*t.Scale.Error)*(1-part)*probes, 2*t.PlainError*part)
}

// Unreliable reports whether a corrected time may be off by more than a fifth.
func (t *Trace) Unreliable(raw, corrected float64) bool {
	return t.Uncertainty(raw, corrected) > Unreliable*corrected
}
