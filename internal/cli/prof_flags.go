package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/measure/benchrun"
	"github.com/tarebench/tare/internal/profile/trace"
	"github.com/tarebench/tare/record"
)

// checkProf checks --prof and splits its list.
func (f *benchFlags) checkProf(cmd *cobra.Command, c *record.Config, p *problems) {
	defer func() { checkTrace(c, p) }()
	if f.prof == "" {
		if cmd.Flags().Changed("prof-forks") || cmd.Flags().Changed("prof") {
			p.Add("--prof names no profiler: there is %s", benchrun.KnownProfilers())
		}
		c.ProfForks = 0
		return
	}
	for _, name := range strings.Split(f.prof, ",") {
		name = strings.TrimSpace(name)
		switch {
		case !benchrun.IsProfiler(name):
			p.Add("--prof %q: there is %s", name, benchrun.KnownProfilers())
		case !slices.Contains(c.Prof, name):
			c.Prof = append(c.Prof, name)
		}
	}
	if c.ProfForks < 1 {
		p.Add("--prof-forks %d is less than 1", c.ProfForks)
	}
}

// checkTrace checks the flags of profiler trace.
func checkTrace(c *record.Config, p *problems) {
	if !slices.Contains(c.Prof, trace.Name) {
		if len(c.TraceMatch)+len(c.TraceSkip) > 0 {
			p.Add("--include and --exclude are about --prof trace")
		}
		return
	}
	if err := benchrun.TraceConfig(c).Validate(); err != nil {
		p.Add("--include, --exclude: %s", termtext.OneLine(err.Error()))
	}
}

// profilerWords returns the values of --prof, each with what it stands for.
func profilerWords() []string {
	var out []string
	for _, p := range benchrun.Profilers(nil, trace.Config{}) {
		out = append(out, p.Name()+"\t"+p.Help)
	}
	return out
}
