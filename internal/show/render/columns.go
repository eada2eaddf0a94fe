package render

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/table"
)

// columnUnits returns the units every reader of Go benchmarks searches for in columns.
func columnUnits(results []result.Benchmark) []string {
	var out []string
	for _, u := range []string{"B/op", "allocs/op", "MB/s"} {
		has := func(r result.Benchmark) bool {
			return slices.ContainsFunc(r.Metrics, func(m result.Metric) bool { return m.Unit == u })
		}
		if slices.ContainsFunc(results, has) {
			out = append(out, u)
		}
	}
	return out
}

// columnKind returns how a unit's column is lined up. Bytes are whole numbers, or
// have units of their own.
func columnKind(unit string) table.Kind {
	if unit == "B/op" {
		return table.Right
	}
	return table.Figures
}

// under returns the figures that take rows of their own below r. Those in
// columns are repeated there if they are uncertain, because a column has no room
// for the interval; MB/s is not, as its interval is that of ns/op. What the
// benchmark reports comes first, then what profilers do, in an order of theirs.
func (p *view) under(r *row, columns bool) []figure {
	var out []figure
	order := make([]int, len(r.res.Metrics))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(unitRank(r.res.Metrics[a].Unit), unitRank(r.res.Metrics[b].Unit))
	})
	for _, i := range order {
		m := r.res.Metrics[i]
		if strings.HasPrefix(m.Unit, "gc-") && m.Median == 0 && (m.Lo == 0 || math.IsInf(float64(m.Lo), -1)) && !(m.Hi > 0 && !math.IsInf(float64(m.Hi), 1)) {
			continue // nothing was collected: nothing to tell
		}
		if (isDetail(m.Unit) || isTabled(m.Unit)) && !p.Verbose {
			continue
		}
		inColumn := columns && slices.Contains(p.columns, m.Unit)
		half := float64(m.Hi-m.Lo) / 2
		certain := m.Unit == "MB/s" || math.IsInf(half, 0) || !(half >= 0.01*math.Abs(float64(m.Median)) && half > 0)
		if !inColumn || !certain {
			out = append(out, r.metrics[i])
		}
	}
	return out
}

// column writes the figure of a unit that has a column of its own, or nothing.
func (p *view) column(r *result.Benchmark, unit string) string {
	for _, m := range r.Metrics {
		if m.Unit == unit {
			return p.inColumn(unit, m.Interval)
		}
	}
	return ""
}

// inColumn writes a figure for a column that bears its unit: bytes in KiB and
// more where they are many, allocations with two decimals because they are means,
// MB/s as they are.
func (p *view) inColumn(unit string, iv result.Interval) string {
	v, lo, hi := float64(iv.Median), float64(iv.Lo), float64(iv.Hi)
	switch unit {
	case "allocs/op":
		r := units.Rounding{}
		if v != 0 && math.Abs(v) < 99.995 {
			r.Places = 2
		}
		return r.Text(v)
	case "B/op":
		s := units.ScaleOf(unit, v)
		r := units.Round(v/s.Div, lo/s.Div, hi/s.Div, s.Div != 1)
		if s.Div != 1 {
			return r.Text(v/s.Div) + " " + s.Each()
		}
		if v == math.Trunc(v) {
			r.Places = min(r.Places, 0)
		}
		return r.Text(v)
	}
	return units.Round(v, lo, hi, false).Text(v)
}
