package main

import (
	"fmt"

	"github.com/tarebench/tare/internal/show/chart"
	"github.com/tarebench/tare/suites/published"
)

// charts draws the metrics, caches in the order of their names: the order of the
// bars says nothing that their whiskers do not.
func (r *result) charts() []published.Chart {
	var out []published.Chart
	for _, m := range r.metrics() {
		draw := r.chart
		if r.sided() {
			draw = r.sidesChart
		}
		out = append(out, published.Chart{Name: m.name, Bars: draw(m)})
	}
	return out
}

// chartOf returns the chart of a metric without bars.
func (r *result) chartOf(m metric) chart.Bars {
	size := published.Count(float64(r.config.Entries)) + " entries"
	if r.budget != "" {
		size = r.budget + " of resident memory each"
	}
	return chart.Bars{
		Title: m.title, Unit: m.axis, Plain: m.axis == "%",
		Subtitle: fmt.Sprintf("read-through, Zipfian; %s, %s keys, %d workers; median of forks and %s interval",
			size, published.Count(float64(r.config.Keys)), r.config.Workers, published.Percent(confidence)),
	}
}

func (r *result) chart(m metric) chart.Bars {
	c := r.chartOf(m)
	for _, x := range r.rows {
		f := x.figure(m.unit)
		if x.kind.Floor {
			if m.unit == "op/s" { // would leave no room for the others
				c.Notes = append(c.Notes, fmt.Sprintf("Not drawn: %s, the floor of the harness, %s Mop/s.", x.kind.Name, digits.Full(f, 1e6)))
				continue
			}
			if m.unit == perEntryUnit {
				continue
			}
		}
		c.Bars = append(c.Bars, chart.Bar{Label: x.kind.Name, Value: f.Median, Lo: f.Lo, Hi: f.Hi, Muted: !isCache(x)})
	}
	if r.budget != "" {
		return c
	}
	switch m.unit {
	case "op/s":
		c.Notes = append(c.Notes, "map never evicts: it is no cache, and its hit rate is higher than any of theirs.")
	case perEntryUnit:
		c.Notes = append(c.Notes, "Key and value are 16 B of it. Read from the live heap after collections, with the cache still held.")
	case "VmHWM-B":
		c.Notes = append(c.Notes, "The whole process: runtime, harness, cache and garbage. none holds an array of all values.")
	}
	return c
}
