// Package cli is the command: one file per verb. A verb turns flags into a job,
// has package measure run it, and has package render, or a subject, show the result.
//
// The rules of the interface: stdout is the result and nothing else; stderr is
// for people. An error is one line "tare: error: …" that names the input,
// followed by "tare: hint: …" where something can be typed next.
package cli
