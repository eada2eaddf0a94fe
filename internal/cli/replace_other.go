//go:build !unix

package cli

import (
	"errors"
	"os"
	"os/exec"
)

// Replace runs another program as this one's child, and ends with its exit code. It returns only if it cannot be
// started.
func Replace(path string, args []string) error {
	cmd := exec.Command(path, args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	if err == nil {
		os.Exit(0)
	}
	if x := (*exec.ExitError)(nil); errors.As(err, &x) {
		os.Exit(x.ExitCode())
	}
	return err
}
