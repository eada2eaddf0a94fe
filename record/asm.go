package record

// AttachAsm is the name of the attachment of a fork that says in which instructions
// it spent its time: JSON of an [Asm].
const AttachAsm = "asm"

// Asm says where a sampler found a program: how often at which instruction, with
// the machine code and what is known of its sources, so that a listing can be made of
// it anywhere and at any time. Every sample is in exactly one element of Funcs.
type Asm struct {
	Binary  string     `json:"binary"`             // name of the program's file, without its folder
	BuildID string     `json:"build_id,omitempty"` // of that file, as the linker wrote it
	Arch    string     `json:"arch"`               // as in GOARCH
	Source  string     `json:"source"`             // where the samples are from: AsmPerf, AsmPprof or AsmScript
	Passed  []string   `json:"passed,omitempty"`   // sources that would have been better, each with why not
	Events  []AsmEvent `json:"events"`             // at least one; the first decides what is hot
	Window  string     `json:"window"`             // AsmMarks, AsmRough or AsmWhole
	Stopped float64    `json:"stopped,omitempty"`  // share of the windows' time in which the benchmark had stopped its timer: samples of it are outside; with AsmMarks
	Ops     int64      `json:"ops,omitempty"`      // operations meanwhile; 0: not known
	Cost    float64    `json:"cost,omitempty"`     // share of the program's CPU time that sampling took; 0: not measured
	NoLines string     `json:"no_lines,omitempty"` // why there are no source lines
	Funcs   []AsmFunc  `json:"funcs"`              // most samples of the first event first
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
	AsmRough = "approximate" // those between result lines: set-up may be among them
	AsmWhole = "whole"       // all of the program's, or of the file
)

// AsmEvent is a kind of event, and how it was sampled.
type AsmEvent struct {
	Name      string  `json:"name"`                // cycles:ppp, cycles, cpu-clock, cpu, …
	Precise   bool    `json:"precise,omitempty"`   // no skid: the instruction is the one that caused the event
	UserOnly  bool    `json:"user_only,omitempty"` // the kernel's own time is not sampled
	Asked     float64 `json:"asked,omitempty"`     // samples per second of CPU time
	Achieved  float64 `json:"achieved,omitempty"`  // likewise; 0: not known
	Period    float64 `json:"period,omitempty"`    // ns of CPU time that a sample stands for; 0: it is not a clock
	Samples   int64   `json:"samples"`             // that count
	Outside   int64   `json:"outside,omitempty"`   // that were outside of the window, and do not count
	Stopped   int64   `json:"stopped,omitempty"`   // of Outside: in an iteration, while its timer was stopped
	Kernel    int64   `json:"kernel,omitempty"`    // of Samples
	Lost      int64   `json:"lost,omitempty"`      // that the kernel had no room for, in and outside of the window
	Throttled int64   `json:"throttled,omitempty"` // times that the kernel paused sampling
}

// AsmFunc is a function, or a place that is no function: the kernel, a library
// without symbols, an address that nothing is known about.
type AsmFunc struct {
	Name    string      `json:"name"`            // with the path of its package; as the linker wrote it
	Area    string      `json:"area"`            // one of the Area constants, or the name of a library
	File    string      `json:"file,omitempty"`  // where it is declared, as the compiler knew it
	Line    int         `json:"line,omitempty"`  // likewise
	Entry   uint64      `json:"entry,omitempty"` // address of its first instruction, as linked
	Samples []int64     `json:"samples"`         // one for each event
	Code    []byte      `json:"code,omitempty"`  // from Entry on; empty: not known or not kept
	Counts  []AsmCount  `json:"counts"`          // in the order of addresses; they add up to Samples
	Lines   []AsmLine   `json:"lines,omitempty"`
	Inlines []AsmInline `json:"inlines,omitempty"`
	Symbols []AsmSymbol `json:"symbols,omitempty"` // addresses that Code refers to
	Texts   []AsmText   `json:"texts,omitempty"`   // the sources, as far as they were found and are the same as those that were compiled
}

// Areas of a program.
const (
	AreaUser      = "user"      // the packages that were measured, or the main module's
	AreaModules   = "modules"   // other modules
	AreaStd       = "std"       // the standard library but for what follows
	AreaAssembly  = "assembly"  // functions written in assembly, of any package
	AreaGC        = "gc"        // the garbage collector
	AreaAllocator = "allocator" // allocation
	AreaScheduler = "scheduler" // goroutines, locks, channels, timers, the network poller
	AreaMaps      = "maps"      // maps
	AreaRuntime   = "runtime"   // the rest of the runtime
	AreaTesting   = "testing"   // what runs the benchmark
	AreaC         = "c"         // code that is not Go's, in the program's own file
	AreaKernel    = "kernel"
	AreaVDSO      = "vdso"
	AreaUnknown   = "unknown"
)

// AsmCount says how often an address was found.
type AsmCount struct {
	Addr uint64  `json:"a"`
	N    []int64 `json:"n"` // one for each event
}

// AsmLine says that the code from an address on is from a line of a file. With
// inlining that is the innermost function's.
type AsmLine struct {
	Addr uint64 `json:"a"`
	File string `json:"f,omitempty"` // "": that of the element before
	Line int    `json:"l"`
}

// AsmInline is a function whose body was put into another. Chains are those of all
// that cover an address, the outermost first: the order of the elements.
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
