package loadtext

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/markdown"
	"github.com/tarebench/tare/internal/show/textpage"
)

// Markdown writes a load run as GitHub-flavoured Markdown.
func Markdown(b *bytes.Buffer, s *result.Result, o textpage.Options) {
	o.UTF8 = true
	t := newView(s, o)
	markdown.Items(b, "", t.header())
	for _, n := range t.c.Notes {
		markdown.Paragraph(b, "note: "+markdown.Text(n))
	}
	switch {
	case len(s.Steps) > 0:
		if s.Knee != nil {
			markdown.Paragraph(b, "**"+markdown.Text(kneeWords(s.Knee))+".**")
		}
		markdown.Tables(b, t.stepTable(), "")
		markdown.Paragraph(b, markdown.Text(fewInSteps(s.Steps)))
	case s.Load == nil:
		markdown.Paragraph(b, "nothing was measured")
	default:
		markdown.Paragraph(b, "**"+markdown.Text(s.Load.Verdict)+".**")
		tb, rows := t.latencyTable(s.Latencies, o.Verbose)
		tb.Columns = tb.Columns[:len(tb.Columns)-1]
		markdown.Tables(b, tb, "latency")
		markdown.Items(b, "", legend(rows))
		if text := corrected(s); text != "" {
			markdown.Paragraph(b, markdown.Text("corrected: "+text))
		}
		markdown.Paragraph(b, markdown.Text(unsent(s)))
		markdown.Items(b, "", t.counts(s.Load))
		markdown.Items(b, "", stalls(s.Load))
		markdown.Items(b, "", traffic(s.Load))
		markdown.Paragraph(b, strings.Join(mdErrors(s.Load), "\n"))
		markdown.Items(b, "", server(s.Load.Server))
		t.mdCoincidences(b, s.Load.Coincidences)
		t.mdSlowest(b, s.Load)
		t.mdAgents(b, s.Load.Agents)
	}
	markdown.Paragraph(b, strings.Join(mdObjectives(s.Objectives), "\n"))
	markdown.Items(b, "tare: ", t.overhead())
	markdown.Notes(b, s, &t.notes, t.Verbose)
	markdown.Repeat(b, s)
	markdown.End(b)
}

func (t *view) mdCoincidences(b *bytes.Buffer, all []result.Coincidence) {
	if len(all) == 0 {
		return
	}
	var list []string
	for _, text := range t.coincidenceLines(all) {
		list = append(list, "- slow: "+markdown.Text(text))
	}
	markdown.Paragraph(b, strings.Join(list, "\n"))
	markdown.Paragraph(b, NoCause)
}

func (t *view) mdSlowest(b *bytes.Buffer, l *result.Load) {
	if len(l.Slowest) > 0 {
		markdown.Tables(b, SlowestTable(t.fewest(l.Slowest), l.ClosedLoop, t.Charset), "slowest")
	}
}

func mdErrors(l *result.Load) (list []string) {
	for _, f := range l.Failures {
		item := fmt.Sprintf("- %s: %s, %s", markdown.Text(strings.TrimSpace(f.Name+" "+wayOf(f))), units.Count(f.Count), Share(f.Share))
		if f.First != "" {
			item += ", first: " + markdown.Text(f.First)
		}
		list = append(list, item)
	}
	return list
}

func mdObjectives(os []result.Outcome) (list []string) {
	for _, o := range os {
		word := o.Word()
		if !o.Met {
			word = "**" + word + "**"
		}
		list = append(list, fmt.Sprintf("- slo %s %s: %s", markdown.Code(termtext.Charset{UTF8: true}.Text(o.Objective)), word, markdown.Text(o.Text)))
	}
	return list
}
