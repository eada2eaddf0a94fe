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

	// Go is the go command. Default: the one in PATH. Go replaces no files of a toolchain
	// that it has fetched itself, unless it is known by another name ([toolchain.ReplaceableRoot]).
	Go string

	// Packages are patterns of the packages that are built, as go knows them.
	// Default: the one in Dir.
	Packages []string

	// Tests says that their tests are built: functions of test files can be instrumented too.
	Tests bool

	// Flags are those of the build: -tags, -race, -mod. Those of GOFLAGS are known, and of
	// both an -overlay or -modfile is heeded.
	Flags []string

	// Env is the environment of the go command, the last of several values winning.
	// Default: this process's.
	Env []string

	// Match are patterns of functions, at least one; see package comment. Each must
	// match a function that can be instrumented.
	Match []string

	// Skip are patterns of functions that are not instrumented although they match. Each must match
	// a function.
	Skip []string

	// Except are likewise, and need not match any.
	Except []string

	// MinLines leaves functions alone that have fewer lines, with those of the
	// declaration and the last brace. Default: 0, none.
	MinLines int

	// Literals adds probes to function literals in functions that match, too.
	Literals bool

	// CountOnly counts calls and nothing else: no times, no tree of calls, no path.
	CountOnly bool

	// Every times one of so many calls of a function, on average, and the first one from
	// each place in the tree of calls; all are counted.
	// Default: 1, all of them.
	Every int

	// Work is a directory for what is written: it belongs to one Plan, and must stay
	// until the build is done. Default: none, it is required.
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
