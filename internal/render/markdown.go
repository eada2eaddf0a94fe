package render

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/termtext"
)

// writeMarkdown writes GitHub-flavoured Markdown: a table for each package, the
// doubts as a numbered list. It is UTF-8 always, and lines up in its source too.
func writeMarkdown(b *bytes.Buffer, s *result.Result, o Options) {
	p := newPage(s, newGlyphs(true), o.Verbose)
	if len(p.versus) > 0 {
		p.mdComparisons(b, s, o)
	} else {
		paragraph(b, mdText(strings.Join(p.header(s), p.sep)))
		p.mdSides(b, s)
		p.mdResults(b, o.Verbose)
		p.mdGrowths(b, s, o.Verbose)
		p.mdHeaps(b, s, o.Verbose)
		p.mdTraced(b, s, o.Verbose)
		for _, out := range p.outputs {
			paragraph(b, mdText(out.of)+":\n\n"+out.fenced())
		}
		p.mdTare(b, s, o.Verbose)
		p.mdDoubts(b, s)
		p.mdRepeat(b, s)
	}
	b.Truncate(len(bytes.TrimRight(b.Bytes(), "\n")))
	b.WriteByte('\n')
}

// fenced is the output as a block of code.
func (o output) fenced() string {
	text := strings.Join(o.lines, "\n")
	fence := fence(text, 3)
	return fence + "\n" + text + "\n" + fence
}

func (p *page) mdSides(b *bytes.Buffer, s *result.Result) {
	if about := p.flow(p.sides(s), 1<<30); len(about) > 0 {
		paragraph(b, "sides: "+mdText(about[0]))
	}
}

// mdResults writes a table for each package.
func (p *page) mdResults(b *bytes.Buffer, verbose bool) {
	if len(p.blocks) == 0 {
		paragraph(b, "no results")
	}
	for _, bl := range p.blocks {
		paragraph(b, "**"+mdCode(bl.pkg)+"**")
		p.mdTable(b, bl, verbose)
		b.WriteByte('\n')
	}
}

// mdTare writes what the tool weighs.
func (p *page) mdTare(b *bytes.Buffer, s *result.Result, verbose bool) {
	if items := p.tare(s.Tare, verbose); len(items) > 0 {
		paragraph(b, "tare: "+mdText(strings.Join(items, p.sep)))
	}
}

// mdDoubts writes the doubts, the footnotes as a numbered list.
func (p *page) mdDoubts(b *bytes.Buffer, s *result.Result) {
	for _, w := range p.warnings(s) {
		paragraph(b, "warning: "+p.mdDoubt(w))
	}
	var list []string
	for i, w := range p.notes.brief(strconv.Itoa) {
		list = append(list, fmt.Sprintf("%d. %s", i+1, p.mdDoubt(w)))
	}
	paragraph(b, strings.Join(list, "\n"))
	if text := p.partial(s); text != "" {
		paragraph(b, "**partial:** "+mdText(text))
	}
}

// mdRepeat writes how to repeat the run.
func (p *page) mdRepeat(b *bytes.Buffer, s *result.Result) {
	if args := repeatArgs(s.Run); args != nil {
		text := strings.Join(p.command(args, 1<<30), " ")
		quote := fence(text, 1)
		paragraph(b, "repeat: "+quote+text+quote)
	}
}

func paragraph(b *bytes.Buffer, text string) {
	if text != "" {
		b.WriteString(text + "\n\n")
	}
}

func (p *page) mdDoubt(w result.Warning) string {
	text := mdText(p.Text(w.Text))
	if w.Advice != "" {
		text += " " + p.arrow + " " + mdText(p.Text(w.Advice))
	}
	return text
}

func (p *page) mdTable(b *bytes.Buffer, bl block, verbose bool) {
	head, right := p.mdHead(verbose)
	rows := [][]string{head}
	for i := range bl.rows {
		r := &bl.rows[i]
		rows = append(rows, p.mdRow(r, verbose))
		for _, f := range p.under(r, true) {
			if r.failed == "" {
				name := p.sub + mdCode(f.unit)
				rows = append(rows, p.mdFigure(name, "", f, f.short, ""))
			}
		}
	}
	mdRows(b, rows, right)
}

