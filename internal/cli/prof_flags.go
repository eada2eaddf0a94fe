package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/profiler/trace"
	"github.com/tarebench/tare/internal/runner"
	"github.com/tarebench/tare/internal/termtext"
	"github.com/tarebench/tare/record"
)

// checkProf checks --prof and splits its list.
func (f *benchFlags) checkProf(cmd *cobra.Command, c *record.Config, bad func(string, ...any)) {
	defer func() { checkTrace(c, bad) }()
	if f.prof == "" {
		if cmd.Flags().Changed("prof-forks") || cmd.Flags().Changed("prof") {
			bad("--prof names no profiler: there is %s", runner.KnownProfilers())
		}
		c.ProfForks = 0
		return
	}
	for _, name := range strings.Split(f.prof, ",") {
		name = strings.TrimSpace(name)
		switch {
		case !runner.IsProfiler(name):
			bad("--prof %q: there is %s", name, runner.KnownProfilers())
		case !slices.Contains(c.Prof, name):
			c.Prof = append(c.Prof, name)
		}
	}
	if c.ProfForks < 1 {
		bad("--prof-forks %d is less than 1", c.ProfForks)
	}
}

// checkTrace checks the flags of profiler trace.
func checkTrace(c *record.Config, bad func(string, ...any)) {
	if !slices.Contains(c.Prof, trace.Name) {
		if len(c.TraceMatch)+len(c.TraceSkip) > 0 {
			bad("--include and --exclude are about --prof trace")
		}
		return
	}
	if err := runner.TraceConfig(c).Validate(); err != nil {
		bad("--include, --exclude: %s", termtext.OneLine(err.Error()))
	}
}
