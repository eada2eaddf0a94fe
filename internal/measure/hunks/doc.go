// Package hunks finds the parts of the change between two sides that touch what made a benchmark slower or faster.
//
// Parse reads what git diff prints. OfCauses runs git on the sides of a run, and chooses the hunks of each cause. Of the sides only files
// of Go packages are read, and no file outside of them.
package hunks
