package session

import (
	"os"
	"slices"

	"github.com/tarebench/tare/internal/base/redact"
)

// TypedArgs returns the words behind the verb.
func TypedArgs() []string { return os.Args[min(len(os.Args), 2):] }

// TypedLine returns the command line of a verb as it was typed, without secrets, for the record.
func TypedLine(verb string) []string {
	return append([]string{"tare", verb}, redact.Args(TypedArgs())...)
}

// ProgramLine returns the command line of a verb that takes a command, without secrets and with
// a -- before the command, so that it can be repeated.
func ProgramLine(verb string, args []string) []string {
	words := TypedArgs()
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
