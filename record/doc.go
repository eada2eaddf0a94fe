// Package record has the types of the lines of a record file, their writer and their
// reader. Measuring code writes records, reporting code reads them.
//
// # Record files
//
// A record file holds the raw results of one run, written while it measures: the
// configuration and the machine, each binary, case and process (fork), every sample,
// and every warning. Nothing in it is averaged, so that results can be computed again
// with other statistics. It is JSON Lines: UTF-8 text, one JSON object per line, whose
// first key "k" names the kind of the line:
//
//	{"k":"run","v":1,"kind":"bench","tare":"v0.1.0","start":"2026-01-02T03:04:05Z",…}
//	{"k":"bin","id":1,"pkg":"example.org/codec",…}
//	{"k":"case","id":1,"pkg":"example.org/codec","name":"Encode/size=1k","bin":1,…}
//	{"k":"sample","fork":1,"iter":1,"phase":"measure","t":…,"ns":…,"ops":…,"v":{"ns/op":12.5}}
//	{"k":"fork","id":1,"case":1,"bin":1,"round":1,…,"state":"ok"}
//	{"k":"end","state":"completed"}
//
// Each kind is a type of this package, whose fields are its keys: [Run], the
// first line; [Bin], [Case], [Fork] and [Sample], which refer to each other by
// ID; [Overhead], [Reference], [AnotherRun], [Warn], [Attach], [InterimAnalysis], [Replan] and [Bisect]; [Load], [Hist] and [Marks], the intervals of a load
// run, and [Stall], when the system stood still; [Agent], each load generator of a run of several; [End], the last line if tare itself ended the run. A line refers only to lines before it, with one exception: a
// fork's line is written when the fork has ended, after its samples.
//
// Times within a run are CLOCK_MONOTONIC in nanoseconds. Durations are
// nanoseconds, sizes are bytes, shares and precisions are fractions of 1. Units
// of values are those of Go's benchmarks; [UnitOf] returns whether higher or lower
// is better.
//
// # Writing
//
//  1. Create the file and a [Writer] on it.
//  2. Write a [Run], then the other lines as they become known, from any
//     goroutine. Each is one write to the file, at once.
//  3. Check the error of [Writer.Write], or once [Writer.Err]; write an
//     [End]; close the file.
//
// To continue the file of a killed process, open it with [OpenAppend] and write no
// second Run.
//
// # Reading
//
//  1. Make a [Reader] of the file.
//  2. Range over [Reader.All], or call [Reader.Next] until io.EOF, and switch on
//     the type of the line.
//  3. Ignore a [*SyntaxError]: one line is malformed. A [*TruncatedError] is the end
//     of a killed run's file: everything before it is valid.
//
// Samples in the form of Writer are read without reflection. Any other JSON of the
// same meaning is read too.
//
// # Compatibility
//
// Every later tare reads a file of this version; a test reads testdata/v1.jsonl.
// Within a version
//
//   - kinds and keys may be added, and values to those keys that hold a word
//     (phase, purpose, state, code, …), so readers must ignore unknown
//     kinds and keys, and pass on unknown words;
//   - a new key never differs from an old one in upper and lower case only, and
//     a key that every line of a kind has had stays in every line;
//   - the type, unit and meaning of a key never change, and neither does the
//     rule that a whole line ends with a newline.
//
// Any other change needs a new version. Its number is the key "v" of the run line,
// which stays an integer; older readers reject it with a [*VersionError].
//
// Readers must not rely on the order of keys, on "k" being first, or on the
// absence of white space, though writers keep to all three: another program may
// have changed the file.
package record
