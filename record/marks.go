package record

// Marks say what happened beside the operations in one interval of a load run: in tare's own process, and in those of the
// server where tare can see them. The line comes after that of its interval. What happened in the same interval as a spike
// of latencies coincides with it; that it is the cause does not follow.
type Marks struct {
	Phase  string `json:"phase"` // LoadRun …
	Iter   int    `json:"iter,omitempty"`
	Start  int64  `json:"start"`  // as that of the interval, CLOCK_MONOTONIC ns
	Length int64  `json:"length"` // from the reading before to this one, ns

	Generator GeneratorMarks `json:"generator"`
	Servers   []ProcessMarks `json:"servers,omitempty"`   // of the server; those that have ended are absent
	ServerGC  *GCMarks       `json:"server_gc,omitempty"` // its collections, as it says itself; nil: it was not asked, or has not answered

	Window *LoadWindow `json:"window,omitempty"` // nil: the phase is no window of a side
}

// GeneratorMarks are of tare's own process.
type GeneratorMarks struct {
	GC       GCMarks `json:"gc"`
	SchedP99 int64   `json:"sched_p99,omitempty"` // 99th percentile of the scheduling latency: the time that a goroutine was runnable before it ran, ns
	SchedMax int64   `json:"sched_max,omitempty"` // maximum of the scheduling latency, ns

	Process *ProcessMarks `json:"process,omitempty"` // nil: not known here
}

// GCMarks are the garbage collections that ended in an interval.
type GCMarks struct {
	Count int64 `json:"n"`
	Pause int64 `json:"pause,omitempty"` // time in which all goroutines were stopped, ns
	Max   int64 `json:"max,omitempty"`   // the longest of one collection, ns
}

// ProcessMarks are what the system tells of a process in an interval.
type ProcessMarks struct {
	PID     int    `json:"pid"`
	CPU     int64  `json:"cpu"`               // CPU time of all its threads, ns
	Delay   *int64 `json:"delay,omitempty"`   // time in which its threads could run and had no processor, ns, summed over the threads; a lower bound if a thread ended; nil: not known
	Stopped int64  `json:"stopped,omitempty"` // time in which it was stopped by a signal or a debugger, ns, estimated from samples
	RSS     int64  `json:"rss"`               // memory at the end of the interval, bytes
	Minflt  int64  `json:"minflt"`            // page faults without input
	Majflt  int64  `json:"majflt"`            // page faults with input
}
