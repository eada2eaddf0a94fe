// Package ci is what tare ci does besides measuring: it finds the base that a change is compared with, brings it into a
// shallow clone, decides which variables measured code gets, and finds the source of a benchmark.
//
//	b, err := ci.FindBase(ctx, repo, ci.Request{Env: os.Getenv})
package ci
