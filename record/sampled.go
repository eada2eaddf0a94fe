package record

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// AttachSampled is the name of the attachment that says how a program was looked at
// every now and then: JSON of a [Sampled].
const AttachSampled = "sampled"

// AttachSampledProfile is the name of the attachment with what was seen: call stacks in
// the format of pprof, a gzipped profile.proto. Its sample types are those of
// [Sampled.Types], and its labels [LabelState] and [LabelReason].
const AttachSampledProfile = "sampled.pb.gz"

// Sampled says how a program was looked at every now and then, and what that can not have
// seen.
type Sampled struct {
	Program string   `json:"program"`          // name of its file, without the folder, or its address
	Mode    string   `json:"mode"`             // SampledCPU, SampledWall
	Source  string   `json:"source"`           // one of the Sampled constants below
	Passed  []string `json:"passed,omitempty"` // sources that would have been better, each with why not
	Window  string   `json:"window"`           // AsmMarks, AsmRough or AsmWhole
	Windows int      `json:"windows,omitempty"`
	Ops     int64    `json:"ops,omitempty"` // operations meanwhile; 0: not known

	Stopped float64 `json:"stopped,omitempty"` // share of the windows' time, 0 to 1, in which the benchmark had stopped its timer: looks of it do not count; with AsmMarks
	Unnoted float64 `json:"unnoted,omitempty"` // share of it, 0 to 1, of which that is not known: if it is not all, looks of it do not count, either

	Interval   int64   `json:"interval_ns"`            // asked for: from look to look; with SampledCPU of CPU time
	Achieved   float64 `json:"achieved_ns,omitempty"`  // mean, likewise; 0: not known
	Looks      int64   `json:"looks"`                  // at the whole program; with SampledCPU at a thread
	Draws      float64 `json:"draws,omitempty"`        // how many looks at equal distances would tell as much about a share; 0: Looks
	Skipped    int64   `json:"skipped,omitempty"`      // left out to keep the cost down
	Spared     int64   `json:"spared,omitempty"`       // left out to save room for later ones
	Late       int64   `json:"late,omitempty"`         // that came later than they were due, by more than a tenth of the interval, or were left out for that: others had the processors
	Lost       int64   `json:"lost,omitempty"`         // samples that there was no room for
	Unseen     int64   `json:"unseen_ns,omitempty"`    // at the end, of what was to be looked at: there was no room for more
	Cut        float64 `json:"cut,omitempty"`          // share of the time that was found in stacks whose outer calls are missing
	Goroutines int64   `json:"goroutines,omitempty"`   // most that were there in a look; 0: not known
	Wall       int64   `json:"wall_ns"`                // that the looks stand for; with SampledCPU, meanwhile
	CPU        int64   `json:"cpu_ns,omitempty"`       // of the program meanwhile; 0: not known
	Look       float64 `json:"look_ns,omitempty"`      // CPU time that a look took, mean: the program goes on meanwhile; with SampledURL, time
	LongLook   int64   `json:"long_look_ns,omitempty"` // the longest
	Cost       float64 `json:"cost,omitempty"`         // Looks × Look, as a share of Wall, or with SampledCPU of CPU; 0: not measured

	Errors []SampledError `json:"errors,omitempty"` // of each function that was found, by name; absent: not known

	Blind []string `json:"blind,omitempty"` // what this source cannot see, a sentence each
}

// SampledError is how far off by chance alone what looks by the clock found of a function is: standard
// errors, from how different the looks are from each other. Several goroutines may be in it at once.
type SampledError struct {
	Name       string  `json:"name"`                  // as the profile has it
	Self       float64 `json:"self_ns,omitempty"`     // of the time, summed up over goroutines, in which it was innermost
	Total      float64 `json:"total_ns,omitempty"`    // likewise, in which it was anywhere on a goroutine's stack
	SelfShare  float64 `json:"self_share,omitempty"`  // of those times as shares of that of all goroutines
	TotalShare float64 `json:"total_share,omitempty"` // likewise
}

// What a program is sampled by.
const (
	SampledCPU  = "cpu"  // CPU time: a thread that does not run is not seen
	SampledWall = "wall" // the clock: all goroutines, whether they run or wait
)

// Where samples are from.
const (
	SampledPerf    = "perf_event"       // the kernel interrupts the threads
	SampledRuntime = "runtime profiler" // Go's own CPU profiler, read in the process
	SampledLooks   = "goroutine stacks" // taken in the process, by what was compiled into it
	SampledURL     = "net/http/pprof"   // what the process serves of itself
)

// Labels of samples in the profile.
const (
	LabelState  = "state"  // one of the State constants; absent: it ran
	LabelReason = "reason" // why it waited, in the runtime's words: chan receive, sleep, …
)

// States of a goroutine.
const (
	StateRunning  = "running"
	StateRunnable = "runnable" // it waits for one of the GOMAXPROCS places
	StateSyscall  = "syscall"  // or in C
	StateWaiting  = "waiting"
)

// Sample types of the profile.
const (
	TypeSamples = "samples" // count: how often
	TypeCPU     = "cpu"     // ns that the samples stand for
	TypeWall    = "wall"    // likewise, of the clock, summed up over goroutines
	TypeTwice   = "twice"   // ns between two looks that found the same function, called by the same one; the last type if it is there
)

// Types are the sample types of the profile, in their order.
func (s *Sampled) Types() []string {
	switch {
	case s.Mode == SampledCPU:
		return []string{TypeSamples, TypeCPU}
	default:
		return []string{TypeSamples, TypeWall, TypeTwice}
	}
}

// mostSampled bounds counts, and times in ns (70 years of one processor), so that no sum of
// a few is too large.
const mostSampled = 1 << 61

// Validate returns an error for what cannot be.
func (s *Sampled) Validate() error {
	var errs []error
	if !slices.Contains([]string{SampledCPU, SampledWall}, s.Mode) {
		errs = append(errs, fmt.Errorf("sampled by %q", s.Mode))
	}
	if !slices.Contains([]string{SampledPerf, SampledRuntime, SampledLooks, SampledURL}, s.Source) {
		errs = append(errs, fmt.Errorf("samples from %q", s.Source))
	}
	if s.Interval < 1 {
		errs = append(errs, fmt.Errorf("an interval of %d ns", s.Interval))
	}
	for _, n := range []int64{s.Interval, s.Looks, s.Skipped, s.Spared, s.Late, s.Lost, s.Unseen, s.Goroutines, s.Wall, s.CPU, s.LongLook, s.Ops, int64(s.Windows)} {
		if n < 0 || n > mostSampled {
			errs = append(errs, fmt.Errorf("a count of %d", n))
		}
	}
	if !(s.Stopped >= 0 && s.Stopped <= 1 && s.Unnoted >= 0 && s.Unnoted <= 1) {
		errs = append(errs, fmt.Errorf("the timer stood for a share of %v, and is not known of for one of %v", s.Stopped, s.Unnoted))
	}
	for _, x := range []float64{s.Achieved, s.Draws, s.Cut, s.Look, s.Cost} {
		if !(x >= 0 && x <= mostSampled) {
			errs = append(errs, fmt.Errorf("a rate or cost of %v", x))
		}
	}
	for _, e := range s.Errors {
		for _, x := range []float64{e.Self, e.Total, e.SelfShare, e.TotalShare} {
			if !(x >= 0 && x <= math.MaxFloat64) {
				errs = append(errs, fmt.Errorf("%q is off by %v", e.Name, x))
				break
			}
		}
	}
	return errors.Join(errs...)
}
