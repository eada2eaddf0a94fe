package render

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/chart"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// pictureConfidence is that of whiskers, where there are enough forks for it.
const pictureConfidence = 0.999

// pictureUnits are the units that a picture of results shows besides the main one, if they are not 0 throughout.
var pictureUnits = []string{
	"usedHeap_settled-B", "usedHeap_p50-B", "usedMem_settled-B", "usedMem_max-B", "totalMem_settled-B", "totalMem_max-B", "VmRSS-B", "VmHWM-B", "B/op",
}

// maxLabel is the most characters of a label.
const maxLabel = 44

var errNoPicture = errors.New("svg: there are no figures to draw")

// writeSVG writes a picture: bars with whiskers, a chart for each unit, or the ratios of a comparison.
func writeSVG(b *bytes.Buffer, s *result.Result) error {
	p := newView(s, Options{UTF8: true, Width: htmlWidth})
	var sheet chart.Sheet
	for i := range p.versus {
		sheet.Charts = append(sheet.Charts, p.ratioCharts(&p.versus[i], threshold(s))...)
	}
	if len(p.versus) == 0 {
		sheet.Charts = p.barCharts(s)
	}
	if len(sheet.Charts) == 0 {
		return errNoPicture
	}
	return sheet.Write(b)
}

// barCharts returns the charts of the main units, and of the other units that are worth one.
func (p *view) barCharts(s *result.Result) []chart.Chart {
	main, families := p.mainUnits(), p.families()
	level := confidence(s)
	if p.eachRow(func(r *row) bool { return r.res.Forks >= stat.MinSamples(pictureConfidence) }) && len(main) > 0 {
		level = pictureConfidence
	}
	var out []chart.Chart
	for _, unit := range slices.Concat(main, pictureUnits) {
		for _, x := range panels(families, unit) {
			out = append(out, x.bars(p, level))
		}
	}
	return out
}

// pictureTitle returns what a unit means, for the title of a chart.
func pictureTitle(unit string) string {
	switch {
	case unit == "ns/op":
		return "Time per operation"
	case unit == "B/op":
		return "Allocated per operation"
	case unit == "allocs/op":
		return "Allocations per operation"
	}
	first, rest := utf8.DecodeRuneInString(unitName(unit))
	return string(unicode.ToUpper(first)) + unitName(unit)[rest:]
}

// axisUnit returns the unit of an axis for values of a unit, and what they are multiplied by. plain: it takes no prefix.
func axisUnit(unit string) (name string, factor float64, plain bool) {
	switch {
	case unit == "ns/op":
		return "s", 1e-9, false
	case unit == "B/op", strings.HasSuffix(unit, "-B"):
		return "B", 1, false
	case record.IsRate(unit):
		return unit, 1, false
	}
	return unit, 1, true
}

// valuesOf returns those of the forks of a benchmark, in a unit; nil if it does not have it.
func valuesOf(r *result.Benchmark, unit string) []float64 {
	from := r.Values
	if unit != r.Unit {
		from = nil
		for _, m := range r.Metrics {
			if m.Unit == unit {
				from = m.Values
			}
		}
	}
	return result.Reported(from)
}

// ratioCharts returns a chart of the main units, and one of each other unit that differs.
func (p *view) ratioCharts(v *versus, threshold float64) []chart.Chart {
	byUnit := map[string]*chart.Ratios{}
	var order []string
	add := func(name string, r *ratio) {
		if r.c == nil || !(r.c.Ratio > 0) {
			return
		}
		c := byUnit[r.c.Unit]
		if c == nil {
			c = &chart.Ratios{Title: pictureTitle(r.c.Unit), Subtitle: p.Middle(v.side, maxSide) + " over " + p.Middle(v.base, maxSide) + ": ratio and " + p.level + " interval; shaded: changes that do not matter", Band: threshold}
			byUnit[r.c.Unit] = c
			order = append(order, r.c.Unit)
		}
		x := chart.Ratio{Label: p.Middle(name, maxLabel), Value: float64(r.c.Ratio), Lo: float64(r.c.Lo), Hi: float64(r.c.Hi), Words: r.ratio, Muted: !r.c.Trusted || r.c.Verdict == undecided}
		if r.lo != "" {
			x.Words += " (" + r.lo + units.Dots + r.hi + ")"
		} else {
			x.Lo, x.Hi = 1, 0
		}
		x.Words += " " + r.word
		c.Ratios = append(c.Ratios, x)
	}
	for _, b := range v.blocks {
		for i := range b.pairs {
			if x := &b.pairs[i]; x.main != nil {
				add(x.name, x.main)
			}
		}
	}
	for _, b := range v.blocks {
		for i := range b.pairs {
			for k := range b.pairs[i].under {
				add(b.pairs[i].name, &b.pairs[i].under[k])
			}
		}
	}
	var out []chart.Chart
	for _, unit := range order {
		out = append(out, *byUnit[unit])
	}
	return out
}
