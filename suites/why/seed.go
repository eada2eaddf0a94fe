package why

// Causes are the causes of seeds, by the names that seeds use, with what they mean.
var Causes = map[string]string{
	"inlining":     "a function that was inlined is called",
	"escape":       "a variable that was on the stack is on the heap",
	"allocations":  "more objects, or larger ones",
	"growth":       "a slice or map that begins smaller and grows",
	"calls":        "a function is called more often",
	"instructions": "a function executes more instructions per call",
	"bounds":       "the code that runs checks bounds that it did not check",
	"cache":        "as many instructions, more cache misses",
	"lock":         "goroutines wait for a lock",
	"channel":      "goroutines wait at a channel",
	"syscalls":     "more system calls",
	"sleep":        "a sleep, or waiting for a timer",
	"flags":        "other flags or environment, the same sources",
	"gc":           "more work of the garbage collector; only accepted beside another cause",
	"layout":       "the same machine code at other addresses",
	"none":         "nothing that runs differs",
}

// A Seed is one change with a known cause.
type Seed struct {
	Name       string   `toml:"name"`
	Cause      string   `toml:"cause"`     // the true one, a key of Causes
	Accepted   []string `toml:"accepted"`  // causes that are right, too: the true one implies them
	Package    string   `toml:"package"`   // directory in base
	Benchmark  string   `toml:"benchmark"` // with the word Benchmark
	Difference string   `toml:"difference"`
	Explained  *float64 `toml:"explained"` // share of the difference that the cause explains, nil if not known by construction
	Also       []Share  `toml:"also"`      // further causes, if the change has several; Cause has the largest share
	Change     string   `toml:"change"`    // what was done, in words
	Differs    []string `toml:"differs"`   // all functions of the package whose machine code differs, sorted
	Place      Place    `toml:"place"`     // the planted place; zero if none is planted
	Proof      Proof    `toml:"proof"`
	Edits      []Edit   `toml:"edit"`
	Base       Build    `toml:"base"`    // of the side before the change
	Changed    Build    `toml:"changed"` // of the side after it
}

// Differences that seeds may have: expected relative to the time per operation before the change.
const (
	Large = "large" // at least 10 %
	Small = "small" // 3 to 8 %
	None  = "none"  // none that has a cause in the code
)

// A Share is a further cause with the share of the difference that it explains.
type Share struct {
	Cause     string  `toml:"cause"`
	Func      string  `toml:"func"` // as in a Place
	Explained float64 `toml:"explained"`
}

// A Place is where a change was planted, in the tree after the change.
type Place struct {
	Func string `toml:"func"` // in whose declaration the line is, as in symbols, without the path of the package: (*Cache).Get
	File string `toml:"file"` // below base
	Line string `toml:"line"` // part of the text of one line of File, and of no other
}

// An Edit replaces a text, which its file has exactly once.
type Edit struct {
	File string `toml:"file"` // below base
	Old  string `toml:"old"`
	New  string `toml:"new"`
}

// A Build is what a side needs besides its tree.
type Build struct {
	Flags []string `toml:"flags"` // of go build and go test, one argument each
	Env   []string `toml:"env"`   // NAME=VALUE, for building and running
}

// A Proof has the figures by which the tests show that a seed is one. Which of them are needed depends on the cause.
// Figures are the least of what the change adds, per operation, or a least ratio of after to before.
type Proof struct {
	Caller      string  `toml:"caller"`      // inlining, instructions: the function whose code calls, or has, the place's function
	Callee      string  `toml:"callee"`      // inlining, calls: the function that is called
	Indirect    bool    `toml:"indirect"`    // inlining: Caller calls through a variable
	Escapes     string  `toml:"escapes"`     // escape: the compiler's message at the place
	Allocs      float64 `toml:"allocs"`      // objects
	Bytes       float64 `toml:"bytes"`       // allocated
	Ratio       float64 `toml:"ratio"`       // calls: of calls of Callee; instructions: of statements executed in the place's function
	Code        int     `toml:"code"`        // instructions: that Caller has, not executed ones
	Checks      int     `toml:"checks"`      // bounds: calls of the function that reports a failed check, in the machine code
	Contention  string  `toml:"contention"`  // lock: part of the names of functions that wait for it
	Blocks      float64 `toml:"blocks"`      // channel: times that a goroutine waits
	Reads       float64 `toml:"reads"`       // syscalls
	Writes      float64 `toml:"writes"`      // syscalls
	Times       float64 `toml:"times"`       // sleep: that the place is reached
	Setting     string  `toml:"setting"`     // flags: the build setting that differs
	Collections float64 `toml:"collections"` // flags: ratio of garbage collections
	Misses      float64 `toml:"misses"`      // cache: ratio of simulated misses of the first-level data cache
}
