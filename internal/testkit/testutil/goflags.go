package testutil

import (
	"os/exec"
	"strings"
)

// GoFlags returns the GOFLAGS for go commands that tests start: the user's, and -trimpath. tare's own builds have -trimpath, so the
// standard library, patched or not, is compiled once for both. At full length they are the user's alone.
func GoFlags() string {
	out, _ := exec.Command("go", "env", "GOFLAGS").Output() // where there is no go command, tests that need it say so
	flags := strings.TrimSpace(string(out))
	if !Long() {
		flags += " -trimpath"
	}
	return flags
}
