package render

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/render/page"
	"github.com/tarebench/tare/internal/render/table"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/termtext"
	"github.com/tarebench/tare/internal/units"
)

// writeMarkdown writes GitHub-flavoured Markdown: a table for each package, the
// doubts as a numbered list. It is UTF-8 always, and lines up in its source too.
func writeMarkdown(b *bytes.Buffer, s *result.Result, o Options) {
	o.UTF8 = true
	p := newView(s, o)
	if len(p.versus) > 0 {
		p.mdComparisons(b, s)
	} else {
		mdItems(b, "", header(s))
		mdItems(b, "sides: ", p.sides(s))
		p.mdResults(b)
		for _, x := range p.sections(s) {
			mdSection(b, x)
		}
		for _, out := range p.outputs {
			paragraph(b, mdText(out.of)+":\n\n"+out.fenced())
		}
		mdItems(b, "tare: ", overhead(s.Tare, o.Verbose))
		p.mdNotes(b, s)
		mdRepeat(b, s)
	}
	b.Truncate(len(bytes.TrimRight(b.Bytes(), "\n")))
	b.WriteByte('\n')
}

// mdItems writes facts side by side behind a heading.
func mdItems(b *bytes.Buffer, head string, items []string) {
	if len(items) > 0 {
		paragraph(b, head+mdText(strings.Join(items, page.Sep)))
	}
}

// fenced is the output as a block of code.
func (o output) fenced() string {
	text := strings.Join(o.lines, "\n")
	fence := fence(text, 3)
	return fence + "\n" + text + "\n" + fence
}

// mdResults writes a table for each package.
func (p *view) mdResults(b *bytes.Buffer) {
	if len(p.blocks) == 0 {
		paragraph(b, "no results")
	}
	for _, bl := range p.blocks {
		paragraph(b, "**"+mdCode(bl.pkg)+"**")
		p.mdTable(b, bl)
		b.WriteByte('\n')
	}
}

// mdNotes writes the notes: those about rows as a numbered list.
func (p *view) mdNotes(b *bytes.Buffer, s *result.Result) {
	var list []string
	for _, n := range p.notes.List(p.Verbose) {
		text := mdText(n.Text)
		if n.Advice != "" {
			text += " → " + mdText(n.Advice)
		}
		switch {
		case n.Machine:
			paragraph(b, "machine: "+text)
			continue
		case n.Number == 0:
			paragraph(b, "warning: "+text)
			continue
		}
		list = append(list, fmt.Sprintf("%d. %s", n.Number, text))
		for _, r := range n.Rows {
			list = append(list, "   - "+mdText(r.Text))
		}
	}
	paragraph(b, strings.Join(list, "\n"))
	if text := partialWhy(s); text != "" {
		paragraph(b, "**partial:** "+mdText(text))
	}
}

// mdRepeat writes how to repeat the run.
func mdRepeat(b *bytes.Buffer, s *result.Result) {
	if args := page.RepeatArgs(s.Run); args != nil {
		text := strings.Join(page.Command(utfText, args, 1<<30), " ")
		quote := fence(text, 1)
		paragraph(b, "repeat: "+quote+text+quote)
	}
}

// utfText is the charset of Markdown.
var utfText = termtext.Charset{UTF8: true}

func paragraph(b *bytes.Buffer, text string) {
	if text != "" {
		b.WriteString(text + "\n\n")
	}
}

// mdTables writes the blocks of a table, each as one of its own with the columns that have
// texts in it. Lines of words stand below. subject is the title of the first column; without it
// the column is left out.
func mdTables(b *bytes.Buffer, t *table.Table, subject string) {
	for _, block := range t.Blocks {
		if block.Title != "" {
			paragraph(b, "**"+mdText(block.Title)+"**")
		}
		columns := (&table.Table{Columns: t.Columns, Blocks: []table.Block{block}}).Used()
		if subject == "" {
			columns = columns[1:]
		}
		rows, right := [][]string{nil}, []bool(nil)
		for _, c := range columns {
			title := t.Columns[c].Title
			if c == 0 {
				title = subject
			}
			rows[0], right = append(rows[0], mdText(title)), append(right, t.Columns[c].Kind != table.Words)
		}
		var below []string
		for _, l := range block.Lines {
			if l.Wide != "" {
				below = append(below, l.Wide)
				continue
			}
			row := mdCells(t, l, columns)
			for len(rows[0]) < len(row) { // words where no line has figures
				rows[0], right = append(rows[0], ""), append(right, false)
			}
			rows = append(rows, row)
		}
		if len(rows) > 1 {
			mdRows(b, rows, right)
			b.WriteByte('\n')
		}
		for _, text := range below {
			paragraph(b, mdText(text))
		}
	}
}

// mdCells are the cells of a line, the first of which is a name.
func mdCells(t *table.Table, l table.Line, columns []int) []string {
	var out []string
	for _, c := range columns {
		if c >= len(l.Cells) {
			break
		}
		ce := l.Cells[c]
		text := ce.Text
		if ce.Tail != "" {
			text += t.Columns[c].Join + ce.Tail
		}
		if c == 0 {
			out = append(out, mdCode(strings.TrimSpace(text)))
		} else {
			out = append(out, mdText(text))
		}
	}
	if l.Rest != "" {
		out = append(out, mdText(l.Rest))
	}
	return out
}

func (p *view) mdTable(b *bytes.Buffer, bl block) {
	head, right := p.mdHead()
	rows := [][]string{head}
	for i := range bl.rows {
		r := &bl.rows[i]
		rows = append(rows, p.mdRow(r))
		for _, f := range p.under(r, true) {
			if r.failed == "" {
				name := "↳ " + mdCode(f.unit)
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
	add(true, p.columns...)
	add(false, "forks in order")
	if p.Verbose {
		add(true, p.detailTitles()...)
	}
	return head, right
}

func (p *view) mdRow(r *row) []string {
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

// mdFigure holds a name, a figure and its interval; name is quoted already.
func (p *view) mdFigure(name, side string, f figure, unit, marks string) []string {
	out := []string{name}
	if p.sided {
		out = append(out, mdText(side))
	}
	interval := f.note
	if f.lo != "" {
		interval = f.lo + units.Dots + f.hi
	}
	return append(out, strings.TrimSpace(f.value+" "+mdText(unit)), strings.TrimSpace(interval+" "+marks))
}

// mdText makes a text printable and quotes it for Markdown, inside tables too. A bar becomes an
// entity, because a table splits its cells before it looks for backslashes.
func mdText(s string) string {
	s = utfText.Text(s)
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
