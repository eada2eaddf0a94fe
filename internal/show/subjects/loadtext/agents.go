package loadtext

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/markdown"
	"github.com/tarebench/tare/internal/show/table"
	"github.com/tarebench/tare/internal/show/textpage"
	"github.com/tarebench/tare/record"
)

// agents prints the load generators of a phase; nothing in a run of one.
func (t *view) agents(a *result.Agents) {
	if a == nil {
		return
	}
	t.Blank()
	t.Table(AgentTable(a, t.Charset).Fit(t.Charset, t.Columns, textpage.LeastName))
	t.Items(styleOfAgents(a), AgentSummary(a)...)
	t.Blank()
}

func (t *view) mdAgents(b *bytes.Buffer, a *result.Agents) {
	if a == nil {
		return
	}
	markdown.Tables(b, AgentTable(a, t.Charset), "agents")
	markdown.Items(b, "", AgentSummary(a))
}

func styleOfAgents(a *result.Agents) termtext.Style {
	if a.Missing > 0 || a.Fewer > 0 {
		return termtext.Yellow
	}
	return termtext.Normal
}

// AgentTable returns a table of load generators.
func AgentTable(a *result.Agents, cs termtext.Charset) *table.Table {
	const widest = 24
	tb := &table.Table{Columns: []table.Column{
		{Title: "agents", Max: widest}, {Title: "share", Kind: table.Right}, {Title: "target", Kind: table.Right, Drop: 2, Quiet: true}, {Title: "achieved", Kind: table.Right},
		{Title: "p50", Kind: table.Right, Drop: 3, Quiet: true}, {Title: "p99", Kind: table.Right}, {Title: "p99.9", Kind: table.Right, Drop: 4, Quiet: true},
		{Title: "late p99", Kind: table.Right}, {Title: "cores", Kind: table.Right, Drop: 5}, {Title: "clock", Kind: table.Right, Drop: 1, Quiet: true}, {},
	}}
	for i := range a.Agents {
		tb.Add(agentLine(&a.Agents[i], cs))
	}
	return tb
}

func agentLine(x *result.Agent, cs termtext.Charset) table.Line {
	rate := func(r float64) table.Cell { return table.Cell{Text: strings.TrimSuffix(units.Rate(r), "/s")} }
	target := rate(x.TargetRate)
	if x.TargetRate == 0 {
		target.Text = "all it can"
	}
	main := mainTimes(x)
	late := timeOf(x.Lateness, 99)
	cores := table.Cell{Text: fmt.Sprintf("%.2g/%d", x.CoresUsed, x.Cores)}
	if x.Suspect != "" {
		late.Style, cores.Style = termtext.Yellow, termtext.Yellow
	}
	state := table.Cell{Text: agentState(x)}
	if x.State != record.AgentDone {
		state.Style = termtext.Red
	}
	return table.Line{Cells: []table.Cell{
		{Text: "  " + cs.Text(x.Name)}, {Text: units.Percent(x.Share)}, target, rate(x.Achieved),
		timeOf(main, 50), timeOf(main, 99), timeOf(main, 99.9), late, cores, {Text: "± " + units.Span(float64(x.OffsetError))}, state,
	}}
}

// mainTimes returns the response times of an agent; in a closed loop, where there are none, its service times. It returns nil if
// the agent has neither.
func mainTimes(x *result.Agent) *record.AgentTimes {
	if x.Response != nil {
		return x.Response
	}
	return x.Service
}

// timeOf returns a percentile.
func timeOf(t *record.AgentTimes, percent float64) table.Cell {
	if t == nil {
		return table.Cell{Text: units.None}
	}
	return table.Cell{Text: units.Time(percentileOf(t, percent))}
}

// percentileOf returns one of the percentiles 50, 99 and 99.9 in ns; 0 if nothing was measured.
func percentileOf(t *record.AgentTimes, percent float64) int64 {
	switch {
	case t == nil:
		return 0
	case percent == 50:
		return t.P50
	case percent == 99:
		return t.P99
	}
	return t.P999
}

// AgentFigures returns the numbers behind the figures of a line of [AgentTable], between the name and the state.
func AgentFigures(x *result.Agent) []float64 {
	main := mainTimes(x)
	out := []float64{x.Share, x.TargetRate, x.Achieved}
	for _, ns := range []int64{percentileOf(main, 50), percentileOf(main, 99), percentileOf(main, 99.9), percentileOf(x.Lateness, 99)} {
		out = append(out, float64(ns))
	}
	return append(out, x.CoresUsed, float64(x.OffsetError))
}

// agentState returns what became of an agent.
func agentState(x *result.Agent) string {
	text := x.State
	if x.Ended > 0 {
		text += " at " + units.Span(float64(x.Ended))
	}
	return text
}

// AgentSummary returns how far the clocks, starts and intervals of load generators agree, one item each.
func AgentSummary(a *result.Agents) []string {
	items := []string{"clocks known to ± " + units.Span(float64(a.ClockError)), "all started within " + units.Span(float64(a.StartSpread))}
	late := 0
	for i := range a.Agents {
		late += a.Agents[i].Late
	}
	switch {
	case a.Missing > 0:
		items = append(items, units.Plural(a.Missing, "interval")+" never came")
	case a.Fewer == 0:
		items = append(items, "every interval of every agent arrived")
	}
	if a.Fewer > 0 {
		items = append(items, fmt.Sprintf("%s of %s without some agent", units.Count(a.Fewer), units.Plural(a.Intervals, "interval")))
	}
	if late > 0 {
		items = append(items, units.Count(late)+" came late")
	}
	return items
}
