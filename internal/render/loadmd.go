package render

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/units"
)

// writeLoadMarkdown writes a load run as GitHub-flavoured Markdown.
func writeLoadMarkdown(b *bytes.Buffer, s *result.Result, o Options) {
	o.UTF8 = true
	t := newLoadView(s, o)
	mdItems(b, "", t.header())
	for _, n := range t.c.Notes {
		paragraph(b, "note: "+mdText(n))
	}
	switch {
	case len(s.Steps) > 0:
		if s.Knee != nil {
			paragraph(b, "**"+mdText(kneeWords(s.Knee))+".**")
		}
		mdTables(b, t.stepTable(), "")
		paragraph(b, mdText(fewInSteps(s.Steps)))
	case s.Load == nil:
		paragraph(b, "nothing was measured")
	default:
		paragraph(b, "**"+mdText(s.Load.Verdict)+".**")
		tb, rows := t.latencyTable(s.Latencies, o.Verbose)
		tb.Columns = tb.Columns[:len(tb.Columns)-1]
		mdTables(b, tb, "latency")
		mdItems(b, "", legend(rows))
		paragraph(b, mdText(unsent(s.Load)))
		mdItems(b, "", t.counts(s.Load))
		paragraph(b, strings.Join(mdErrors(s.Load), "\n"))
	}
	paragraph(b, strings.Join(mdObjectives(s.Objectives), "\n"))
	mdItems(b, "tare: ", t.overhead())
	t.mdNotes(b, s)
	mdRepeat(b, s)
	b.Truncate(len(bytes.TrimRight(b.Bytes(), "\n")))
	b.WriteByte('\n')
}

func mdErrors(l *result.Load) (list []string) {
	for _, class := range errorClasses(l.Classes) {
		item := fmt.Sprintf("- %s: %s", mdText(class), units.Count(l.Classes[class]))
		if text := l.First[class]; text != "" {
			item += ", first: " + mdText(text)
		}
		list = append(list, item)
	}
	return list
}

func mdObjectives(os []result.Outcome) (list []string) {
	for _, o := range os {
		word := "met"
		if !o.Met {
			word = "**missed**"
		}
		list = append(list, fmt.Sprintf("- slo %s %s: %s", mdCode(utfText.Text(o.Objective)), word, mdText(o.Text)))
	}
	return list
}
