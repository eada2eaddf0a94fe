package record

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// AttachSampled is the name of the attachment that says how a program was sampled:
// JSON of a [Sampled].
const AttachSampled = "sampled"

// AttachSampledProfile is the name of the attachment with what was seen: call stacks in
// the format of pprof, a gzipped profile.proto. Its sample types are those of
// [Sampled.Types], and its labels [LabelState] and [LabelReason].
const AttachSampledProfile = "sampled.pb.gz"

// Sampled says how a program was sampled, and with which limitations.
type Sampled struct {
	Program  string   `json:"program"`          // base name of the program's file, or its address
	Mode     string   `json:"mode"`             // SampledCPU, SampledWall
	Source   string   `json:"source"`           // one of the Sampled constants below
	Rejected []string `json:"passed,omitempty"` // better sources that were not available, with the reason
	Window   string   `json:"window"`           // AsmMarks, AsmRough or AsmWhole
	Windows  int      `json:"windows,omitempty"`
	Ops      int64    `json:"ops,omitempty"` // operations meanwhile; 0: unknown

	Stopped  float64 `json:"stopped,omitempty"` // share of the windows' time, 0 to 1, in which the timer was stopped; samples of it do not count; with AsmMarks
	Unlogged float64 `json:"unnoted,omitempty"` // share of the windows' time, 0 to 1, without a timer log; unless it is 1, samples of it do not count

	Interval         int64   `json:"interval_ns"`            // requested time between samples; with SampledCPU, CPU time
	Achieved         float64 `json:"achieved_ns,omitempty"`  // mean time between samples; with SampledCPU, CPU time; 0: unknown
	Samples          int64   `json:"looks"`                  // samples of the whole program; with SampledCPU, of a thread
	EffectiveSamples float64 `json:"draws,omitempty"`        // number of equally weighted samples with the same error of a share; 0: Samples
	Skipped          int64   `json:"skipped,omitempty"`      // samples omitted to limit the overhead
	Spared           int64   `json:"spared,omitempty"`       // samples omitted to save space
	Late             int64   `json:"late,omitempty"`         // samples that were late by more than a tenth of the interval, or omitted for that reason
	Lost             int64   `json:"lost,omitempty"`         // samples without space
	Unseen           int64   `json:"unseen_ns,omitempty"`    // time at the end that was not sampled, for lack of space
	Cut              float64 `json:"cut,omitempty"`          // share of the time in truncated stacks
	Goroutines       int64   `json:"goroutines,omitempty"`   // maximum in one sample; 0: unknown
	Wall             int64   `json:"wall_ns"`                // time covered by the samples; with SampledCPU, elapsed time
	CPU              int64   `json:"cpu_ns,omitempty"`       // CPU time of the program meanwhile; 0: unknown
	Running          int64   `json:"running_ns,omitempty"`   // with SampledWall of a whole program, time in which goroutines were found running, summed; 0: unknown
	SampleCost       float64 `json:"look_ns,omitempty"`      // mean CPU time of a sample; with SampledURL, its duration
	MaxSampleCost    int64   `json:"long_look_ns,omitempty"` // maximum CPU time of a sample; with SampledURL, its duration
	Cost             float64 `json:"cost,omitempty"`         // Samples × SampleCost as a share of Wall, or with SampledCPU of CPU; 0: not measured

	Errors        []SampledError `json:"errors,omitempty"`         // of each sampled function, by name; absent: unknown
	RunningErrors []SampledError `json:"running_errors,omitempty"` // Errors of the time in which goroutines were not waiting; with SampledWall

	Limitations []string `json:"blind,omitempty"` // what the source cannot observe, a sentence each
}

// SampledError is the standard error of a function's times by wall clock, from the variation between samples.
// Several goroutines may be in the function at once.
type SampledError struct {
	Name       string  `json:"name"`                  // as in the profile
	Self       float64 `json:"self_ns,omitempty"`     // of the time in which it was innermost, summed over goroutines
	Total      float64 `json:"total_ns,omitempty"`    // of the time in which it was on the stack, summed over goroutines
	SelfShare  float64 `json:"self_share,omitempty"`  // of Self's time as a share of that of all goroutines
	TotalShare float64 `json:"total_share,omitempty"` // of Total's time as a share of that of all goroutines
}

