package render

import (
	"bytes"
	"strings"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/markdown"
	"github.com/tarebench/tare/internal/show/textpage"
)

// writeMarkdown writes GitHub-flavoured Markdown: a table for each package, the
// warnings as a numbered list. It is UTF-8 always, and lines up in its source too.
func writeMarkdown(b *bytes.Buffer, s *result.Result, o Options) {
	o.UTF8 = true
	p := newView(s, o)
	p.mdLost(b)
	if len(p.versus) > 0 {
		p.mdComparisons(b, s)
	} else {
		markdown.Items(b, "", header(s))
		markdown.Items(b, "sides: ", p.sides(s))
		p.mdResults(b)
		for _, x := range p.sections(s) {
			mdSection(b, x)
		}
		for _, out := range p.outputs {
			markdown.Paragraph(b, markdown.Text(out.of)+":\n\n"+markdown.Fenced(strings.Join(out.lines, "\n"), ""))
		}
		markdown.Items(b, "", intervalNotes(s.Results))
		markdown.Items(b, "tare: ", textpage.Overhead(s.Tare, o.Verbose))
		markdown.Notes(b, s, &p.notes, p.Verbose)
		markdown.Repeat(b, s)
	}
	markdown.End(b)
}

// mdResults writes a table for each package.
func (p *view) mdResults(b *bytes.Buffer) {
	if len(p.blocks) == 0 {
		markdown.Paragraph(b, "no results")
	}
	for _, bl := range p.blocks {
		markdown.Paragraph(b, "**"+markdown.Code(bl.pkg)+"**")
		p.mdTable(b, bl)
		b.WriteByte('\n')
	}
}

func (p *view) mdTable(b *bytes.Buffer, bl block) {
	head, right := p.mdHead()
	rows := [][]string{head}
	for i := range bl.rows {
		r := &bl.rows[i]
		rows = append(rows, p.mdRow(r))
		for _, f := range p.under(r, true) {
			if r.failed == "" {
				name := "↳ " + markdown.Code(f.unit)
				rows = append(rows, p.mdFigure(name, "", f, f.short, ""))
			}
		}
	}
	markdown.Rows(b, rows, right)
}

// mdHead returns the titles, and which columns stand at the right.
func (p *view) mdHead() (head []string, right []bool) {
	add := func(atRight bool, titles ...string) {
		for _, t := range titles {
			head, right = append(head, t), append(right, atRight)
		}
	}
	add(false, "benchmark")
	if p.sided {
		add(false, "side")
	}
	add(true, "median", p.level+" interval")
	if p.another {
		add(true, anotherTitle)
	}
	add(true, p.columns...)
	add(false, "forks in order")
	if p.Verbose {
		add(true, p.detailTitles()...)
	}
	return head, right
}

func (p *view) mdRow(r *row) []string {
	name := markdown.Code(r.name)
	if r.repeat {
		name = ""
	}
	if r.failed != "" {
		f := figure{value: "**failed**"}
		out := append(p.mdFigure(name, r.side, f, "", ""), make([]string, len(p.columns))...)
		if p.another {
			out = append(out, "")
		}
		return append(out, strings.TrimSpace(markdown.Text(strings.TrimPrefix(r.failed, "failed: "))+" "+r.marks))
	}
	out := p.mdFigure(name, r.side, r.main, r.main.long, r.marks)
	if p.another {
		out = append(out, another(r.res))
	}
	for _, u := range p.columns {
		out = append(out, p.column(r.res, u))
	}
	bars := sparkline(r.res.Values, float64(r.res.Median))
	if f := r.forks(); f != "" {
		bars += " forks " + f
	}
	out = append(out, strings.TrimSpace(bars))
	if p.Verbose {
		out = append(out, p.detail(r.res, p.detailTitles())...)
	}
	return out
}

// mdFigure returns a row with a name, a figure and its interval. The name must be quoted for Markdown already.
func (p *view) mdFigure(name, side string, f figure, unit, marks string) []string {
	out := []string{name}
	if p.sided {
		out = append(out, markdown.Text(side))
	}
	return append(out, strings.TrimSpace(f.value+" "+markdown.Text(unit)), strings.TrimSpace(f.words()+" "+marks))
}
