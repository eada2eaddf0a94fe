package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/measure/benchrun"
	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/internal/show/subjects/plantext"
	"github.com/tarebench/tare/record"
)

// checkList refuses what --list does not print.
func (r *benchRun) checkList(cmd *cobra.Command) error {
	others := flags.Given(cmd.Flags(), "list", "bench", "skip", "filter", "gomaxprocs", "gogc", "memory-limit", "env", "tags", "timeout", "short", "against", "side",
		"toolchain", "side-env", "side-flags", "progress", "no-lock", "no-wait")
	if !r.flags.list || len(others) == 0 {
		return nil
	}
	return usageError(fmt.Errorf("--list prints names alone, and measures nothing; leave out %s", strings.Join(others, ", ")), "")
}

// failing says of each benchmark that failed why.
func failing(lost []plan.Failure) (lines []string) {
	for _, l := range lost {
		lines = append(lines, fmt.Sprintf("%s %s: fails: %s", l.Case.Pkg, l.Case.Name, l.Fork.Why))
	}
	return lines
}

// list prints the names of the benchmarks as they are found, and then those that fail.
func (r *benchRun) list(ctx context.Context, built *benchrun.Built) error {
	names := plantext.NewLister(r.out)
	built.OnFound = func(c *record.Case) {
		r.config.Progress.Clear()
		names.Add(c)
	}
	found, err := benchrun.Discover(ctx, built)
	if err != nil {
		return r.end(err, false)
	}
	defer found.Close()
	r.config.Progress.Clear()
	if err := names.Close(failing(found.Lost)); err != nil {
		return err
	}
	if len(found.Lost) > 0 {
		return exit.Silent(exit.Failure)
	}
	return nil
}
