package instrument

import (
	"errors"
	"fmt"
	"slices"
)

// Config selects the functions of a build that get probes. Packages, Flags and Env must be those of the build.
type Config struct {
	// Dir is the working directory of the go command. Default: that of this process.
	Dir string

	// Go is the path of the go command. Default: the one in PATH. Go applies no overlay to a toolchain that it has
	// downloaded; see [toolchain.Toolchain.MakeReplaceable].
	Go string

	// Packages are go's patterns of the packages that are built. Default: the package in Dir.
	Packages []string

	// Tests means that the packages' tests are built. Functions of test files match, too.
	Tests bool

	// Flags are the flags of the build: -tags, -race, -mod. They need not include GOFLAGS. An -overlay or -modfile of
	// either is kept and extended.
	Flags []string

	// Env is the environment of the go command; the last of several values counts. Default: that of this process.
	Env []string

	// Match contains at least one pattern of functions; see the package comment. Each must match a function that can be
	// instrumented.
	Match []string

	// Skip contains patterns of functions that get no probes although they match. Each must match a function.
	Skip []string

	// Except is like Skip, but its patterns need not match.
	Except []string

	// MinLines is the minimum length of functions that get probes, from the declaration to the last brace. Default: 0.
	MinLines int

	// Literals also adds probes to function literals in matching functions.
	Literals bool

	// CountOnly only counts calls, without times, tree of calls and path.
	CountOnly bool

	// Every is N if one of N calls is timed on average. The first call of each element of the tree of calls is always
	// timed. All calls are counted. Default: 1.
	Every int

	// Work is the directory for the changed files. It belongs to one Plan and must exist until the build is done.
	// Required.
	Work string
}

// MaxEvery is the largest value of Config.Every.
const MaxEvery = 1 << 30

// Validate returns all errors in c.
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
		bad("timing one of %d calls excludes only counting calls", c.Every)
	}
	if c.Work == "" {
		bad("no work directory")
	}
	return errors.Join(errs...)
}
