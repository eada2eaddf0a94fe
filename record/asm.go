package record

// AttachAsm is the name of a fork's attachment with samples by instruction: JSON of
// an [Asm].
const AttachAsm = "asm"

// Asm holds a program's samples by instruction, with the machine code and what is
// known of its sources, so that a listing can be made on any machine. Every sample is
// in exactly one element of Funcs.
type Asm struct {
	Binary   string     `json:"binary"`             // name of the program's file, without its folder
	BuildID  string     `json:"build_id,omitempty"` // of that file, from the linker
	Arch     string     `json:"arch"`               // as in GOARCH
	Source   string     `json:"source"`             // where the samples are from: AsmPerf, AsmPprof or AsmScript
	Rejected []string   `json:"passed,omitempty"`   // better sources that were not available, each with the reason
	Events   []AsmEvent `json:"events"`             // at least one; functions are sorted by the first
	Window   string     `json:"window"`             // AsmMarks, AsmRough or AsmWhole
	Stopped  float64    `json:"stopped,omitempty"`  // share of the windows' time in which the benchmark's timer was stopped: its samples are excluded; with AsmMarks
	Ops      int64      `json:"ops,omitempty"`      // operations in the window; 0: not known
	Cost     float64    `json:"cost,omitempty"`     // sampling's share of the program's CPU time; 0: not measured
	NoLines  string     `json:"no_lines,omitempty"` // why there are no source lines
	Funcs    []AsmFunc  `json:"funcs"`              // most samples of the first event first
}

// Where the samples of an [Asm] are from.
const (
	AsmPerf   = "perf_event"
	AsmPprof  = "pprof"
	AsmScript = "perf script"
)

// Which samples count.
const (
	AsmMarks = "marks"       // those inside of the measured iterations, by their marks
	AsmRough = "approximate" // those between result lines, which may include set-up
	AsmWhole = "whole"       // all of the program or file
)

// AsmEvent is a kind of event, and how it was sampled.
type AsmEvent struct {
	Name      string  `json:"name"`                // cycles:ppp, cycles, cpu-clock, cpu, …
	Precise   bool    `json:"precise,omitempty"`   // no skid: the instruction is the one that caused the event
	UserOnly  bool    `json:"user_only,omitempty"` // the kernel's own time is not sampled
	Asked     float64 `json:"asked,omitempty"`     // samples per second of CPU time
	Achieved  float64 `json:"achieved,omitempty"`  // achieved samples per second of CPU time; 0: not known
	Period    float64 `json:"period,omitempty"`    // ns of CPU time per sample; 0: the event is not a clock
	Samples   int64   `json:"samples"`             // samples in the window
	Outside   int64   `json:"outside,omitempty"`   // samples outside of the window, excluded from Samples
	Stopped   int64   `json:"stopped,omitempty"`   // part of Outside: in an iteration while its timer was stopped
	Kernel    int64   `json:"kernel,omitempty"`    // part of Samples in the kernel
	Lost      int64   `json:"lost,omitempty"`      // samples lost in the kernel's buffer, in and outside of the window
	Throttled int64   `json:"throttled,omitempty"` // times that the kernel paused sampling
}

// AsmFunc is a function, or another place: the kernel, a library without symbols, an
// unknown address.
type AsmFunc struct {
	Name    string      `json:"name"`            // with the path of its package, from the linker
	Area    string      `json:"area"`            // one of the Area constants, or the name of a library
	File    string      `json:"file,omitempty"`  // where it is declared, as the compiler knew it
	Line    int         `json:"line,omitempty"`  // of the declaration in File
	Entry   uint64      `json:"entry,omitempty"` // address of its first instruction, as linked
	Samples []int64     `json:"samples"`         // one for each event
	Code    []byte      `json:"code,omitempty"`  // from Entry on; empty: not known or not kept
	Counts  []AsmCount  `json:"counts"`          // in the order of addresses; they add up to Samples
	Lines   []AsmLine   `json:"lines,omitempty"`
	Inlines []AsmInline `json:"inlines,omitempty"`
	Symbols []AsmSymbol `json:"symbols,omitempty"` // addresses that Code refers to
	Texts   []AsmText   `json:"texts,omitempty"`   // source lines of files that still are as they were compiled
}

// Areas of a program.
const (
	AreaUser      = "user"      // the packages that were measured, or the main module's
	AreaModules   = "modules"   // other modules
	AreaStd       = "std"       // the standard library except the areas below
	AreaAssembly  = "assembly"  // functions written in assembly, of any package
	AreaGC        = "gc"        // the garbage collector
	AreaAllocator = "allocator" // allocation
	AreaScheduler = "scheduler" // goroutines, locks, channels, timers, the network poller
	AreaMaps      = "maps"      // maps
	AreaRuntime   = "runtime"   // the rest of the runtime
	AreaTesting   = "testing"   // code that runs the benchmark
	AreaC         = "c"         // code of other languages in the program's file
	AreaKernel    = "kernel"
	AreaVDSO      = "vdso"
	AreaUnknown   = "unknown"
)

// AsmCount is the number of samples at an address.
type AsmCount struct {
	Addr uint64  `json:"a"`
	N    []int64 `json:"n"` // one for each event
}

// AsmLine is the source line of the code from an address on. With inlining it is the
// innermost function's.
type AsmLine struct {
	Addr uint64 `json:"a"`
	File string `json:"f,omitempty"` // "": as in the previous element
	Line int    `json:"l"`
}

// AsmInline is a function that was inlined into another. The elements that cover an
// address are in order, the outermost first.
type AsmInline struct {
	Name     string      `json:"name"`
	CallFile string      `json:"call_file,omitempty"` // where it is called
	CallLine int         `json:"call_line,omitempty"`
	Ranges   [][2]uint64 `json:"ranges"` // addresses [from, to)
}

// AsmSymbol names an address.
type AsmSymbol struct {
	Addr uint64 `json:"a"`
	Name string `json:"name"`
}

// AsmText is a line of source.
type AsmText struct {
	File string `json:"f"`
	Line int    `json:"l"`
	Text string `json:"t"` // without the end of the line
}
