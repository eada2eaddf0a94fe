package cli

import (
	"slices"

	"github.com/tarebench/tare/internal/session"
)

// commandLine returns the command line of a verb that takes a command, without secrets and with
// a -- before the command, so that it can be repeated.
func commandLine(verb string, hide session.Redactor, args []string) []string {
	words := session.TypedArgs()
	flags := words[:max(0, len(words)-len(args))]
	if n := len(flags); n > 0 && flags[n-1] == "--" {
		flags = flags[:n-1]
	}
	out := append(append([]string{"tare", verb}, session.MaskArgs(flags)...), "--")
	for i, w := range session.MaskArgs(args) {
		if slices.Contains(flags, "--shell") {
			w = session.MaskText(args[i])
		}
		out = append(out, w)
	}
	for i, w := range out[2:] {
		out[2+i] = hide.Mask(w)
	}
	return out
}
