package render

import (
	"encoding/csv"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/textpage"
	"github.com/tarebench/tare/record"
)

func TestSide(t *testing.T) {
	const commit = "1c9e2ab6c1d1be0e4f5c7a0a3b9d2e8f7a6b5c4d"
	run := &record.Run{Dir: "/home/me/m", Command: []string{"tare"}}
	for _, c := range []struct {
		in   record.Side
		want string
	}{
		{record.Side{Name: "old", Revision: commit}, "old = 1c9e2ab"},
		{record.Side{Name: "main", Revision: "main"}, "main"},
		{record.Side{Name: "new"}, "new = working tree"},
		{record.Side{Name: "new", Dirty: true}, "new = working tree (dirty)"},
		{record.Side{Name: "new", Dir: "/home/me/m", Revision: commit, Dirty: true}, "new = working tree (1c9e2ab, dirty)"},
		{record.Side{Name: "b", Dir: "/home/me/m/fast"}, "b = fast"},
		{record.Side{Name: "b", Dir: "/home/me/n"}, "b = ../n"},
		{record.Side{Name: "b", Dir: "/srv/m"}, "b = /srv/m"},
		{record.Side{Name: "b", Dir: "/home/me/m", Toolchain: "go1.27", Flags: []string{"-pgo=x"}, Setenv: []string{"A=b"}}, "b = working tree (go1.27, -pgo=x, A=b)"},
	} {
		if got := side(&result.Result{Run: run}, c.in); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
	files := &record.Run{Sides: make([]record.Side, 2)}
	if got := side(&result.Result{Run: files}, record.Side{Name: "old"}); got != "old" {
		t.Errorf("of a file: %s", got)
	}
}

func TestRatio(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		x, lo, hi float64
		change    bool
		want      string
	}{
		{0.955, 0.941, 0.968, true, "0.955 0.941 0.968"},
		{1.0031, 0.994, 1.0085, false, "1.003 0.994 1.008"},
		{1.0003, 0.9998, 1.0007, false, "1.000 1.000 1.001"},
		{1.0003, 1.0001, 1.0007, true, "1.0003 1.0001 1.0007"},
		{0.9999, 0.99985, 0.99995, true, "0.99990 0.99985 0.99995"},
		{1.00001, 1.00001, 1.00001, true, "1.00001 1.00001 1.00001"},
		{1.4, 0.61, 3.2, false, "1.40 0.61 3.20"},
		{12.34, 11.1, 14.2, true, "12.3 11.1 14.2"},
		{1234.5, 1200, 1270, true, "1234 1200 1270"},
		{0.001234, 0.0012, 0.00127, true, "0.00123 0.00120 0.00127"},
		{1.25e6, 1.2e6, 1.3e6, true, "1.25e+06 1.20e+06 1.30e+06"},
		{1.03, 0, inf, false, "1.03 0.00 inf"},
		{0, 0, 0, true, "0.000 0.000 0.000"},
		{inf, inf, inf, true, "inf inf inf"},
		{nan, nan, nan, false, "– – –"},
	} {
		r := ratioRounding(c.x, c.lo, c.hi, c.change)
		if got := multiple(c.x, r) + " " + multiple(c.lo, r) + " " + multiple(c.hi, r); got != c.want {
			t.Errorf("%v (%v … %v): %s, want %s", c.x, c.lo, c.hi, got, c.want)
		}
	}
}

func TestValues(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		unit             string
		old, new, lo, hi float64
		want             string
	}{
		{"ns/op", 6820, 6510, 0.941, 0.968, "6.820 6.510 µs"},
		{"ns/op", 998.3, 1007.2, 1.004, 1.012, "998.3 1007.2 ns"},
		{"ns/op", 1.21, 1.5e6, 1.2e6, 1.3e6, "1.210 1 500 000 ns"},
		{"ns/op", 1.21, 1.5e9, 1.2e9, 1.3e9, "1.21e-09 1.500 s"},
		{"ns/op", 0, 6500, inf, inf, "0 6.5 µs"},
		{"B/op", 1024, 1152, 1.125, 1.125, "1024 1152 B/op"},
		{"B/op", 0, 20 << 10, inf, inf, "0 20 KiB/op"},
		{"op/s", 7.04e7, 7.81e7, 1.07, 1.15, "70.4 78.1 M op/s"},
		{"instructions/op", 4_812_345, 4_812_346, 4_812_346.0 / 4_812_345, 4_812_346.0 / 4_812_345, "4.81234 4.81235 M instructions/op"},
	} {
		v := slower
		if c.lo == c.hi {
			v = more
		}
		x := against("X", c.unit, c.old, c.new, c.lo, c.hi, v)
		p := &view{Page: textpage.New(Options{UTF8: true})}
		r := p.ratio(&x, 0.03)
		if got := r.old + " " + r.new + " " + r.long; got != c.want {
			t.Errorf("%v and %v %s: %s, want %s", c.old, c.new, c.unit, got, c.want)
		}
	}
}

