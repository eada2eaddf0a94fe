// Package historyrun makes entries of a history: from records of benchmarks, and by measuring commits.
//
//	entries, skipped := historyrun.Entries(run, historyrun.Options{Dir: dir})   // of a record
//	sum, err := historyrun.Measure(ctx, plan)                                    // of commits, in sequences
package historyrun