// mdRows writes a table of which the first row is the head.
func mdRows(b *bytes.Buffer, rows [][]string, right []bool) {
	const most = 60 // columns to pad cells to: one long cell should not widen all
	widths := make([]int, len(right))
	for _, row := range rows {
		for c, text := range row {
			widths[c] = max(widths[c], min(termtext.Width(text), most), 3)
		}
	}
	rule := make([]string, len(right))
	for c := range rule {
		rule[c] = strings.Repeat("-", widths[c])
		if right[c] {
			rule[c] = rule[c][1:] + ":"
		}
	}
	for _, row := range slices.Insert(rows, 1, rule) {
		for c, w := range widths {
			text := ""
			if c < len(row) {
				text = row[c]
			}
			if right[c] {
				text = termtext.Pad(w-termtext.Width(text)) + text
			}
			b.WriteString("| " + text + termtext.Pad(w-termtext.Width(text)) + " ")
		}
		b.WriteString("|\n")
	}
}

// mdHead returns the titles, and which columns stand at the right.
func (p *page) mdHead(verbose bool) (head []string, right []bool) {
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
	add(true, p.columns...)
	add(false, "forks in order")
	if verbose {
		add(true, p.detailTitles()...)
	}
	return head, right
}

func (p *page) mdRow(r *row, verbose bool) []string {
	name := mdCode(r.name)
	if r.repeat {
		name = ""
	}
	if r.failed != "" {
		f := figure{value: "**failed**"}
		out := append(p.mdFigure(name, r.side, f, "", ""), make([]string, len(p.columns))...)
		return append(out, strings.TrimSpace(mdText(strings.TrimPrefix(r.failed, "failed: "))+" "+r.marks))
	}
	out := p.mdFigure(name, r.side, r.main, r.main.long, r.marks)
	for _, u := range p.columns {
		out = append(out, p.column(r.res, u))
	}
	bars := p.sparkline(r.res.Values, float64(r.res.Median))
	if f := r.forks(); f != "" {
		bars += " forks " + f
	}
	out = append(out, strings.TrimSpace(bars))
	if verbose {
		out = append(out, p.detail(r.res, p.detailTitles())...)
	}
	return out
}

// mdFigure holds a name, a figure and its interval; name is quoted already.
func (p *page) mdFigure(name, side string, f figure, unit, marks string) []string {
	out := []string{name}
	if p.sided {
		out = append(out, mdText(side))
	}
	interval := f.note
	if f.lo != "" {
		interval = f.lo + p.dots + f.hi
	}
	return append(out, strings.TrimSpace(f.value+" "+mdText(unit)), strings.TrimSpace(interval+" "+marks))
}

// mdText quotes printable text for Markdown, inside tables too. A bar becomes an
// entity, because a table splits its cells before it looks for backslashes.
func mdText(s string) string {
	return strings.NewReplacer(
		"|", "&#124;", "<", "&lt;", ">", "&gt;", "&", "&amp;", "@", "&#64;", "#", "&#35;",
		`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "~", `\~`, "$", `\$`,
	).Replace(s)
}

// mdCode makes a printable name or command a piece of code. Where backquotes
// cannot do that in a table it is done in HTML, with what means something to
// Markdown as entities.
func mdCode(s string) string {
	if s == "" {
		return ""
	}
	if !strings.ContainsAny(s, "`|\\") && strings.TrimSpace(s) == s {
		return "`" + s + "`"
	}
	return "<code>" + entities(s) + "</code>"
}

// entities quotes text for HTML, with what means something to Markdown as well.
func entities(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r < 0x80 && strings.ContainsRune("!\"#$%&'()*+<=>?@[\\]^_`{|}~:", r) {
			fmt.Fprintf(&b, "&#%d;", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// fence is a run of at least n backquotes that text does not contain.
func fence(text string, n int) string {
	f := strings.Repeat("`", n)
	for strings.Contains(text, f) {
		f += "`"
	}
	return f
}
