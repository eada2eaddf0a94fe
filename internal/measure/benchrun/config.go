package benchrun

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/golang/toolchain"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/internal/profile/asm"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// Config says what is measured, and where messages go.
type Config struct {
	// Run is the head of the record: kind, command line, directory, seed,
	// configuration and sides. Version, start and machine are filled in.
	Run   record.Run
	Start time.Time

	Output  string           // file of the record; "" for the default place
	Outputs []string         // other files that this run writes
	DryRun  bool             // no record is written, and nothing is measured
	List    bool             // of a dry run: it ends when the benchmarks are found
	Lock    session.LockMode // what to do while another tare measures
	Earlier *Earlier         // the record that is resumed, or nil

	Series *Series // the sides are no alternatives to compare with the base, but commits of a history; or nil

	RunLog string // file of the log of this machine's runs; "": none

	Withheld   []string // names of variables of our environment that forks do not get, unless they are set for them
	WithheldGo []string // of those, the ones that the go command does not get either

	Sampler asm.Config // of profiler asm
	Only    string     // the profiler without which there is nothing to measure; "" if there is none

	// Threshold returns the change that does not matter for a benchmark, 0 for that of the configuration; may be nil.
	Threshold func(*record.Case) float64

	OnBuilt func(*Built)       // is called when the record is open and the test binaries are built; may be nil
	OnRound func()             // is called before each round, while no fork runs; may be nil
	OnFound func(*record.Case) // is called with each benchmark that Discover finds; may be nil

	Progress *session.Progress
	Signals  *session.Signals
	Estimate func(result.Benchmark) string // a result in a few words, for the progress line
}

// Series says that each side is measured for itself. A side that cannot be built is left out (see
// [Built.Without]), so that there may be none, and
// one whose test binary an earlier side has is not measured again. The base is the commit that other runs measure too.
type Series struct {
	// Known reports whether a test binary was measured in another run, so that it need not be measured again. nil: none
	// was.
	Known func(*record.Bin) bool
}

// environ returns the environment of every fork: ours without what is withheld, what --gogc and
// --memory-limit come to, and --env.
func (c *Config) environ() []string {
	var env []string
	if v := c.Run.Config.GOGC; v != "" {
		env = append(env, "GOGC="+v)
	}
	if v := c.Run.Config.MemoryLimit; v != "" {
		env = append(env, "GOMEMLIMIT="+v)
	}
	ours := slices.DeleteFunc(os.Environ(), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains(c.Withheld, name)
	})
	return session.LastOfEach(slices.Concat(ours, env, c.Run.Config.Setenv))
}

// traceDir returns the name of the directory for what profiler trace writes. A
// run that is resumed has that of its beginning, because binaries may contain
// paths.
func (c *Config) traceDir() string {
	start := c.Start
	if c.Earlier != nil {
		start = c.Run.Start
	}
	return fmt.Sprintf("instrumented-%s-%x", c.Run.Seed, start.UnixNano())
}

// askedForks reports whether the number of forks of a profiler was asked for,
// rather than left to what the profiler needs.
func (c *Config) askedForks() bool {
	typed := func(word string) bool { return word == "--prof-forks" || strings.HasPrefix(word, "--prof-forks=") }
	return c.Run.Config.ProfForks != job.DefaultProfForks || slices.ContainsFunc(c.Run.Command, typed)
}

// interrupted returns [plan.ErrInterrupted] in the place of an error that a
// signal has caused.
func (c *Config) interrupted(err error) error {
	if c.Signals.Caught() {
		return plan.ErrInterrupted
	}
	return err
}

// buildError returns the error of a package or revision that was typed.
func buildError(err error) error {
	if errors.Is(err, context.Canceled) {
		return plan.ErrInterrupted
	}
	if errors.As(err, new(*toolchain.SignalError)) || ofMachine(err) {
		return exit.Failed(err, "")
	}
	return exit.Usage(err, "")
}

// sideLabel returns "NAME: ", the beginning of texts about a side.
func sideLabel(side string) string {
	if side == "" {
		return ""
	}
	return side + ": "
}
