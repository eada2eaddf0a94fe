package history

import (
	"time"
)

// Version is the version of the format that this package writes, and the newest that it reads.
const Version = 1

// Entry is what one run measured of one commit.
type Entry struct {
	Commit    string            `json:"commit"`               // hexadecimal, whole
	Tree      string            `json:"tree,omitempty"`       // of the commit: a commit that was rewritten without a change keeps it
	Dirty     bool              `json:"dirty,omitempty"`      // there were changes that were not committed
	Time      time.Time         `json:"time"`                 // start of the run
	Machine   string            `json:"machine"`              // see [MachineID], or a name that the user gave
	Described string            `json:"machine_is,omitempty"` // the machine, for people
	Toolchain string            `json:"toolchain"`            // "go1.26.8"
	Settings  map[string]string `json:"settings,omitempty"`   // of build and run, such as GOAMD64, -tags and GOGC
	Sequence  string            `json:"sitting,omitempty"`    // the run; entries of one run were measured interleaved
	Plan      string            `json:"plan,omitempty"`       // digest of what was to be measured: packages, patterns
	Anchor    bool              `json:"anchor,omitempty"`     // the commit was measured in other sequences too, to join them

	Series   []Series  `json:"-"`
	Gaps     []Gap     `json:"-"`
	Verdicts []Verdict `json:"-"`
}

// Key names a benchmark.
type Key struct {
	Pkg   string `json:"pkg"`
	Name  string `json:"name"` // without "Benchmark" and "-procs"; with the role behind a blank, if there are roles
	Procs int    `json:"procs,omitempty"`
}

// Series are the values of one unit of one benchmark.
type Series struct {
	Key
	Unit     string   `json:"unit"`
	Main     bool     `json:"main,omitempty"`   // Unit is the benchmark's main unit
	Better   string   `json:"better,omitempty"` // "higher" or "lower"
	Exact    bool     `json:"exact,omitempty"`  // the value is the same in every fork of the same code
	N        int64    `json:"n,omitempty"`      // operations per iteration; 0: package testing chose it
	Bin      string   `json:"bin,omitempty"`    // first 16 hexadecimal digits of a digest of the test binary and the files that it can read
	Values   Values   `json:"values"`           // one per fork that counts, in the order of time
	Warnings []string `json:"warnings,omitempty"`
}

// Gap says why a benchmark has no values of the commit. An empty Pkg or Name stands for all.
type Gap struct {
	Pkg  string `json:"pkg,omitempty"`
	Name string `json:"name,omitempty"`
	Why  string `json:"why"`            // one line
	Same string `json:"same,omitempty"` // the commit that has the same test binary and was measured instead
}

// The states of a [Verdict].
const (
	Confirmed = "confirmed" // measured again, interleaved: the change is there
	Refuted   = "refuted"   // measured again, interleaved: there is no change
	Undecided = "undecided" // measured again, interleaved: too few forks to decide
)

// Verdict is what measuring again said about a suspected change. It is kept with the first commit of the new level.
type Verdict struct {
	Key
	Unit   string  `json:"unit"`
	Before string  `json:"before"` // the commit that was compared with
	After  string  `json:"after"`
	State  string  `json:"state"` // Confirmed …
	Ratio  float64 `json:"ratio"` // After over Before
	Lo     float64 `json:"lo"`
	Hi     float64 `json:"hi"`
	Forks  int     `json:"forks"` // of both sides together
}
