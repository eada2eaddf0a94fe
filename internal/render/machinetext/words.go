package machinetext

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/render/page"
	"github.com/tarebench/tare/internal/render/table"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/machines"
	"github.com/tarebench/tare/internal/termtext"
	"github.com/tarebench/tare/internal/units"
	"github.com/tarebench/tare/stat"
)

// name returns the name of a row with its unit, if that is not the main one.
func (v *view) name(row *machines.Row) string {
	c := &row.Combined
	out := v.Name(c.Name)
	if v.severalProcs(c) {
		out += "-" + procs(row)
	}
	if c.Role != "" {
		out += " " + v.Name(c.Role)
	}
	if !c.Main {
		out += " " + v.Name(c.Unit)
	}
	return out
}

// severalProcs reports whether a benchmark ran with several values of GOMAXPROCS.
func (v *view) severalProcs(c *result.Comparison) bool {
	n := 0
	for i := range v.r.Rows {
		if x := &v.r.Rows[i].Combined; x.Pkg == c.Pkg && x.Name == c.Name && x.Role == c.Role && x.Unit == c.Unit && x.Side == c.Side {
			n++
		}
	}
	return n > 1
}

func procs(row *machines.Row) string {
	var out []string
	for _, on := range row.Machines {
		if n := strconv.Itoa(on.Procs); !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return strings.Join(out, "/")
}

// tally counts the verdicts on main units.
func (v *view) tally() string {
	n := map[string]int{}
	for i := range v.r.Rows {
		if c := &v.r.Rows[i].Combined; c.Main {
			n[word(c)]++
		}
	}
	var out []string
	for _, s := range []string{"faster", "slower", "equivalent", "inconclusive", "more", "less", "same", "identical"} {
		for _, mark := range []string{"", distrusted} {
			if k := n[s+mark]; k > 0 {
				out = append(out, fmt.Sprint(k, " ", s, mark))
			}
		}
	}
	return strings.Join(out, page.Sep)
}

// distrusted follows a verdict that is not trusted.
const distrusted = " (?)"

// word returns a verdict as texts have it.
func word(c *result.Comparison) string {
	out := c.Verdict
	if out == string(stat.Undecided) {
		out = "inconclusive"
	}
	if !c.Trusted {
		out += distrusted
	}
	return out
}

// differences says of which benchmarks the change is not the same everywhere.
func (v *view) differences() []string { return v.said(machines.CodeDiffer) }

// missing says which benchmarks are not on all machines.
func (v *view) missing() []string { return v.said(machines.CodeMissing) }

// said returns the texts of warnings of a code, each with its row.
func (v *view) said(code string) (out []string) {
	for i := range v.r.Rows {
		if !v.shown(&v.r.Rows[i]) {
			continue
		}
		for _, w := range v.r.Rows[i].Combined.Warnings {
			if w.Code == code {
				out = append(out, v.name(&v.r.Rows[i])+": "+v.Name(w.Text))
			}
		}
	}
	return out
}

// intervalCell returns an interval, or why there is none.
func intervalCell(lo, hi result.Number) table.Cell {
	switch {
	case lo == hi:
		return table.Cell{Text: "exact", Free: true}
	case !(lo > 0) || math.IsInf(float64(hi), 0):
		return table.Cell{Text: "no interval", Free: true, Style: termtext.Yellow}
	}
	return table.Cell{Text: ratio(lo), Tail: ratio(hi)}
}

// ratio writes a ratio to three decimals where it is near 1, else to three digits.
func ratio(x result.Number) string {
	f := float64(x)
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return units.None
	case f >= 0.1 && f < 10:
		return strconv.FormatFloat(f, 'f', 3, 64)
	case f >= 10 && f < 1000:
		return strconv.FormatFloat(f, 'f', 1, 64)
	}
	return strconv.FormatFloat(f, 'g', 3, 64)
}
