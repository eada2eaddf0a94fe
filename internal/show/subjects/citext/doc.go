// Package citext writes what people who read a pull request see of tare ci: the summary, annotations beside the sources, the
// outputs of a workflow, and the text of a comment.
//
//	md := (&citext.Summary{…}).Markdown(citext.MaxComment)
package citext
