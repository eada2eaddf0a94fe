// Package ci is what tare ci does besides measuring: it finds the base that a change is compared with, brings it into a
// shallow clone, and writes what the people who read a pull request see.
//
//	b, err := ci.FindBase(ctx, repo, ci.Request{Env: os.Getenv})
//	// measure, then
//	md := ci.Summary{…}.Markdown()
//
// Package forge posts the summary as a comment.
package ci
