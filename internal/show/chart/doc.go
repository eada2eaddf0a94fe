// Package chart draws figures as SVG: bars with whiskers, lines, distributions
// over the logarithm of 1/(1-p), and rows of boxes side by side.
//
//	err := chart.Bars{
//		Title: "Live heap per entry",
//		Unit:  "B",
//		Bars:  []chart.Bar{{Label: "lru", Value: 118, Lo: 117, Hi: 119}},
//	}.Write(w)
//
//	err := chart.Lines{
//		Title: "Latency over throughput",
//		X:     chart.Axis{Name: "achieved", Unit: "op/s"},
//		Y:     chart.Axis{Name: "p99 response", Unit: "s", Log: true},
//		Lines: []chart.Line{{Label: "bolt", Points: points, Marks: true}},
//	}.Write(w)
//
//	err := chart.Percentiles{
//		Title:  "Latency",
//		Y:      chart.Axis{Unit: "s", Log: true},
//		Few:    10,
//		Curves: []chart.Curve{{Label: "READ", Steps: steps}},
//	}.Write(w)
//
// The same figures give the same bytes. A chart is one file without scripts, links
// or fonts of its own; it follows the reader's preference for light or dark, on the
// pages that show it as an image too, and reads well where that is not known. Text
// is escaped, so labels may come from anywhere. What a chart shows is also said in
// words, in its description.
//
// Values are in units without a prefix, such as seconds; axes choose one.
//
// A chart draws what it is given and computes no statistics. A new kind is a file
// beside bars.go, lines.go and percentiles.go: it lays out its marks on a canvas,
// with scales of axis.go and logaxis.go, within the axes of plot.go. Flame graphs,
// whose elements have a script, are drawn by their own package as a [Drawing].
package chart
