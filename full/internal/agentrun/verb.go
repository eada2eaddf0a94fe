package agentrun

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/load/kv"
)

// Verb returns what makes the verb agent, for cli.Config.
func Verb(bindings []kv.Binding) func(in io.Reader, out, err io.Writer) *cobra.Command {
	return func(in io.Reader, _, err io.Writer) *cobra.Command { return command(in, err, bindings) }
}
