package main

import (
	"fmt"
	"strings"

	"github.com/tarebench/tare/internal/show/chart"
	"github.com/tarebench/tare/suites/published"
)

// charts draws the throughput of each number of parties and the round trip, one
// chart for each distance at which there is something to show.
func (res *result) charts() []published.Chart {
	var out []published.Chart
	for _, d := range distances {
		for _, parties := range []string{"1to1", "2to1", "1to2", "2to2"} {
			rows := res.rowsOf("Throughput/", "capacity=1024", "elem=ptr", "parties="+parties)
			for _, r := range res.rowsOf("JCTools/", "parties="+parties) {
				if !strings.HasPrefix(r.params["how"], "ring-") {
					rows = append(rows, r)
				}
			}
			out = append(out, bars(fmt.Sprintf("throughput-%s-%s", parties, d), chart.Bars{
				Title:    "Throughput " + strings.Replace(parties, "to", "–", 1) + ", cores " + d.String(),
				Subtitle: "pointers, capacity 1024; median of forks and " + published.Percent(confidence) + " interval",
				Unit:     "elements/s",
			}, rows, d, rate, 1)...)
		}
		rows := append(res.rowsOf("RoundTrip/", "burst=1"), res.rowsOf("JCTools/", "how=ring-1")...)
		out = append(out, bars("roundtrip-"+d.String(), chart.Bars{
			Title:    "Round trip of one element, cores " + d.String(),
			Subtitle: "pointers, there and back through two queues; median of forks and " + published.Percent(confidence) + " interval",
			Unit:     "s",
		}, rows, d, trip, 1e9)...)
	}
	return out
}

// bars fills in the rows that have a figure at the distance; without any there is no
// chart.
func bars(name string, c chart.Bars, rows []*row, d distance, unit string, one float64) []published.Chart {
	for _, r := range rows {
		f := r.at(d, unit)
		if len(r.values[d][unit]) == 0 {
			continue
		}
		ours := r.params["how"] == "" && r.params["queue"] != "channel" && r.params["queue"] != "Workiva" && !strings.HasPrefix(r.params["queue"], "xsync.")
		c.Bars = append(c.Bars, chart.Bar{Label: r.way(), Value: f.Median / one, Lo: f.Lo / one, Hi: f.Hi / one, Muted: !ours})
	}
	if len(c.Bars) == 0 {
		return nil
	}
	c.Notes = append(c.Notes, "Grey: what is not tare's.")
	return []published.Chart{{Name: name, Bars: c}}
}
