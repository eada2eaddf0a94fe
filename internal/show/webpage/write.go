package webpage

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"

	"github.com/tarebench/tare/internal/show/chart"
	"github.com/tarebench/tare/internal/show/script"
)

// writer writes markup. All texts pass esc. It is no template: package html/template would keep every method of the
// program in its binary, 3 MB of them.
type writer struct {
	bytes.Buffer
	level  int // of the headings of blocks: below the name of a run, if it has one
	tables int // so far
	charts int // so far
}

func esc(s string) string { return html.EscapeString(s) }

func (w *writer) f(format string, args ...any) { fmt.Fprintf(w, format, args...) }

// before writes the page up to the place of the records.
func (w *writer) before(p *Page) {
	code := p.script()
	css, scripts, first := pageStyle(), allowed(code), ""
	if p.hasCharts() {
		js, style := script.Charts()
		css += style
		scripts += " " + allowed(js)
		first = "<script>" + js + "</script>\n"
	}
	sources := "default-src 'none'; img-src data:; style-src " + allowed(css) + "; script-src " + scripts + "; base-uri 'none'; form-action 'none'"
	if p.Live {
		sources += "; connect-src 'self'"
	}
	w.f("<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n")
	w.f("<meta http-equiv=\"Content-Security-Policy\" content=\"%s\" />\n", esc(sources))
	w.f("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n<meta name=\"color-scheme\" content=\"light dark\" />\n")
	w.f("<title>%s</title>\n<style>%s</style>\n%s<script type=\"module\">%s</script>\n</head>\n<body>\n<header><h1 title=\"%[1]s\">%[1]s</h1></header>\n<main>\n", esc(p.Title), css, first, code)
	w.main(p)
	inside := ""
	if len(p.Records) > 0 {
		inside = " · the records are inside: <code>tare report</code> and <code>tare compare</code> read this page itself"
	}
	if p.Live {
		w.f("</main>\n<footer><p>%s · <a href=\"save\" download>the page as a file</a>, with the records inside</p></footer>\n", esc(p.Tool))
		return
	}
	w.f("</main>\n<footer><p>%s · one file, nothing loaded%s</p></footer>\n", esc(p.Tool), inside)
}

func (w *writer) banners(all []Banner) {
	for _, b := range all {
		w.f("<section class=\"banner\" aria-label=\"%s\">\n<p><b>%[1]s</b></p>\n<ul>\n", esc(b.Text))
		for _, it := range b.Items {
			w.f("<li>%s</li>\n", esc(it))
		}
		w.f("</ul>\n")
		if b.Advice != "" {
			w.f("<p class=\"advice\">→ %s</p>\n", esc(b.Advice))
		}
		w.f("</section>\n")
	}
}

// help writes how to read a section or a block.
func (w *writer) help(paragraphs []string) {
	if len(paragraphs) == 0 {
		return
	}
	w.f("<details class=\"help\"><summary>how to read this</summary>\n")
	for _, p := range paragraphs {
		w.f("<p>%s</p>\n", esc(p))
	}
	w.f("</details>\n")
}

func (w *writer) main(p *Page) {
	w.banners(p.Banners)
	for i := range p.Runs {
		w.run(&p.Runs[i])
	}
}

func (w *writer) run(r *Run) {
	w.f("<article>\n")
	w.level = 2
	of := "" // landmarks of several runs have different names
	if r.Name != "" {
		of = ": " + r.Name
		w.f("<h2 class=\"run\">%s</h2>\n", esc(r.Name))
		w.level = 3
	}
	if len(r.Verdicts) > 0 {
		w.f("<section class=\"verdicts\" aria-label=\"Verdicts%s\"><ul>\n", esc(of))
		for _, v := range r.Verdicts {
			w.f("<li class=\"%s\">%s%s</li>\n", v.Kind, v.Kind.markup(), esc(v.Text))
		}
		w.f("</ul>\n")
		w.help(r.Help)
		w.f("</section>\n")
	}
	if len(r.Facts)+len(r.Notes) > 0 {
		w.f("<section class=\"trust\" aria-label=\"What was measured, and how far it can be trusted%s\">\n", esc(of))
		w.notes(r.Notes)
		w.f("<dl>\n")
		for _, f := range r.Facts {
			w.f("<div><dt>%s</dt><dd>%s</dd></div>\n", esc(f.Name), esc(f.Value))
		}
		w.f("</dl>\n</section>\n")
	}
	for i := range r.Blocks {
		w.block(&r.Blocks[i])
	}
	if len(r.RowNotes) > 0 {
		w.f("<section>\n")
		w.heading("Notes")
		w.notes(r.RowNotes)
		w.help(r.NoteHelp)
		w.f("</section>\n")
	}
	if len(r.Repeat) > 0 {
		w.f("<section class=\"repeat\">\n")
		w.heading("Repeat")
		w.f("<pre tabindex=\"0\">")
		for _, l := range r.Repeat {
			w.f("%s\n", esc(l))
		}
		w.f("</pre></section>\n")
	}
	w.f("</article>\n")
}

// markup returns the sign of a kind, which screen readers skip.
func (k Kind) markup() string {
	if s := k.Sign(); s != "" {
		return `<span class="sign" aria-hidden="true">` + s + `</span> `
	}
	return ""
}

func (w *writer) notes(ns []Note) {
	if len(ns) == 0 {
		return
	}
	w.f("<ol class=\"notes\">\n")
	for _, n := range ns {
		class, head := "", ""
		switch {
		case n.Machine:
			class, head = ` class="machine"`, "<b>machine:</b> "
		case n.Mark != "":
			head = `<span class="marks">` + esc(n.Mark) + `</span> `
		}
		w.f("<li%s>%s%s", class, head, esc(n.Text))
		if n.Advice != "" {
			w.f(" <span class=\"advice\">→ %s</span>", esc(n.Advice))
		}
		if len(n.Rows) > 0 {
			w.f("\n<details><summary>each row</summary><ul>\n")
			for _, r := range n.Rows {
				w.f("<li>%s</li>\n", esc(r))
			}
			w.f("</ul></details>")
		}
		w.f("</li>\n")
	}
	w.f("</ol>\n")
}

