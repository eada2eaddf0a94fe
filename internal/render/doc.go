// Package report shows what a [summary.Summary] says: as a table for a terminal
// (text), as GitHub-flavoured Markdown (md), and for programs as JSON, CSV, Go's
// benchmark format, which benchstat reads, and the JSON of JMH (jmh), which has
// viewers.
//
//	s, err := summary.Read(file, "old.jsonl")
//	...
//	f, err := report.ParseFormat("text")
//	...
//	err = report.Write(os.Stdout, f, s, report.Options{Width: 100, UTF8: true})
//
// A report never measures and computes no statistics: it scales, rounds and lays
// out. The same summary gives the same bytes.
//
// Figures for people carry the digits that their interval supports: two
// significant digits of its half-width, two to five digits of the value. Figures
// for programs are never rounded. Names and messages come from benchmarks and are
// not trusted: what is not printable is shown escaped, and what means something
// to a format is quoted in that format's way.
//
// A summary of several sides is shown as what differs between them: both values in
// one unit, their ratio with its interval, and the verdict. A verdict that is not
// trusted bears the mark (?); why stands in the footnotes and warnings below.
// Markdown folds away what did not change, so that it fits a pull request.
//
// Where benchmarks ran at several sizes, text and Markdown have a block more: the
// curve by which each grows, with the interval of its coefficient, by how much it
// misses and how often another sample of forks would choose it. Of sides that are
// compared it shows those that grow by different curves; with Verbose all.
//
// What occupied a heap, if that was looked into, is a block of text and Markdown, too:
// the sites that allocated it, and the types where they say more; with Verbose what
// led there.
//
// A load run has a look of its own in text, Markdown and CSV, and besides the forms of
// YCSB, [YCSB] and [YCSBJSON], in which a series such as READ is service time and
// Intended-READ response time. Formats of samples, benchfmt and jmh, are refused: a
// load run is one sample.
//
// A new look is one new file; see markdown.go for the shortest that is made for
// people, csv.go for one that is not.
package render
