package record

import (
	"crypto/sha256"
	"fmt"
	"time"
)

// Run is the first line of a record file: the configuration and the machine.
type Run struct {
	Version int       `json:"v"`               // format version, from 1; 0 in a line to write means [Version]
	Kind    string    `json:"kind,omitempty"`  // KindBench …; absent in old files, see [KindOf]
	Tare    string    `json:"tare"`            // version of tare that wrote the file
	Start   time.Time `json:"start"`           // wall-clock time of the run's start
	Mono    int64     `json:"mono"`            // CLOCK_MONOTONIC at Start, ns
	Command []string  `json:"command"`         // the command line, one element per argument, secrets redacted
	Seed    Seed      `json:"seed"`            // the seed of the order
	Config  Config    `json:"config"`          // flags and defaults
	Sides   []Side    `json:"sides,omitempty"` // what is compared; absent with one side
	Env     Env       `json:"env"`             // the machine
	Dir     string    `json:"dir,omitempty"`   // directory in which the command ran

	// Group is the name that the runs of one command on several machines have in common, and Machine the name of the
	// machine of this one; absent for a run on one machine. Runs of a group are in one file, one after the other.
	Group   string `json:"group,omitempty"`
	Machine string `json:"machine,omitempty"`

	// Revision is the commit of the packages, and Dirty says that there were changes that were not committed. Absent where Sides
	// have theirs, and for packages that are not of the repository around Dir.
	Revision string `json:"revision,omitempty"`
	Dirty    bool   `json:"dirty,omitempty"`
}

// Config is the plan of a bench run: flags and defaults. Durations are in
// nanoseconds. Absent keys were not set.
type Config struct {
	Packages    []string      `json:"packages"`                // package patterns
	Bench       string        `json:"bench"`                   // regular expression, as of go test
	Skip        string        `json:"skip,omitempty"`          // regular expression, as of go test
	Args        []string      `json:"args,omitempty"`          // flags and arguments of the test binaries besides tare's, secrets redacted
	Filter      string        `json:"filter,omitempty"`        // in the language of benchstat
	CPU         []int         `json:"cpu,omitempty"`           // values of GOMAXPROCS
	Forks       int           `json:"forks"`                   // number of rounds, in a self-test for each window; with Precision the limit
	Warmup      int           `json:"warmup"`                  // iterations per fork that are recorded but do not count
	Iterations  int           `json:"iterations"`              // measured iterations per fork
	Time        time.Duration `json:"time"`                    // wall time of an iteration as the parent sees it
	Benchtime   string        `json:"benchtime,omitempty"`     // "100x": N was fixed by the user
	Mode        string        `json:"mode,omitempty"`          // "N" or "time" where the user forced it
	Timeout     time.Duration `json:"timeout"`                 // of one fork
	GOGC        string        `json:"gogc,omitempty"`          // as set for the forks
	MemoryLimit string        `json:"memory_limit,omitempty"`  // GOMEMLIMIT as set for the forks
	MemoryMax   int64         `json:"memory_max,omitempty"`    // bytes above which a fork has failed
	MemoryMaxBy string        `json:"memory_max_by,omitempty"` // what MemoryMax rests on: "cgroup v2", "cgroup v1", or "peak RSS": checked afterwards
	GCBefore    bool          `json:"gc_before,omitempty"`     // garbage is collected before each iteration
	Setenv      []string      `json:"setenv,omitempty"`        // K=V, values of secret-looking names redacted
	NoPriority  bool          `json:"no_priority,omitempty"`   // forks have no priority over other programs
	NoRepeat    bool          `json:"no_repeat,omitempty"`     // forks that waited too long for a processor are not repeated
	Order       string        `json:"order"`                   // "interleaved", "grouped", or the "blocks" of a self-test
	Precision   float64       `json:"precision,omitempty"`     // target relative half-width, 0.01 is 1 %
	Budget      time.Duration `json:"budget,omitempty"`        // limit of the run's time
	Spread      time.Duration `json:"spread,omitempty"`        // time over which blocks of rounds are spread, see [Config.Blocks]
	Tags        string        `json:"tags,omitempty"`          // build tags
	With        []AddedFile   `json:"with,omitempty"`          // files that each revision was given besides its own
	Threshold   float64       `json:"threshold,omitempty"`     // relative change that does not matter, 0.03 is 3 %
	Correction  string        `json:"correction,omitempty"`    // of p over the table: "bh", "holm" or "none"
	SideBy      string        `json:"side_by,omitempty"`       // key in names, such as impl in /impl=a: benchmarks that differ only in its value are compared
	Layouts     int           `json:"layouts,omitempty"`       // code layouts that each side is linked in
	Deep        bool          `json:"deep,omitempty"`          // package testing was built with hooks
	Prof        []string      `json:"prof,omitempty"`          // profilers, by name
	ProfForks   int           `json:"prof_forks,omitempty"`    // forks of each benchmark for each profiler that needs separate ones
	TraceMatch  []string      `json:"trace_match,omitempty"`   // patterns of functions that profiler trace counts; none: those of the package
	TraceSkip   []string      `json:"trace_skip,omitempty"`    // patterns of functions that profiler trace skips
	Confidence  float64       `json:"confidence"`              // of a benchmark's own interval, between 0 and 1
	Load        *LoadConfig   `json:"load,omitempty"`          // of a load run, which sets no other key

	// ShortIterations allows iterations that are shorter than Time, and as many more, where the benchmark allows it:
	// see Iterations of [Case].
	ShortIterations bool `json:"short_iterations,omitempty"`
	// Test compares times and rates of the sides: TestSavage, or TestU. Absent, as in old records, it is TestU.
	Test string `json:"test,omitempty"`
}

