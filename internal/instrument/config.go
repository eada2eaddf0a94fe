package instrument

import (
	"errors"
	"fmt"
	"slices"
)

// Config says which functions of which build get probes. Packages, Flags and Env must be those
// of the build itself.
type Config struct {
	// Dir is where the go command runs. Default: this process's directory.
	Dir string

	// Go is the path of the go command. Default: the one in PATH. Go replaces no files of a
	// toolchain that it has downloaded, except by a second name ([toolchain.Toolchain.MakeReplaceable]).
	Go string

	// Packages are patterns of the packages that are built, as go knows them.
	// Default: the one in Dir.
	Packages []string

	// Tests says that the tests of the packages are built. Functions of test files match, too.
	Tests bool

	// Flags are those of the build: -tags, -race, -mod. GOFLAGS need not be among them. An
	// -overlay or -modfile of either is kept and extended.
	Flags []string

	// Env is the environment of the go command, the last of several values winning.
	// Default: this process's.
	Env []string

	// Match are patterns of functions, at least one; see the package comment. Each must match a
	// function that can be instrumented.
	Match []string

	// Skip are patterns of functions that get no probes although they match. Each must match a
	// function.
	Skip []string

	// Except is like Skip. Its patterns need not match anything.
	Except []string

	// MinLines is the least number of lines of a function that gets probes, counted from its
	// declaration to its last brace. Default: 0, any.
	MinLines int

	// Literals adds probes to function literals in functions that match, too.
	Literals bool

	// CountOnly counts calls and nothing else: no times, no tree of calls, no path.
	CountOnly bool

	// Every is N if one of N calls is timed, on average, besides the first one of each element of
	// the tree of calls. All calls are counted. Default: 1, all are timed.
	Every int

	// Work is a directory for the changed files. It belongs to one Plan, and must stay until the
	// build is done. It is required.
	Work string
}

// MaxEvery is the largest Config.Every.
const MaxEvery = 1 << 30

// Validate returns an error that names everything that is wrong.
func (c *Config) Validate() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if len(c.Match) == 0 {
		bad("no pattern of functions to instrument")
	}
	for _, p := range slices.Concat(c.Match, c.Skip, c.Except) {
		if _, err := parsePattern(p); err != nil {
			bad("%w", err)
		}
	}
	if c.MinLines < 0 {
		bad("functions of at least %d lines: want 0 or more", c.MinLines)
	}
	if c.Every < 0 || c.Every > MaxEvery {
		bad("one of %d calls timed: want 1 to %d", c.Every, MaxEvery)
	}
	if c.CountOnly && c.Every > 1 {
		bad("one of %d calls timed, and calls only counted: want one of the two", c.Every)
	}
	if c.Work == "" {
		bad("no directory to work in")
	}
	return errors.Join(errs...)
}
