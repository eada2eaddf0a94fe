package render

import (
	"math"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/stat"
)

// complexityCases are summaries with curves.
func complexityCases() []testCase {
	return []testCase{
		{"complexity", growing(), append(allViews()[:3:3], ascii(), verbose(), look{"color.txt", Text, Options{UTF8: true, Color: true}},
			text60(), verboseMarkdown())},
		{"complexity-sides", growingSides(), []look{text100(), asMarkdown(), verbose(), text60()}},
		{"complexity-hostile", growingHostile(), []look{text100(), asMarkdown(), ascii(), text60()}},
	}
}

// curveOf is a complexity of the main unit over these sizes.
func curveOf(pkg, name, curve string, coefficient, lo, hi float64, sizes ...string) result.Complexity {
	c := result.Complexity{Pkg: pkg, Name: name, Procs: 2, Param: "n", Unit: "ns/op", Main: true, Curve: curve}
	c.CurveFit = &result.CurveFit{
		Coefficient: result.Number(coefficient), Lo: result.Number(lo), Hi: result.Number(hi), Confidence: 0.95,
		RMS: 0.031, Resamples: 1000, Share: 0.98, Rival: "n", RivalShare: 0.02,
	}
	for i, s := range sizes {
		c.Points = append(c.Points, result.SizePoint{N: math.Pow10(i + 1), Value: s, Median: result.Number(coefficient)})
	}
	return c
}

// without returns a complexity for which no curve is reported.
func without(c result.Complexity, why string) result.Complexity {
	c.Curve, c.Why = "", why
	if why != string(stat.NoCurve) {
		c.CurveFit = nil
		return c
	}
	fit := *c.CurveFit
	fit.Nearest, fit.RMS = "n^2", 3.14
	c.CurveFit = &fit
	return c
}

func with(c result.Complexity, change func(*result.Complexity)) result.Complexity {
	fit := *c.CurveFit
	c.CurveFit = &fit
	change(&c)
	return c
}

func growing() *result.Result {
	s := twoPackages()
	const sorts, tables = "example.org/m/sorts", "example.org/m/tables"
	six := []string{"10", "100", "1k", "1e4", "100k", "1e6"}
	sorted := curveOf(sorts, "SortInts/n=*", "n log n", 2.4113, 2.3852, 2.4521, six...)
	bytes := with(curveOf(sorts, "SortInts/n=*", "n", 8.0012, 8, 8.1, six...), func(c *result.Complexity) {
		c.Unit, c.Main, c.Fixed, c.Share, c.Rival, c.RivalShare = "B/op", false, 24, 1, "", 0
	})
	search := with(curveOf(sorts, "Search/n=*/kind=binary", "log n", 3.71, 3.5, 3.92, six...), func(c *result.Complexity) {
		c.Fixed, c.RMS, c.Share, c.Rival, c.RivalShare = 12.3, 0.12, 0.61, "1", 0.39
	})
	bubble := with(curveOf(sorts, "Bubble/n=*", "n^2", 0.000412, 0.0004, 0.00043, six[:4]...), func(c *result.Complexity) { c.RMS, c.Rough = 0.31, true })
	get := with(curveOf(tables, "Get/size=*", "1", 41.234, 40.9, 41.8, "1KiB", "64KiB", "1MiB", "64MiB"), func(c *result.Complexity) { c.Param = "size" })
	put := with(get, func(c *result.Complexity) {
		c.Name, c.Curve, c.Fixed, c.Coefficient, c.Lo, c.Hi, c.Share, c.Rival = "Put/Size=*", "n^3", 1234567, 2.1e7, 1.9e7, 2.6e7, 0.7, ""
		c.Param = "Size"
	})
	once := with(get, func(c *result.Complexity) { c.Name, c.Resamples, c.Confidence = "Once/size=*", 0, 0 })
	s.Complexity = []result.Complexity{
		sorted, bytes, get, search, without(with(sorted, func(c *result.Complexity) { c.Name = "Odd/n=*" }), string(stat.NoCurve)), bubble, put, once,
		without(curveOf(sorts, "Three/n=*", "", 1, 1, 1, six[:3]...), string(stat.FewSizes)),
		without(curveOf(sorts, "Two/n=*", "", 1, 1, 1, six[:2]...), string(stat.FewSizes)),
		without(curveOf(sorts, "Close/n=*", "", 1, 1, 1, "100", "200", "300", "400"), string(stat.NarrowSizes)),
		without(curveOf(sorts, "Nothing/n=*", "", 1, 1, 1, six...), string(stat.NotPositive)),
	}
	producer := curveOf(sorts, "Queue/n=*", "n", 1.5e6, 1.4e6, 1.6e6, six...)
	producer.Role, producer.Procs = "producer", 4
	consumer := producer
	consumer.Procs = 2
	s.Complexity = append(s.Complexity, producer, consumer)
	return s
}