// AddedFile is a file of the working tree that was put into each revision, such as a benchmark that older ones do not have.
type AddedFile struct {
	Path   string `json:"path"`   // relative to the directory of the run, with slashes
	SHA256 string `json:"sha256"` // hexadecimal
}

// The tests of [Config].
const (
	TestSavage = "savage" // of the forks' best iterations, by scores that weigh the best; beside it the U test
	TestU      = "u"      // of the forks' medians, as benchstat's
)

// Side is one of the things compared.
type Side struct {
	Name      string   `json:"name"`                // "old", "new" or a name given by the user
	Ref       string   `json:"ref,omitempty"`       // the revision as the user wrote it: a branch, a tag
	Revision  string   `json:"revision,omitempty"`  // commit; absent without a repository
	Dir       string   `json:"dir,omitempty"`       // directory of the side, instead of a revision
	Dirty     bool     `json:"dirty,omitempty"`     // there were uncommitted changes
	Command   string   `json:"command,omitempty"`   // of a load run: what starts the side's server, secrets redacted
	URL       string   `json:"url,omitempty"`       // of a load run: where the side listens, secrets redacted
	Toolchain string   `json:"toolchain,omitempty"` // Go version, if it is of this side only
	Flags     []string `json:"flags,omitempty"`     // build flags of this side only
	Setenv    []string `json:"setenv,omitempty"`    // K=V of this side only, redacted as in Config
	Deep      bool     `json:"deep,omitempty"`      // package testing was built with hooks, of this side only
}

// Env is the machine and the environment in which the run took place.
type Env struct {
	OS          string `json:"os"`               // GOOS
	Arch        string `json:"arch"`             // GOARCH
	Kernel      string `json:"kernel,omitempty"` // release of the system's kernel
	CPU         string `json:"cpu,omitempty"`    // model
	Cores       int    `json:"cores"`            // logical CPUs that may be used
	Memory      int64  `json:"memory,omitempty"` // bytes
	Go          string `json:"go"`               // toolchain that built the benchmarks
	GOMAXPROCS  int    `json:"gomaxprocs"`
	GOGC        string `json:"gogc,omitempty"`         // of the environment, absent if unset
	GOMEMLIMIT  string `json:"gomemlimit,omitempty"`   // of the environment, absent if unset
	ClockSource string `json:"clock_source,omitempty"` // of the kernel: "tsc"
	Virtual     string `json:"virtual,omitempty"`      // hypervisor or container, "" if none was seen
}

// Bin is one test binary.
type Bin struct {
	ID      int    `json:"id"`                 // from 1, unique among the binaries of the file
	Pkg     string `json:"pkg"`                // import path
	Side    string `json:"side,omitempty"`     // name of its [Side]
	Layout  string `json:"layout,omitempty"`   // seed of -randlayout, absent for the linker's own order
	SHA256  string `json:"sha256"`             // of the file, hexadecimal
	BuildID string `json:"build_id,omitempty"` // of the Go toolchain
	Size    int64  `json:"size"`               // bytes
	Dir     string `json:"dir"`                // working directory of its forks
	Version string `json:"version,omitempty"`  // module version, for path@version
	Purpose string `json:"purpose,omitempty"`  // of its forks; absent for PurposeTiming

	// Build are the settings that it was built with, by the names of go version -m: -race, -gcflags, GOAMD64. Flags that
	// are not set are absent; the value of -pgo is a hash of the profile; secrets are redacted. Absent in old files.
	Build map[string]string `json:"build,omitempty"`

	// Files is a digest of the names and contents of the files that its benchmarks can read while they run: those in and below
	// Dir, and those of the module. Absent if it is not known, and in old files.
	Files string `json:"files,omitempty"`
}

// Program returns a digest of a test binary and of the files that its benchmarks can read, as 64 hexadecimal digits. Equal ones
// do the same in the same environment. It returns "" if one of both is not known.
func (b *Bin) Program() string {
	if b.SHA256 == "" || b.Files == "" {
		return ""
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(b.SHA256+" "+b.Files)))
}
