//go:build unix

package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// Replace runs another program in the place of this process. It returns only if that fails.
func Replace(path string, args []string) error { return unix.Exec(path, args, os.Environ()) }
