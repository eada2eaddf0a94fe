package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/numbers/plan"
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
