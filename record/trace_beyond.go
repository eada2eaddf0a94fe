package record

// Limits beyond which corrected times are upper bounds.
const (
	WaitedTrace = 0.05 // of Trace.Waited
	BeyondTrace = 1.1  // of Trace.Beyond
)

// Beyond returns how many times as long the functions are said to take, without probes and together, as the same
// operations in forks without probes take in all. What is beyond 1 is not theirs: waits, or probes that took longer than
// when they were measured. It is 0 where it is not known, as for several goroutines.
func (t *Trace) Beyond() float64 {
	if !(t.Plain > 0) || t.Goroutines > 1 || t.Window != AsmMarks {
		return 0
	}
	sum := 0.0
	for i := range t.Funcs {
		sum += t.Funcs[i].CorrectedSelf
	}
	return sum / t.Plain
}
