// Package chart draws figures as SVG: bars with whiskers.
//
//	err := chart.Bars{
//		Title: "Live heap per entry",
//		Unit:  "B",
//		Bars:  []chart.Bar{{Label: "lru", Value: 118, Lo: 117, Hi: 119}},
//	}.Write(w)
//
// The same figures give the same bytes. A chart is one file without scripts, links
// or fonts of its own; it follows the reader's preference for light or dark, on the
// pages that show it as an image too, and reads well where that is not known. Text
// is escaped, so labels may come from anywhere.
//
// A chart draws what it is given and computes no statistics. A new kind is a file
// beside bars.go: it lays out its marks on a canvas, with scales of axis.go.
package chart
