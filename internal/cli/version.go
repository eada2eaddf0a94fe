package cli

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/session"
)

// printVersion prints the versions of tare and Go, and the system it was built for.
func printVersion(s streams) error {
	_, err := fmt.Fprintf(s.out, "tare %s %s %s/%s\n", session.Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

func newVersion(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			return printVersion(s)
		},
	}
}
