package record

// Limits beyond which corrected times are upper bounds.
const (
	WaitedTrace = 0.05 // of Trace.Waited
	BeyondTrace = 1.1  // of Trace.Beyond
)

// Beyond returns how many times as long the functions are said to take, without probes and together, as the same
// operations in forks without probes take in all. What is beyond 1 is not theirs: waits, or probes that took longer than
// when they were measured. It is 0 where it is not known; see [Trace.NotBeyond].
func (t *Trace) Beyond() float64 {
	if t.NotBeyond() != "" {
		return 0
	}
	sum := 0.0
	for i := range t.Funcs {
		sum += t.Funcs[i].CorrectedSelf
	}
	if t.Scale.Used {
		return min(1, sum/t.Plain) // all of them together go by these forks; each is rounded up to 0
	}
	return sum / t.Plain
}

// NotBeyond returns why [Trace.Beyond] is not known, "" if it is: times without probes are then not checked against anything.
func (t *Trace) NotBeyond() string {
	switch {
	case t.Mode == TraceCount:
		return "calls have no times"
	case t.Window == "":
		return "there is no run without probes"
	case t.Goroutines > 1:
		return "calls of several goroutines overlap"
	case t.Window != AsmMarks:
		return "calls are not those of the operations alone"
	case !(t.Plain > 0):
		return "there are no forks without probes"
	}
	return ""
}
