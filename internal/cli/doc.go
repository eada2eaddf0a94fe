// Package cli is the command: one file per verb, and what they share: errors
// with hints, exit codes, output files, the progress line.
//
// The rules of the interface: stdout is the result and nothing else; stderr is
// for people. An error is one line "tare: error: …" that names the input,
// followed by "tare: hint: …" where something can be typed next.
package cli