func (w *writer) block(b *Block) {
	attribute := ""
	switch {
	case b.OverTime == nil:
	case b.OverTime.Live:
		attribute = " data-live"
	default:
		attribute = fmt.Sprintf(" data-record=\"%d\"", b.OverTime.Record)
	}
	w.f("<section%s>\n", attribute)
	if b.Title != "" {
		w.heading(b.Title)
	}
	if b.OverTime != nil {
		for i := range b.OverTime.Pictures {
			w.picture(&b.OverTime.Pictures[i])
		}
	}
	if b.Table != nil {
		w.table(b.Table, b.Title)
	}
	if b.Picture != nil {
		w.picture(b.Picture)
	}
	for i := range b.Figures {
		w.figure(&b.Figures[i])
	}
	if b.Graph != nil {
		w.graph(b.Graph)
	}
	if len(b.Code) > 0 {
		w.code(b.Code)
	}
	if b.Text != "" {
		w.f("<pre tabindex=\"0\">%s</pre>\n", esc(b.Text))
	}
	for _, n := range b.Notes {
		w.f("<p class=\"below\">%s</p>\n", esc(n))
	}
	w.help(b.Help)
	w.f("</section>\n")
}

// figure writes a chart with the table of its figures.
func (w *writer) figure(f *Figure) {
	kind := ""
	if f.Bars {
		kind = " bars"
	}
	w.charts++
	w.f("<figure class=\"drawn%s\"><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"chart %d: %s\">%s</div>\n", kind, w.charts, esc(f.Title), f.SVG)
	if f.Linear != "" {
		w.f("<div class=\"scroll linear\" tabindex=\"0\" role=\"region\" aria-label=\"chart %d with linear axes: %s\" hidden=\"\">%s</div>\n", w.charts, esc(f.Title), f.Linear)
	}
	if f.Table != nil {
		w.f("<details class=\"figures\"><summary>the figures of this chart</summary>\n")
		w.table(f.Table, f.Title)
		w.f("</details>\n")
	}
	w.f("</figure>\n")
}

// picture writes an image.
func (w *writer) picture(p *Picture) {
	w.f("<figure><img src=\"data:image/svg+xml;base64,%s\" alt=\"%s\" /></figure>\n", base64.StdEncoding.EncodeToString(p.SVG), esc(p.Alt))
}

// graph writes a flame graph, with what its image has as text.
func (w *writer) graph(g *Graph) {
	w.f("<figure class=\"profile\"><figcaption><b>%s</b> <span class=\"below\">%s</span>\n<ul class=\"legend\">", esc(g.Title), esc(g.Note))
	for _, s := range g.Legend {
		swatch := chart.Element("flame swatch", 10, 10, ` aria-hidden="true"`, `<rect class="`+s.Class+`" width="10" height="10" />`)
		w.f("<li>%s %s</li>", swatch, esc(s.Words))
	}
	w.f("</ul></figcaption>\n<div class=\"scroll\">%s</div>\n", g.Markup(g.Alt))
	if s := g.TooNarrow(); s != "" {
		w.f("<p class=\"below\">%s</p>\n", esc(s))
	}
	w.f("</figure>\n")
}

// heading writes that of a block.
func (w *writer) heading(text string) { w.f("<h%d>%s</h%[1]d>\n", w.level, esc(text)) }

func (w *writer) table(t *Table, title string) {
	w.tables++
	w.f("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"table %d: %s\"><table>\n<thead><tr>", w.tables, esc(title))
	for i, c := range t.Columns {
		w.f("<th scope=\"col\" class=\"%s\">%s", t.Class(i), esc(c.Title))
		if c.Axis != nil {
			w.f("%s", drawAxis(c.Axis))
		}
		w.f("</th>")
	}
	w.f("</tr></thead>\n")
	for _, g := range t.Groups {
		w.f("<tbody>\n")
		if g.Title != "" {
			w.f("<tr class=\"group\"><th scope=\"colgroup\" colspan=\"%d\">%s</th></tr>\n", len(t.Columns), esc(g.Title))
		}
		for i := range g.Rows {
			w.row(t, &g.Rows[i])
		}
		w.f("</tbody>\n")
	}
	w.f("</table></div>\n")
}

func (w *writer) row(t *Table, r *Row) {
	detail := ""
	if r.Detail {
		detail = " detail"
	}
	w.f("<tr class=\"%s%s\">", r.Kind, detail)
	for i, c := range r.Cells {
		end := "</td>"
		if i == 0 {
			end = "</th>"
			w.f("<th scope=\"row\">")
		} else {
			w.f("<td class=\"%s %s\"%s>", t.Class(i), c.Kind, c.value())
		}
		w.f("%s%s", c.Kind.markup(), esc(c.Text))
		if c.Unit != "" {
			w.f(" <span class=\"unit\">%s</span>", esc(c.Unit))
		}
		if c.Marks != "" {
			w.f(" <span class=\"marks\">%s</span>", esc(c.Marks))
		}
		if c.Span != nil {
			w.f("%s", drawSpan(c.Span))
		}
		w.f("%s", end)
	}
	w.f("</tr>\n")
}

// value returns the attribute by which a cell is sorted.
func (c *Cell) value() string {
	if c.Value == "" {
		return ""
	}
	return ` data-value="` + esc(c.Value) + `"`
}