// growingSides are a side that made things worse, and one row that stayed.
func growingSides() *result.Result {
	s := compared()
	sizes := []string{"10", "100", "1000", "10000"}
	for _, side := range []string{"old", "new"} {
		a := curveOf("example.org/m/codec", "Dedup/n=*", map[string]string{"old": "n", "new": "n^2"}[side], 2.1, 2, 2.2, sizes...)
		b := curveOf("example.org/m/codec", "Copy/n=*", "n", 0.31, 0.3, 0.32, sizes...)
		a.Side, b.Side = side, side
		s.Complexity = append(s.Complexity, a, b)
	}
	return s
}

func growingHostile() *result.Result {
	s := hostile()
	for _, r := range s.Results {
		c := curveOf(r.Pkg, r.Name+"/n=*", "n log n", 2, 1, 3, "1|0", "<b>`x`\x1b[31m", "", "größe")
		c.Unit, c.Role, c.Side, c.Param = "strange unit|", r.Role, "a|\nside", "N"
		s.Complexity = append(s.Complexity, c, without(c, "who knows|\x07"))
	}
	return s
}

// What is not wanted is not there: two sizes, other units, and sides alike.
func TestComplexityRows(t *testing.T) {
	for _, c := range []struct {
		s        *result.Result
		all      bool
		rows     int
		with, no string
	}{
		{growing(), false, 12, "too few sizes to tell a curve: 3, it takes 4", "Two/n"},
		{growing(), true, 14, "nts/n=* B/op", "†"},
		{growingSides(), false, 2, "Dedup/n=*", "Copy/n"},
		{growingSides(), true, 4, "Copy/n=*", "†"},
		{twoPackages(), true, 0, "SortInt1K", "complexity"},
	} {
		rows := 0
		for _, b := range newView(c.s, Options{UTF8: true, Verbose: c.all}).complexity(c.s, c.all).table.Blocks {
			rows += len(b.Lines)
		}
		text := write(t, Text, c.s, Options{UTF8: true, Verbose: c.all})
		if rows != c.rows || !strings.Contains(text, c.with) || strings.Contains(text, c.no) {
			t.Errorf("%d rows, want %d, with %q and no %q:\n%s", rows, c.rows, c.with, c.no, text)
		}
	}
}

// No curve was near enough to say by how much it misses.
func TestComplexityBare(t *testing.T) {
	s := twoPackages()
	s.Complexity = []result.Complexity{
		{Main: true, Points: []result.SizePoint{{N: 1}, {N: 2}, {N: 3}}, CurveFit: &result.CurveFit{RMS: result.Number(math.NaN())}, Why: string(stat.NoCurve)},
	}
	for _, f := range []Format{Text, Markdown} {
		if text := write(t, f, s, Options{Verbose: true}); !strings.Contains(text, "complexity over") {
			t.Errorf("%s:\n%s", f, text)
		}
	}
}
