// Package histfiles does the work of tare hist: it reads latencies from histogram logs and
// from records, and cuts, merges and converts them. It prints nothing.
//
//	in := histfiles.Open(histfiles.Config{Files: []string{"run.hlog"}, Tags: []string{"READ.*"}})
//	all, err := in.Distributions()
//
// An error for wrong input is an [exit.Error] with a hint.
package histfiles
