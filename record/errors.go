package record

import "fmt"

// A SyntaxError is a malformed line of a record file. The next call of [Reader.Next]
// returns the next line.
type SyntaxError struct {
	Name string // of the input
	Line int    // from 1
	Text string // what is wrong with the line
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%s:%d: %s", e.Name, e.Line, e.Text) }

// A TruncatedError is a last line that is cut off: it has no newline and is not JSON.
// The writer was killed, or the disk was full. Every line before it was read.
type TruncatedError struct {
	Name  string // of the input
	Line  int    // from 1
	Bytes int64  // present of the line
}

func (e *TruncatedError) Error() string {
	return fmt.Sprintf("%s:%d: last line is cut off after %d bytes", e.Name, e.Line, e.Bytes)
}

// A VersionError is a run line of a newer format than this package reads.
type VersionError struct {
	Name    string // of the input
	Line    int    // from 1
	Version int    // of the file, greater than [Version]; at most 1<<30
	Written string // Version as it stands in the file, "" if that is not known
	Tare    string // version of tare that wrote the file, "" if it does not say
}

func (e *VersionError) Error() string {
	by := e.Tare
	if by == "" {
		by = "an unknown version"
	}
	version := e.Written
	if version == "" || len(version) > 40 {
		version = fmt.Sprint(e.Version)
	}
	return fmt.Sprintf("%s:%d: record format version %s, written by tare %.60s: a newer tare is needed, this one reads up to version %d",
		e.Name, e.Line, version, by, Version)
}

// A NotRecordError is an input that does not begin with a run line.
type NotRecordError struct {
	Name  string // of the input
	Line  int    // from 1: where the run line should be
	Found string // what is there, as a noun: "an empty file", "a Go benchmark text"
}

func (e *NotRecordError) Error() string {
	return fmt.Sprintf("%s:%d: not a record file: found %s", e.Name, e.Line, e.Found)
}

// A SecondRunError is a second run in an input of which one run is wanted: files that
// were put together. [Reader.Next] does not return it; readers of one run do.
type SecondRunError struct {
	Name string // of the input
	Line int    // of the second run line, from 1
}

func (e *SecondRunError) Error() string {
	return fmt.Sprintf("%s:%d: a second run begins here: the file is several records put together", e.Name, e.Line)
}
