package main

import (
	"fmt"
	"math"
	"runtime"
	"strings"

	"github.com/tarebench/tare/stat"
)

// confidence is that of the interval of a ratio.
const confidence = 0.95

// table returns the results as a table in Markdown: medians over rounds, and the ratio of each round's CPU times.
func (c *config) table(all []generator, results map[string][]result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "GET of 256 bytes over HTTP/1.1, %.0f/s for %v, %d rounds in random order, seed %d; %s, %s/%s, %d CPUs.\n\n",
		c.rate, c.duration, c.rounds, c.seed, runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	b.WriteString("| | CPU of the generator, µs/request | to vegeta | 95 % interval | achieved, /s | late, median µs | late, p99 µs | failed |\n")
	b.WriteString("|---|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, g := range all {
		rs := results[g.name]
		failed := int64(0)
		for _, r := range rs {
			failed += r.Failed
		}
		fmt.Fprintf(&b, "| %s | %.1f | %s | %.0f | %.0f | %.0f | %d |\n", g.name, median(rs, func(r result) float64 { return r.CPU }), ratio(rs, results[reference]),
			median(rs, func(r result) float64 { return r.Rate }), median(rs, func(r result) float64 { return r.Late50 }),
			median(rs, func(r result) float64 { return r.Late99 }), failed)
	}
	return b.String()
}

// ratio returns two cells: the median over rounds of the CPU time divided by that of the reference, and its interval.
func ratio(rs, to []result) string {
	var xs []float64
	for i, r := range rs {
		xs = append(xs, r.CPU/to[i].CPU)
	}
	m := stat.MedianInterval(xs, confidence)
	if math.IsInf(m.Lo, 0) || math.IsInf(m.Hi, 0) {
		return fmt.Sprintf("%.2f | too few rounds", m.Median)
	}
	return fmt.Sprintf("%.2f | %.2f to %.2f", m.Median, m.Lo, m.Hi)
}

func median(rs []result, of func(result) float64) float64 {
	var xs []float64
	for _, r := range rs {
		xs = append(xs, of(r))
	}
	return stat.MedianInterval(xs, confidence).Median
}
