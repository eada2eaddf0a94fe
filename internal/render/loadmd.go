package render

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// writeLoadMarkdown writes a load run as GitHub-flavoured Markdown.
func writeLoadMarkdown(b *bytes.Buffer, s *result.Result, o Options) {
	p := &page{glyphs: newGlyphs(true)}
	c := loadConfig(s)
	paragraph(b, mdText(strings.Join(p.loadHeader(s), p.sep)))
	for _, n := range c.Notes {
		paragraph(b, "note: "+mdText(p.Text(n)))
	}
	switch {
	case len(s.Steps) > 0:
		if s.Knee != nil {
			paragraph(b, "**"+mdText(kneeWords(s.Knee))+".**")
		}
		p.mdSteps(b, s.Steps)
		if few := fewInSteps(s.Steps); few != "" {
			paragraph(b, mdText(few))
		}
	case s.Load == nil:
		paragraph(b, "nothing was measured")
	default:
		paragraph(b, "**"+mdText(s.Load.Verdict)+".**")
		p.mdLatencies(b, s.Latencies, o.Verbose)
		p.mdCounts(b, s.Load)
		p.mdFew(b, s.Latencies, o.Verbose)
	}
	p.mdObjectives(b, s.Objectives)
	if items := p.weight(s); len(items) > 0 {
		paragraph(b, "tare: "+mdText(strings.Join(items, p.sep)))
	}
	for _, w := range s.Warnings {
		paragraph(b, "warning: "+p.mdDoubt(w))
	}
	if text := p.partial(s); text != "" {
		paragraph(b, "**partial:** "+mdText(text))
	}
	p.mdRepeat(b, s)
	b.Truncate(len(bytes.TrimRight(b.Bytes(), "\n")))
	b.WriteByte('\n')
}

func (p *page) mdLatencies(b *bytes.Buffer, rows []result.Latency, verbose bool) {
	cols := loadColumns(verbose)
	head, right := []string{"operation", "latency", "count"}, []bool{false, false, true}
	for _, c := range cols {
		head, right = append(head, c.title), append(right, true)
	}
	lines := [][]string{head}
	for i := range rows {
		l := &rows[i]
		if l.Kind == record.TagLateness && !verbose {
			continue
		}
		line := []string{mdCode(p.Name(l.Name)), mdText(p.Name(l.Kind)), group(fmt.Sprint(l.Count))}
		for _, c := range cols {
			line = append(line, p.latency(c.value(l)))
		}
		lines = append(lines, line)
	}
	if len(lines) > 1 {
		mdRows(b, lines, right)
		b.WriteByte('\n')
	}
}

func (p *page) mdCounts(b *bytes.Buffer, l *result.Load) {
	if l.Unsent > 0 {
		paragraph(b, fmt.Sprintf("unsent: %s (oldest %s): percentiles cover started operations only", group(fmt.Sprint(l.Unsent)), p.latency(l.UnsentOldest)))
	}
	items := []string{"dropped " + group(fmt.Sprint(l.Dropped)), "unfinished " + group(fmt.Sprint(l.Unfinished)), "errors " + group(fmt.Sprint(l.Errors))}
	if l.ClosedLoop {
		items = items[1:]
	}
	if n := l.NotFound(); n > 0 {
		items = append(items, "not found "+group(fmt.Sprint(n))+" (no error)")
	}
	if l.BacklogMax > 0 {
		items = append(items, "longest backlog "+group(fmt.Sprint(l.BacklogMax)))
	}
	paragraph(b, mdText(strings.Join(items, p.sep)))
	var list []string
	for _, class := range errorClasses(l.Classes) {
		item := fmt.Sprintf("- %s: %s", mdText(p.Text(class)), group(fmt.Sprint(l.Classes[class])))
		if text := l.First[class]; text != "" {
			item += ", first: " + mdText(p.Text(text))
		}
		list = append(list, item)
	}
	paragraph(b, strings.Join(list, "\n"))
}

// mdFew names the rows with percentiles that rest on few values.
func (p *page) mdFew(b *bytes.Buffer, rows []result.Latency, verbose bool) {
	var list []string
	for i := range rows {
		l := &rows[i]
		if l.Kind == record.TagLateness && !verbose {
			continue
		}
		for _, w := range restsOnFew(l, loadColumns(verbose)) {
			list = append(list, fmt.Sprintf("- %s %s: %s", mdCode(p.Name(l.Name)), mdText(p.Name(l.Kind)), p.mdDoubt(w)))
		}
	}
	paragraph(b, strings.Join(list, "\n"))
}

func (p *page) mdSteps(b *bytes.Buffer, steps []result.Load) {
	lines := [][]string{{"operation", "asked", "did", "p50", "p99", "p99.9", "max", "service p99", ""}}
	right := []bool{false, true, true, true, true, true, true, true, false}
	t := &loadText{textReport: &textReport{page: p}}
	for _, name := range stepNames(steps) {
		for i := range steps {
			line := []string{mdCode(p.Name(name))}
			for _, c := range t.step(&steps[i], name).cells[1:] {
				line = append(line, mdText(strings.TrimSpace(c.text+" "+c.tail)))
			}
			lines = append(lines, line)
		}
	}
	if len(lines) > 1 {
		mdRows(b, lines, right)
		b.WriteByte('\n')
	}
}

func (p *page) mdObjectives(b *bytes.Buffer, os []result.Outcome) {
	var list []string
	for _, o := range os {
		word := "met"
		if !o.Met {
			word = "**missed**"
		}
		list = append(list, fmt.Sprintf("- slo %s %s: %s", mdCode(p.Text(o.Objective)), word, mdText(p.Text(o.Text))))
	}
	paragraph(b, strings.Join(slices.Clip(list), "\n"))
}
