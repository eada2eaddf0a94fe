// Package benchtext converts Go's benchmark text, as printed by go test -bench, into lines of a record, so
// that it can be compared.
//
//	lines, err := benchtext.Read(file, "old.txt")
//
// Each result line becomes a fork with one sample, because the text does not say which results came from one
// process. A comparison of such files must warn about that.
package benchtext
