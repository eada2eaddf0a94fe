package cli

import (
	"os"
	"slices"

	"github.com/tarebench/tare/internal/base/redact"
)

// typedArgs returns the words behind the verb.
func typedArgs() []string { return os.Args[min(len(os.Args), 2):] }

// typedLine returns the command line of a verb as it was typed, without secrets, for the record.
func typedLine(verb string) []string {
	return append([]string{"tare", verb}, redact.Args(typedArgs())...)
}

// programLine returns the command line of a verb that takes a command, without secrets and with
// a -- before the command, so that it can be repeated.
func programLine(verb string, args []string) []string {
	words := typedArgs()
	flags := words[:max(0, len(words)-len(args))]
	if n := len(flags); n > 0 && flags[n-1] == "--" {
		flags = flags[:n-1]
	}
	out := append([]string{"tare", verb}, redact.Args(flags)...)
	if len(args) > 0 {
		out = append(out, "--")
	}
	for i, w := range redact.Args(args) {
		if slices.Contains(flags, "--shell") {
			w = redact.Command(args[i])
		}
		out = append(out, w)
	}
	return out
}
