package cli

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/measure/session"
)

// printVersion prints the versions of tare and Go, and the system it was built for.
func printVersion(s streams) error {
	_, err := fmt.Fprintf(s.out, "tare %s %s %s/%s\n", session.Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

func newVersion(s streams) *cobra.Command {
	return verb{
		use:   "version",
		short: "Print the version",
		args:  noArguments,
		run:   func(*cobra.Command, []string) error { return printVersion(s) },
	}.command()
}
