// Package why reads the seeded changes by which tare why is judged, and writes the two trees of each.
//
// The module in base has small packages with benchmarks. A seed is one change of one of them whose true cause is known:
// edits of its files, or flags and variables of one side. The files in seeds hold them, one file for each cause.
//
//	all, err := why.Load(".")
//	err = all[0].Write("base", "/tmp/changed", true)     // false: the side before the change
//
// The tests show by counts and machine code, never by time, that each seed is what it says.
package why
