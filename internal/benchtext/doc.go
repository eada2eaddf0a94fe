// Package benchtext turns Go's benchmark text, as go test -bench and others
// print it, into the lines of a record, so that what was measured elsewhere can
// be compared.
//
//	lines, err := benchtext.Read(file, "old.txt")
//
// Each result line becomes a fork of its own with one sample. That is what the
// text says: it does not tell which results came from one process. Who compares
// such files has to say so.
package benchtext