// What a program is sampled by.
const (
	SampledCPU  = "cpu"  // CPU time: only running threads
	SampledWall = "wall" // wall time: all goroutines, running or waiting
)

// Sources of samples.
const (
	SampledPerf    = "perf_event"       // the kernel interrupts the threads
	SampledRuntime = "runtime profiler" // Go's own CPU profiler, read in the process
	SampledStacks  = "goroutine stacks" // taken in the process by the sampler that was compiled into it
	SampledURL     = "net/http/pprof"   // served by the process
)

// Labels of samples in the profile.
const (
	LabelState  = "state"  // one of the State constants; absent: running
	LabelReason = "reason" // why it waited, in the runtime's words: chan receive, sleep, …
)

// States of a goroutine.
const (
	StateRunning  = "running"
	StateRunnable = "runnable" // waiting for a P
	StateSyscall  = "syscall"  // or in C
	StateWaiting  = "waiting"
)

// Sample types of the profile.
const (
	TypeSamples = "samples" // count
	TypeCPU     = "cpu"     // CPU time in ns
	TypeWall    = "wall"    // wall time in ns, summed over goroutines
	TypeTwice   = "twice"   // ns between two samples with the same function and caller; optional, the last type
)

// Types returns the sample types of the profile in order.
func (s *Sampled) Types() []string {
	switch {
	case s.Mode == SampledCPU:
		return []string{TypeSamples, TypeCPU}
	default:
		return []string{TypeSamples, TypeWall, TypeTwice}
	}
}

// maxSampled limits counts, and times in ns (70 years of one processor), so that sums of a few do not overflow.
const maxSampled = 1 << 61

// Validate returns an error for impossible values.
func (s *Sampled) Validate() error {
	var errs []error
	if !slices.Contains([]string{SampledCPU, SampledWall}, s.Mode) {
		errs = append(errs, fmt.Errorf("sampled by %q", s.Mode))
	}
	if !slices.Contains([]string{SampledPerf, SampledRuntime, SampledStacks, SampledURL}, s.Source) {
		errs = append(errs, fmt.Errorf("samples from %q", s.Source))
	}
	if s.Interval < 1 {
		errs = append(errs, fmt.Errorf("an interval of %d ns", s.Interval))
	}
	for _, n := range []int64{s.Interval, s.Samples, s.Skipped, s.Spared, s.Late, s.Lost, s.Unseen, s.Goroutines, s.Wall, s.CPU, s.Running, s.MaxSampleCost, s.Ops, int64(s.Windows)} {
		if n < 0 || n > maxSampled {
			errs = append(errs, fmt.Errorf("a count of %d", n))
		}
	}
	if !(s.Stopped >= 0 && s.Stopped <= 1 && s.Unlogged >= 0 && s.Unlogged <= 1) {
		errs = append(errs, fmt.Errorf("the timer stood for a share of %v, and is not known of for one of %v", s.Stopped, s.Unlogged))
	}
	for _, x := range []float64{s.Achieved, s.EffectiveSamples, s.Cut, s.SampleCost, s.Cost} {
		if !(x >= 0 && x <= maxSampled) {
			errs = append(errs, fmt.Errorf("a rate or cost of %v", x))
		}
	}
	for _, e := range slices.Concat(s.Errors, s.RunningErrors) {
		for _, x := range []float64{e.Self, e.Total, e.SelfShare, e.TotalShare} {
			if !(x >= 0 && x <= math.MaxFloat64) {
				errs = append(errs, fmt.Errorf("%q is off by %v", e.Name, x))
				break
			}
		}
	}
	return errors.Join(errs...)
}

// Waited returns a lower bound of the run delay as a share of the time in which goroutines were sampled as running. It is
// the part of that time that exceeds the program's CPU time: threads waited for a processor that other processes used. It
// is 0 if it is below 5 %, not known, or within twice the error of so many samples.
func (s *Sampled) Waited() float64 {
	interval := max(s.Achieved, float64(s.Interval))
	if s.Mode != SampledWall || s.CPU <= 0 || s.Running <= s.CPU || interval <= 0 {
		return 0
	}
	running, lost := float64(s.Running), float64(s.Running-s.CPU)
	if lost < WaitedTrace*running || lost < 2*interval*math.Sqrt(running/interval) {
		return 0
	}
	return lost / running
}
