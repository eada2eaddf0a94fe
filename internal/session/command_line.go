package session

import "slices"

// TypedLine returns the command line of a verb as it was typed, without secrets, for the record.
func TypedLine(verb string, hide Redactor) []string {
	return hide.maskAll(append([]string{"tare", verb}, MaskArgs(TypedArgs())...))
}

// ProgramLine returns the command line of a verb that takes a command, without secrets and with
// a -- before the command, so that it can be repeated.
func ProgramLine(verb string, hide Redactor, args []string) []string {
	words := TypedArgs()
	flags := words[:max(0, len(words)-len(args))]
	if n := len(flags); n > 0 && flags[n-1] == "--" {
		flags = flags[:n-1]
	}
	out := append(append([]string{"tare", verb}, MaskArgs(flags)...), "--")
	for i, w := range MaskArgs(args) {
		if slices.Contains(flags, "--shell") {
			w = MaskText(args[i])
		}
		out = append(out, w)
	}
	return hide.maskAll(out)
}

// maskAll replaces each secret in the words behind "tare VERB".
func (r Redactor) maskAll(line []string) []string {
	for i, w := range line[2:] {
		line[2+i] = r.Mask(w)
	}
	return line
}
