package why

import (
	"cmp"
	"math"
)

// Evidence is what is known of a benchmark on two sides, A and B. What was not examined is nil.
type Evidence struct {
	Wall      [2]Measure // time per operation, ns
	CPU       [2]Measure // CPU time of the process per operation, ns; zero: not known
	Running   [2]Measure // how long the benchmark's goroutine ran per operation and did not wait, ns; zero: not known
	Samples   [2]int64   // that the shares of Functions rest on
	Functions []Function // of both sides together, each symbol once
	Counted   bool       // the instructions of Functions are known

	Sites    []Site
	Notes    []Note
	Pairs    []Pair
	Code     [2]map[string]Code // of functions, by their bases; nil: not known
	Waits    []Wait
	Workers  float64 // how much longer the benchmark's own goroutine waits for others that it started, ns per operation
	Settings []Setting
	Layouts  *Layouts
	SameText bool   // both sides are built of the same sources: only Settings can differ
	SameCode bool   // the machine code that the benchmark reaches is the same on both sides
	Machine  string // why the machine may be at fault, for people; "" if it is not

	MachineNote string // what is to be said about the machine where it does not matter; may be empty

	calls *graph // nil if Code is not known; both are set by groups
	sets  union
}

// Measure is a value with its standard error.
type Measure struct{ Value, Err float64 }

// known reports whether there is a value.
func (m Measure) known() bool { return m.Value > 0 }

// Kind says what a function is for.
type Kind string

// The kinds of functions.
const (
	Own       Kind = "own"       // of the program and of packages outside of the runtime
	Allocator Kind = "allocator" // of the runtime: allocation and garbage collection
	Scheduler Kind = "scheduler" // of the runtime: goroutines, timers, network poller, locks of the runtime
	Helper    Kind = "helper"    // of the runtime: maps, channels, copies, strings, …
	Kernel    Kind = "kernel"    // its instructions are not counted
)

// Function is a symbol of machine code, with what was inlined into it.
type Function struct {
	Symbol       string
	Base         string // Symbol without type arguments; "": the same
	Kind         Kind
	Samples      [2]float64 // counts, of the side's Evidence.Samples
	Instructions [2]float64 // per operation
	Lines        []Line     // instructions by source line, after matching both sides; may be nil
	Place        [2]Place
}

// Code is the machine code of a function.
type Code struct {
	Digest string   // of the instructions without addresses; "": not known
	Calls  []string // bases of the functions that it calls or whose address it takes
}

// Line is a source line of a function that was executed.
type Line struct {
	Place        [2]Place
	Instructions [2]float64
}

// Place is a position in the source of one side.
type Place struct {
	Func string `json:"func,omitempty"`
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
}

// Site is a source line that allocates, on both sides.
type Site struct {
	Place   [2]Place
	Owner   string // the function of the program that led there; "": the same
	Type    string
	Growth  bool       // of a slice or a map that is full
	Objects [2]float64 // per operation
	Bytes   [2]float64
}

// NoteKind is a decision of the compiler.
type NoteKind string

// The kinds of notes.
const (
	Inlined NoteKind = "inlined" // a call was inlined
	Escapes NoteKind = "escapes" // a value is allocated on the heap
	Bounds  NoteKind = "bounds"  // an index or slice is checked
	Frame   NoteKind = "frame"   // the size of the stack frame
)

// Note is a decision of the compiler that one side has and the other has not, about code that was executed.
type Note struct {
	Kind   NoteKind
	Side   int    // 0: only A has it, 1: only B has it
	In     string // symbol of the function it was made in
	Callee string // of Inlined: symbol of what was inlined
	Text   string // as the compiler says it, such as "cost 99 exceeds budget 80"
	Place  Place  // on its side
	Code   Place  // where the code is written, if it was inlined from there
	New    bool   // that line is not in the sources of the other side

	instead string // of Inlined: the function that runs as a call on the other side, if that is not Callee
}

// called returns the function that runs as a call on the side that does not inline it.
func (n *Note) called() string { return cmp.Or(n.instead, n.Callee) }

// Pair is a function that was renamed: its bases on both sides.
type Pair struct{ Symbol [2]string }

// WaitCause says what was waited for.
type WaitCause string

// The causes of waiting.
const (
	Lock     WaitCause = "lock"
	Channel  WaitCause = "channel"
	Network  WaitCause = "network"
	Sleep    WaitCause = "sleep"
	GCAssist WaitCause = "gc assist"
	Select   WaitCause = "select"
	Syscall  WaitCause = "system call"
	Runnable WaitCause = "processor" // ready, and no processor of the scheduler was free
)

// Wait is time that goroutines waited per operation, ns.
type Wait struct {
	Cause  WaitCause
	Own    bool  // it is the benchmark's own goroutine; the waits of others overlap each other and its work
	Place  Place // that waited
	Holder Place // that was waited for; of locks
	Time   [2]Measure
}

// Setting is a setting of build or run in which the sides differ.
type Setting struct{ Name, Old, New string }

// Layouts is what other placements of the same machine code showed, as ranges of the time per operation in ns.
type Layouts struct {
	Range [2][2]float64
	Ratio Measure // of B over A, over all layouts
}

// delta returns the difference of two measures.
func delta(m [2]Measure) Measure {
	return Measure{m[1].Value - m[0].Value, math.Hypot(m[0].Err, m[1].Err)}
}
