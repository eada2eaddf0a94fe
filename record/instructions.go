package record

import (
	"errors"
	"fmt"
)

// AttachInstructions is the name of a fork's attachment with the instructions of each function and line: JSON of an
// [Instructions].
const AttachInstructions = "instructions"

// Instructions holds how many instructions Ops operations of a benchmark executed in each line of source. The counts are
// differences between two processes that differ in their number of operations, so that one that grows less than the noise
// may be negative. Total is the sum of Functions and Rest, exactly.
type Instructions struct {
	Ops       int64                 `json:"ops"`       // operations that the counts are of, at least 1
	Total     int64                 `json:"total"`     // instructions
	Files     []string              `json:"files"`     // as the compiler knew them; lines refer to them by index
	Functions []InstructionFunction `json:"functions"` // largest count first, without regard to its sign
	Rest      []InstructionRest     `json:"rest,omitempty"`
}

// InstructionFunction is a function of the machine code. Functions that the compiler inlined are lines of their callers.
type InstructionFunction struct {
	Name  string            `json:"name"` // symbol
	Part  string            `json:"part"` // one of the Part constants
	Count int64             `json:"n"`    // sum of Lines and Rest
	Lines []InstructionLine `json:"lines,omitempty"`
	Rest  int64             `json:"rest,omitempty"` // lines that are not listed
}

// InstructionLine is a line of source. Of inlined code it is the line of the callee.
type InstructionLine struct {
	File  int   `json:"f"` // index of Instructions.Files
	Line  int   `json:"l"` // 0: unknown
	Count int64 `json:"n"`
}

// InstructionRest is the functions of a part that are not listed.
type InstructionRest struct {
	Part      string `json:"part"`
	Functions int    `json:"functions"`
	Count     int64  `json:"n"`
}

// Parts of the instructions. The counts of PartOwn repeat from process to process, those of the runtime depend on the
// time that passes, the heap and the seeds of maps.
const (
	PartOwn        = "own"        // all code outside the runtime: the module, its dependencies, the standard library
	PartAllocation = "allocation" // the runtime's allocator
	PartGC         = "gc"         // the garbage collector
	PartScheduler  = "scheduler"  // goroutines, locks, timers, the network poller
	PartMaps       = "maps"
	PartChannels   = "channels" // channels and select
	PartMemmove    = "memmove"  // copying and clearing memory
	PartRuntime    = "runtime"  // the rest of the runtime
	PartUnknown    = "unknown"  // code without symbols
)

// Parts returns the Part constants in the order of tables.
func Parts() []string {
	return []string{PartOwn, PartAllocation, PartGC, PartScheduler, PartMaps, PartChannels, PartMemmove, PartRuntime, PartUnknown}
}

// maxInstructions limits counts, so that sums of a few thousand do not overflow.
const maxInstructions = 1 << 50

// Validate returns an error for impossible values.
func (x *Instructions) Validate() error {
	if x.Ops < 1 || x.Ops > maxInstructions {
		return fmt.Errorf("instructions of %d operations", x.Ops)
	}
	if len(x.Functions) > 10_000 || len(x.Rest) > 100 {
		return fmt.Errorf("it lists %d functions and %d parts", len(x.Functions), len(x.Rest))
	}
	var errs []error
	sum := adder{}
	for i := range x.Functions {
		f := &x.Functions[i]
		sum.add(f.Count)
		if err := f.validate(len(x.Files)); err != nil {
			errs = append(errs, err)
		}
	}
	for _, r := range x.Rest {
		sum.add(r.Count)
	}
	if sum.far || sum.n != x.Total {
		errs = append(errs, fmt.Errorf("the functions have %d instructions, and the total is %d", sum.n, x.Total))
	}
	return errors.Join(errs...)
}

func (f *InstructionFunction) validate(files int) error {
	if len(f.Lines) > 10_000 {
		return fmt.Errorf("%q has %d lines", f.Name, len(f.Lines))
	}
	sum := adder{}
	sum.add(f.Rest)
	for _, l := range f.Lines {
		sum.add(l.Count)
		if l.File < 0 || l.File >= files || l.Line < 0 {
			return fmt.Errorf("%q has line %d of file %d of %d", f.Name, l.Line, l.File, files)
		}
	}
	if sum.far || sum.n != f.Count {
		return fmt.Errorf("the lines of %q have %d instructions, and it has %d", f.Name, sum.n, f.Count)
	}
	return nil
}

// adder adds counts that are within bounds.
type adder struct {
	n   int64
	far bool // one was not
}

func (a *adder) add(n int64) {
	if n > maxInstructions || n < -maxInstructions {
		a.far = true
		return
	}
	a.n += n
}
