package record

import "math"

// LongCalls are the few calls that took most of a function's time: its first call,
// calls with other work, or calls in which a thread was preempted.
type LongCalls struct {
	N     int64   // number; 0: none, or not known
	Total float64 // their time in ns, without probes as far as known
	Self  float64 // part of Total that is certainly in CorrectedSelf; 0 to Total
}

// A call is long if it takes more than a third of the time of all calls that are not
// longer, and more than 100 µs, and if there are 20 other calls for each long one.
const (
	longShare = 1.0 / 3
	longTime  = 100e3
	longOf    = 20
)

// Long returns the long calls of a function of t. They are not known for recursive
// functions, nor if the time is that of probes. For a merged trace they are those of
// all forks.
func (t *Trace) Long(f *TraceFunc) LongCalls {
	if f.merged {
		return f.long
	}
	sum := f.Mean * float64(f.Timed)
	if f.Timed < longOf || !(f.Corrected >= 0.2*f.Total) || sum > 1.001*f.Total && f.Timed >= f.Calls {
		return LongCalls{}
	}
	// Where one of several calls was timed, totals are estimates, and this is about what was timed.
	scale := math.Min(1, sum/math.Max(f.Total, 1))
	corrected, total := scale*f.Corrected, sum
	self, correctedSelf := math.Max(0, scale*f.Self), math.Max(0, scale*f.CorrectedSelf)
	// A call may hold all probes of what the function called, and not more than one of its own.
	own := float64(f.Timed) * t.Probe.Inside
	out := LongCalls{}
	var time float64
	for _, ns := range f.longest() {
		left := corrected - out.Total
		got := math.Min(time+ns-math.Max(0, total-corrected-own), corrected) - out.Total
		if !(got > longTime && got > longShare*left) {
			break
		}
		time += ns
		out.N++
		out.Total += got
	}
	if out.N > 0 {
		// All that was called may have been called by them.
		surely := time - math.Max(0, total-self) - math.Max(0, self-correctedSelf-own)
		out.Self = math.Min(math.Max(0, surely), math.Min(correctedSelf, out.Total))
	}
	return out
}

// longest returns the longest calls in ns: the longest exactly, others by the middle
// of their bucket.
func (f *TraceFunc) longest() []float64 {
	const most = 10
	out := []float64{f.Max}
	first := true // the longest is in the last bucket
	for i := len(f.Hist) - 1; i >= 0; i-- {
		b := f.Hist[i]
		for n := b.N; n > 0; n-- {
			if int64(len(out)) >= min(most, f.Timed/longOf) {
				return out
			}
			if !first {
				out = append(out, math.Min((b.From+b.To)/2, f.Max))
			}
			first = false
		}
	}
	return out
}

func (l *LongCalls) add(o LongCalls) {
	l.N, l.Total, l.Self = l.N+o.N, l.Total+o.Total, l.Self+o.Self
}
