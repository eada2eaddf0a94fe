package loadtext

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/latencies"
	"github.com/tarebench/tare/internal/show/table"
	"github.com/tarebench/tare/internal/show/textpage"
	"github.com/tarebench/tare/record"
)

// steps prints a search or a sweep, and where the search ended.
func (t *view) steps() {
	if k := t.s.Knee; k != nil {
		t.Items(termtext.Normal, kneeWords(k)+".")
		t.Blank()
	}
	t.Table(t.stepTable().Fit(t.Charset, t.Columns, textpage.LeastName))
	t.Print(termtext.Dim, stepLegend(t.s.Steps))
	if few := fewInSteps(t.s.Steps); few != "" {
		t.Items(termtext.Yellow, few)
	}
	t.Blank()
	if t.Verbose {
		for i := range t.s.Steps {
			l := &t.s.Steps[i]
			t.Items(styleOf(l), l.Verdict)
			t.latencies(l.Latencies, true)
			if t.s.Load == nil || t.s.Load.Agents != l.Agents {
				t.agents(l.Agents)
			}
		}
	}
	t.errors(stepErrors(t.s))
	if t.s.Load != nil {
		t.agents(t.s.Load.Agents)
	}
	t.objectives(t.s.Objectives)
}

// stepTable returns a table with a row for each operation and step, in the order of the steps.
func (t *view) stepTable() *table.Table {
	tb := &table.Table{Columns: []table.Column{
		{}, {Title: "target", Kind: table.Right}, {Title: "achieved", Kind: table.Right},
		{Title: "p50", Gap: 3, Kind: table.Right}, {Title: "p99", Kind: table.Right},
		{Title: "p99.9", Kind: table.Right}, {Title: "max", Kind: table.Right},
		{Title: "service p99", Gap: 3, Kind: table.Right}, {Gap: 3},
	}}
	for _, name := range stepNames(t.s.Steps) {
		b := table.Block{Title: t.Name(name)}
		for i := range t.s.Steps {
			b.Lines = append(b.Lines, t.step(&t.s.Steps[i], name))
		}
		tb.Blocks = append(tb.Blocks, b)
	}
	return tb
}

// stepLegend returns which latencies stand in the columns without a kind.
func stepLegend(steps []result.Load) string {
	for i := range steps {
		if !steps[i].ClosedLoop {
			return "percentiles of the response time, from the due time, unless a column says otherwise"
		}
	}
	return "percentiles of the service time"
}

// fewInSteps returns the warning about percentiles of steps that rest on few values: the
// lowest of them, and how many steps have it.
func fewInSteps(steps []result.Load) string {
	for _, p := range [...]struct {
		title   string
		percent float64
	}{{"p50, p99 and p99.9", 50}, {"p99 and p99.9", 99}, {"p99.9", 99.9}} {
		n := 0
		for i := range steps {
			if slices.ContainsFunc(steps[i].Latencies, func(l result.Latency) bool {
				return (l.Kind == record.TagResponse || l.Kind == record.TagService) && l.Count > 0 && l.Beyond(p.percent) < latencies.FewBeyond
			}) {
				n++
			}
		}
		if n == 0 {
			continue
		}
		return fmt.Sprintf("%s have fewer than 10 samples beyond in %d of %s: not reproducible → longer steps have more", p.title, n, units.Plural(len(steps), "step"))
	}
	return ""
}

// stepNames returns the operations of all steps, in the order in which they appear.
func stepNames(steps []result.Load) []string {
	var names []string
	seen := map[string]bool{}
	for i := range steps {
		for _, l := range steps[i].Latencies {
			if !seen[l.Name] && l.Name != record.AnyKind {
				seen[l.Name] = true
				names = append(names, l.Name)
			}
		}
	}
	return names
}

// stepErrors returns the failures of all steps together.
func stepErrors(s *result.Result) []result.Failure {
	out := result.SumFailures(s.Steps)
	for i := range out {
		out[i].First = cmp.Or(out[i].First, s.FirstErrors[out[i].Class])
	}
	return out
}

