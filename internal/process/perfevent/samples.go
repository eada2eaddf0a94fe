package perfevent

import (
	"cmp"
	"slices"
	"time"
)

// Samples holds the samples of a process and of the processes that it started.
type Samples struct {
	Events    []Event       // in the order of Config.Events
	Rejected  []string      // better events that could not be opened, with the reason
	List      []Sample      // in order of time
	Lost      int64         // samples dropped because a ring was full
	Damaged   int64         // bytes of the rings that were not valid records
	Exec      int64         // time of the first exec, CLOCK_MONOTONIC ns; 0: none
	Pages     int           // size of each processor's ring
	CPUs      int           // processors that were sampled
	CPU       time.Duration // CPU time of the program while it was sampled; 0: unknown
	ReaderCPU time.Duration // CPU time of this process for reading the rings

	spaces []change // in order of time
	addrs  []uint64 // the stacks of all samples
}

// Stack returns the user-mode call stack of a sample, innermost first: the address of the instruction, then
// return addresses. It returns nil without Config.Stacks or if the kernel had no stack.
func (s *Samples) Stack(x Sample) []uint64 {
	return s.addrs[x.at : x.at+x.depth : x.at+x.depth]
}

// Event is an event as it was opened, with its counts.
type Event struct {
	Name      string        // cycles:ppp, cpu-clock:u, …
	Precise   bool          // the address of a sample is that of the instruction that caused the event
	UserOnly  bool          // the kernel is excluded
	Frequency int           // requested samples per second of CPU time; the kernel's limit if Config exceeds it
	Period    time.Duration // CPU time between samples; 0: the event is not a clock
	Samples   int64         // number taken, including Skipped
	Skipped   int64         // outside Config.Delay and Duration
	Throttled int64         // times the kernel paused sampling
}

// Sample is one sample of a thread.
type Sample struct {
	IP       uint64 // address of the instruction
	Time     int64  // CLOCK_MONOTONIC ns
	PID, TID int32
	Event    uint8 // index in Events
	Kernel   bool  // the thread ran in the kernel

	at, depth uint32 // position of its stack in Samples.addrs
}

// Map is an executable mapping of a file in a process.
type Map struct {
	Start, End uint64 // addresses in the process, [Start, End)
	Offset     uint64 // offset of Start in the file
	Path       string // names such as "[vdso]" and "//anon" are not files
	Main       bool   // belongs to the executed program, not to a library
}

// change is a change of a process's address space.
type change struct {
	what changeKind
	time int64
	pid  int32
	from int32 // if forked: the parent
	m    Map   // if mapped
}

type changeKind uint8

const (
	mapped changeKind = iota
	forked
	executed
)

// sortByTime sorts the records of all rings by time.
func (s *Samples) sortByTime() {
	slices.SortStableFunc(s.List, func(a, b Sample) int { return cmp.Compare(a.Time, b.Time) })
	slices.SortStableFunc(s.spaces, func(a, b change) int { return cmp.Compare(a.time, b.time) })
}

// Walk calls visit for each sample of List in order of time, with the mapping that contains its address, or nil
// if that is unknown, as in the kernel. At equal times a change of mappings comes before a sample.
func (s *Samples) Walk(visit func(Sample, *Map)) {
	addressSpaces{}.walk(s.List, s.spaces, visit)
}
