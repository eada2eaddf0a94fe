package perfevent

import (
	"cmp"
	"slices"
	"time"
)

// Samples is what was seen of a process and of those that it started.
type Samples struct {
	Events  []Event       // as they were opened, in the order of Config
	Passed  []string      // rungs that would have been better, each with why not
	List    []Sample      // in the order of time
	Lost    int64         // samples that there was no room for
	Damaged int64         // bytes in the rings that were no records
	Exec    int64         // when the program was first executed, CLOCK_MONOTONIC ns; 0: it never was
	Pages   int           // of memory, for each processor
	CPUs    int           // processors that were sampled
	CPU     time.Duration // CPU time of the program while it was sampled; 0: not known
	Own     time.Duration // CPU time of reading the rings, in this process

	spaces []change // in the order of time
	addrs  []uint64 // of stacks
}

// Stack is, with Config.Stacks, where the thread of a sample was in user mode, and behind it the addresses that its
// functions return to, the innermost first; nil if the kernel could not tell.
func (s *Samples) Stack(x Sample) []uint64 {
	return s.addrs[x.at : x.at+x.depth : x.at+x.depth]
}

// Event is a kind of event, and what became of it.
type Event struct {
	Name      string        // cycles:ppp, cpu-clock:u, …
	Precise   bool          // the address of a sample is that of the instruction that caused it
	UserOnly  bool          // the kernel is left out
	Asked     int           // samples per second of CPU time; less than in Config if the kernel allows no more
	Period    time.Duration // CPU time from sample to sample; 0: the event is not a clock
	Samples   int64         // taken, those that Config.Delay and Length leave out included
	Skipped   int64         // those
	Throttled int64         // times that the kernel paused sampling
}

// Sample is one look at a thread.
type Sample struct {
	IP       uint64 // address of the instruction
	Time     int64  // CLOCK_MONOTONIC ns
	PID, TID int32
	Event    uint8 // index in Events
	Kernel   bool  // the thread was in the kernel

	at, depth uint32 // of its stack, among the addresses of all
}

// Map is a part of a file in the memory of a process that can be executed.
type Map struct {
	Start, End uint64 // addresses in the process, [Start, End)
	Offset     uint64 // in the file, of Start
	Path       string // "[vdso]", "//anon" and the like are no files
	Main       bool   // of the program that was executed, not of a library
}

// change is something that happened to the memory of processes.
type change struct {
	what changeKind
	time int64
	pid  int32
	from int32 // of forked: the parent
	m    Map   // of mapped
}

type changeKind uint8

const (
	mapped changeKind = iota
	forked
	executed
)

// order sorts what several rings told. At the same time a change comes before a sample.
func (s *Samples) order() {
	slices.SortStableFunc(s.List, func(a, b Sample) int { return cmp.Compare(a.Time, b.Time) })
	slices.SortStableFunc(s.spaces, func(a, b change) int { return cmp.Compare(a.time, b.time) })
}

// Walk calls see with each sample of List in the order of time, and with the part of a file
// that its address was in; nil if that is not known, as of the kernel's.
func (s *Samples) Walk(see func(Sample, *Map)) {
	spaces{}.walk(s.List, s.spaces, see)
}
