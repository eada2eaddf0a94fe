// Package render shows what a [result.Result] says: as text for a terminal, as
// GitHub-flavoured Markdown (md), and for programs as JSON, CSV, Go's benchmark
// format, which benchstat reads, and the JSON of JMH (jmh), which has viewers.
//
//	r, err := result.Read(file, "old.jsonl")
//	...
//	f, err := render.ParseFormat("text")
//	...
//	err = render.Write(os.Stdout, f, r, render.Options{Width: 100, UTF8: true})
//
// Write renders every kind of record. What is large has a package beside this one: export for formats of other programs,
// chart for SVG, and subjects/NAME for load runs, machine code, counted calls, call stacks and histograms. Texts share
// package textpage, pages package webpage, and numbers package units.
//
// Rendering never measures and computes no statistics: it scales, rounds and lays
// out. The same Result gives the same bytes.
//
// Figures for people carry the digits that their interval supports: two
// significant digits of its half-width, two to five digits of the value. Figures
// for programs are never rounded. Names and messages come from benchmarks and are
// not trusted: what is not printable is shown escaped, and what means something
// to a format is quoted in that format's way.
//
// A Result of several sides is shown as what differs between them: both values in
// one unit, their ratio with its interval, and the verdict. A verdict that is not
// trusted bears the mark (?); the reasons are in the notes. Markdown collapses rows that
// did not change, so that it fits a pull request.
//
// Benchmarks that ran at several sizes have the curve by which each grows, with the
// interval of its coefficient, its misfit, and how often another sample of forks
// would choose it. Of sides that are compared, only those that grow by different
// curves are shown; with Verbose all.
//
// A load run also has the formats of YCSB, [YCSB] and [YCSBJSON], in which a series
// such as READ is service time and Intended-READ response time. Formats of samples,
// benchfmt and jmh, are refused: a load run is one sample.
//
// A new format is one new file: see markdown.go for a short one made for people,
// export/csv.go for one made for programs.
package render
