package result

import "github.com/tarebench/tare/record"

// Choices of the latencies that a report of a load run shows.
const (
	LatencyIntended  = "intended"  // response time
	LatencyOp        = "op"        // service time
	LatencyBoth      = "both"      // both
	LatencyCorrected = "corrected" // service time, and an estimate of what it omits
)

// LatencyChoices returns the choices in the order of the help.
func LatencyChoices() []string {
	return []string{LatencyIntended, LatencyOp, LatencyBoth, LatencyCorrected}
}

// SelectLatencies returns the latencies of a load run that a choice shows. Lateness of the
// generator and latencies of errors are always shown, and a closed loop's service time too.
func (r *Result) SelectLatencies(choice string) []Latency {
	l := r.Load
	if l == nil || choice == LatencyBoth || l.ClosedLoop && choice == LatencyIntended {
		return r.Latencies
	}
	var out []Latency
	for _, x := range r.Latencies {
		if x.Kind == record.TagResponse && choice == LatencyOp || x.Kind == record.TagService && choice == LatencyIntended {
			continue
		}
		out = append(out, x)
		if choice != LatencyCorrected {
			continue
		}
		if c, ok := x.Corrected(l.Expected()); ok {
			out = append(out, c)
		}
	}
	return out
}
