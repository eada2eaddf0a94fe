package cli

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/cli/flags"
)

// verb describes a command: how it is called, its flags in the order of the help text, and what
// it runs.
type verb struct {
	use, short, long, example string
	register                  func(*pflag.FlagSet)
	args                      cobra.PositionalArgs // nil: any
	run                       func(*cobra.Command, []string) error
}

func (v verb) command() *cobra.Command {
	cmd := &cobra.Command{Use: v.use, Short: v.short, Long: v.long, Example: v.example, Args: v.args, RunE: v.run}
	cmd.Flags().SortFlags = false
	if v.register != nil {
		v.register(cmd.Flags())
		flags.Once(cmd.Flags())
	}
	return cmd
}