func TestRoughly(t *testing.T) {
	for n, want := range map[int]int{1: 1, 20: 20, 21: 25, 28: 30, 96: 100, 100: 100, 101: 110, 999: 1000, 4301: 4400, 123_456: 130_000} {
		if got := roughly(n); got != want {
			t.Errorf("%d: %d, want %d", n, got, want)
		}
	}
}

// TestFolded: a pull request sees what changed, and little else.
func TestFolded(t *testing.T) {
	md := write(t, Markdown, manySides(), Options{})
	open, rest, ok := strings.Cut(md, "<details>")
	folded, below, ok2 := strings.Cut(rest, "</details>")
	if !ok || !ok2 {
		t.Fatal(md)
	}
	if n := strings.Count(open+below, "\n"); n > 35 {
		t.Errorf("%d lines are not collapsed", n)
	}
	for _, v := range []string{faster, slower, undecided} {
		if strings.Contains(folded, v) {
			t.Errorf("%s is collapsed", v)
		}
	}
	if n := strings.Count(folded, "| equivalent |") + strings.Count(folded, "| identical  |"); n != 189 {
		t.Errorf("%d rows are collapsed", n)
	}
	if len(md) > 60_000 {
		t.Errorf("%d bytes: a comment on GitHub takes 65 536", len(md))
	}
}

// TestInstead: the results themselves are for those who ask.
func TestInstead(t *testing.T) {
	for _, f := range []Format{Text, Markdown} {
		if s := write(t, f, compared(), Options{}); strings.Contains(s, "forks in order") {
			t.Errorf("%s: results beside comparisons", f)
		}
		if s := write(t, f, compared(), Options{Verbose: true}); !strings.Contains(s, "forks in order") {
			t.Errorf("%s: no results with Verbose", f)
		}
	}
}

// TestWithoutRun: a summary need not have a run.
func TestWithoutRun(t *testing.T) {
	s := &result.Result{Comparisons: compared().Comparisons}
	for _, f := range []Format{Text, Markdown, CSV, JSON, Benchfmt} {
		if got := write(t, f, s, Options{Verbose: true}); f != Benchfmt && !strings.Contains(got, undecided) && !strings.Contains(got, "inconclusive") {
			t.Errorf("%s: %s", f, got)
		}
	}
}

func FuzzSides(f *testing.F) {
	for _, c := range hostileSides().Comparisons {
		f.Add(c.Pkg, c.Name, c.Unit, c.Role, c.Side, 100.0, 103.0, 0.98, 1.09)
	}
	f.Add("p", "\x80\n", "ns/op", "|", "", 1.0, 1e-300, 0.0, 1e300)
	f.Fuzz(func(t *testing.T, pkg, name, unit, role, side string, old, new, lo, hi float64) {
		if len(pkg)+len(name)+len(unit)+len(role)+len(side) > 10_000 {
			return
		}
		s := compared()
		s.Run.Sides[1].Name = side
		for i := range s.Comparisons {
			c := &s.Comparisons[i]
			c.Pkg, c.Name, c.Role, c.Side = pkg, name+c.Name, role, side
			if c.Unit == "B/op" {
				c.Unit = unit
			}
			if i%3 == 1 || i == 0 {
				c.Old, c.New, c.Ratio, c.Lo, c.Hi = result.Number(old), result.Number(new), result.Number(new/old), result.Number(lo), result.Number(hi)
			}
		}
		for i := range s.Geomeans {
			s.Geomeans[i].Side = side
		}
		for _, o := range []Options{{UTF8: true, Verbose: true}, {}, {UTF8: true, Width: 60}} {
			checkText(t, "text", write(t, Text, s, o), o)
		}
		if md := write(t, Markdown, s, Options{Verbose: true}); !utf8.ValidString(md) {
			t.Errorf("md is not UTF-8: %q", md)
		}
		if _, err := csv.NewReader(strings.NewReader(write(t, CSV, s, Options{}))).ReadAll(); err != nil {
			t.Error(err)
		}
	})
}
