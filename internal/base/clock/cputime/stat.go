package cputime

// Stat is what the kernel tells of a whole process.
type Stat struct {
	State  byte  // 'R' runs, 'S' sleeps, 'D' waits for a disk, 'T' and 't' were stopped by a signal or a debugger: that of its first thread
	Minflt int64 // page faults without input, since its start
	Majflt int64 // page faults with input, since its start
	RSS    int64 // bytes of memory that it has
}

// Stopped reports whether the process was stopped by a signal or by a debugger.
func (s Stat) Stopped() bool { return s.State == 'T' || s.State == 't' }
