package job

import (
	"os"
	"time"

	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// What becomes of the standard output of commands, besides going to a file.
const (
	StdoutNull    = "null"
	StdoutInherit = "inherit"
)

// Command says which commands are measured, and how. The zero value measures nothing; begin with [DefaultCommand].
type Command struct {
	// Words are the command and its arguments; with Shell, a line for sh. None: the commands of Side are measured.
	Words []string
	// Against are command lines that Words is compared with, in turn with it. The first is the base.
	Against []string
	// Side are further commands, NAME=COMMAND. Behind Against the first is the base.
	Side []string
	// Params are NAME=VALUE,VALUE: {NAME} in a command stands for one value. Each combination is measured.
	Params []string
	// Setup and Cleanup are at most one command each, run once before and after the runs of each command, not measured.
	Setup, Cleanup []string
	// Prepare is run before each run and not measured: none, one command line for all, or one for each of [Command.Lines].
	Prepare []string

	// Shell has sh -c run all command lines. Else their words are split as a shell splits them.
	Shell bool
	// Stdout is StdoutNull, StdoutInherit, or a file that keeps the output of the last run.
	Stdout string
	// Input is a file that is the standard input of commands. "": there is nothing to read.
	Input string
	// Dir is where commands run. "": the current directory.
	Dir string
	// Setenv are settings K=V of the environment of commands.
	Setenv []string
	// IgnoreFailure counts runs that end with another status than 0, or by a signal.
	IgnoreFailure bool

	// Runs of each command, at least 1. With Precision it is the largest number.
	Runs int
	// Warmup is the number of runs of each command that are recorded and excluded from the results.
	Warmup int
	// Precision is the target for the half-width of an interval, relative to its centre: 0.01 is ± 1 %. The interval is
	// that of the median real time or, where commands are compared, of the ratio of their real times. It is checked after 10, 20, 40 and 80 runs. 0: no target.
	Precision float64
	// Timeout is the wall time after which a run is killed and has failed. 0: none.
	Timeout time.Duration

	// Threshold is the relative difference that does not matter, 0.03 is 3 %.
	Threshold float64
	// Confidence is that of the intervals, between 0 and 1.
	Confidence float64
	// Seed of the order, hexadecimal. "": it is drawn.
	Seed string
	// NoPriority gives commands no priority over other programs.
	NoPriority bool

	// Given are the options that somebody set.
	Given Given
}

// DefaultCommand returns the defaults of tare time.
func DefaultCommand() Command {
	return Command{Runs: 10, Stdout: StdoutNull, Threshold: 0.03, Confidence: stat.DefaultConfidence}
}

// Complete sets what follows from options that were given, and was not given itself.
func (c *Command) Complete() {
	if c.Precision > 0 && !c.Given["runs"] {
		c.Runs = plan.MaxRounds
	}
}

// Plan returns the head of a record with what is measured: the configuration, the seed and the directory. The sides have
// no names yet. A seed that is not given is drawn.
func (c *Command) Plan() (record.Run, error) {
	c.Complete()
	if err := c.Validate(); err != nil {
		return record.Run{}, err
	}
	dir, err := os.Getwd()
	return record.Run{Kind: record.KindTime, Dir: dir, Seed: SeedOf(c.Seed), Config: record.Config{
		Packages: []string{}, Forks: c.Runs, Warmup: c.Warmup, Iterations: 1, Benchtime: "1x", Timeout: c.Timeout, Setenv: c.Setenv,
		Order: plan.Interleaved, Correction: result.NoCorrection, Confidence: c.Confidence, NoPriority: c.NoPriority,
		Threshold: c.Threshold, Precision: c.Precision,
	}}, err
}