// latencyOf returns one latency of a step, or nil.
func latencyOf(l *result.Load, name, kind string) *result.Latency {
	for i := range l.Latencies {
		if x := &l.Latencies[i]; x.Name == name && x.Kind == kind {
			return x
		}
	}
	return nil
}

func (t *view) step(l *result.Load, name string) table.Line {
	cells := []table.Cell{{}, {Text: strings.TrimSuffix(units.Rate(l.TargetRate), "/s")}, {Text: strings.TrimSuffix(units.Rate(l.Achieved), "/s")}}
	if l.ClosedLoop {
		cells[1].Text = "all it can"
	}
	r := latencyOf(l, name, record.TagResponse)
	service := latencyOf(l, name, record.TagService)
	if r == nil {
		r = service
	}
	if r == nil {
		cells = append(cells, table.Cell{Text: units.None}, table.Cell{Text: units.None}, table.Cell{Text: units.None}, table.Cell{Text: units.None})
	} else {
		for n, figure := range [...]string{"p50", "p99", "p99.9", "max"} {
			cells = append(cells, latencyCell(r, figure, [...]int64{r.P50, r.P99, r.P999, r.Max}[n], l.FloorOf(r.Kind)))
		}
	}
	if service == nil {
		cells = append(cells, table.Cell{Text: units.None})
	} else {
		cells = append(cells, latencyCell(service, "p99", service.P99, l.FloorOf(service.Kind)))
	}
	words, st := stepWords(l)
	return table.Line{Cells: append(cells, table.Cell{Text: words, Style: st})}
}

// stepWords returns what a step came to, in a few words.
func stepWords(l *result.Load) (string, termtext.Style) {
	var missed []string
	for _, o := range l.Objectives {
		if !o.Met {
			missed = append(missed, o.Objective)
		}
	}
	switch {
	case l.Partial:
		return "cut off", termtext.Yellow
	case l.Missed && l.Dropped > l.Unsent:
		return "rate missed: dropped " + units.Count(l.Dropped), termtext.Red
	case l.Missed && l.Unfinished > 0:
		return "rate missed: unanswered " + units.Count(l.Unfinished+l.Unsent), termtext.Red
	case l.Missed:
		return "rate missed", termtext.Red
	case l.Undecided:
		return "undecided: " + l.WhyUndecided(), termtext.Yellow
	case len(missed) > 0:
		return "missed " + strings.Join(missed, ", "), termtext.Red
	case len(l.Objectives) > 0:
		return "met", termtext.Green
	}
	return "", termtext.Normal
}

// kneeWords returns where a search ended.
func kneeWords(k *result.Knee) string {
	var text string
	switch {
	case k.Undecided > 0:
		return undecidedKnee(k)
	case k.Rate == 0 && k.Above > 0:
		return fmt.Sprintf("no rate that was tried met all objectives; the lowest was %s", units.Rate(k.Above))
	case k.Rate == 0:
		return "no rate was tried to the end"
	case k.Confirmed:
		text = fmt.Sprintf("highest rate that met all objectives: %s, %d times of %d", units.Rate(k.Rate), k.Times, k.Times)
	default:
		text = fmt.Sprintf("highest rate that met all objectives: %s, tried once and not confirmed", units.Rate(k.Rate))
	}
	if k.Below > 0 {
		text += fmt.Sprintf("; %s met them too", units.Rate(k.Below))
	}
	if k.Above > 0 {
		text += fmt.Sprintf("; %s missed them", units.Rate(k.Above))
	} else {
		text += "; no higher one was tried"
	}
	return text
}

// undecidedKnee returns why a search found no highest rate, and what it knows.
func undecidedKnee(k *result.Knee) string {
	text := fmt.Sprintf("the highest rate is undecided: at %s %s", units.Rate(k.Undecided), k.Why)
	if k.Rate > 0 {
		text += fmt.Sprintf("; %s met all objectives", units.Rate(k.Rate))
	}
	if k.Above > 0 {
		text += fmt.Sprintf("; %s missed them", units.Rate(k.Above))
	}
	return text
}
