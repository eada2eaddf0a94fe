package webpage

import (
	"strings"

	"github.com/tarebench/tare/internal/show/subjects/listing"
)

// code writes regions, each of which folds.
func (w *writer) code(regions []listing.Folded) {
	for i := range regions {
		r := &regions[i]
		open := ""
		if r.Open {
			open = " open=\"open\""
		}
		w.f("<details class=\"region\"%s><summary>%s <b>%s</b> <span class=\"below\">%s</span></summary>\n", open, esc(r.Title), esc(r.Name), esc(r.Where))
		if r.Note != "" {
			w.f("<p class=\"below\">%s</p>\n", esc(r.Note))
		}
		if len(r.Rows) > 0 {
			w.f("<div class=\"code\" tabindex=\"0\" role=\"region\" aria-label=\"machine code of %s, %s\">", esc(r.Name), esc(r.Title))
			w.codeRows(r.Rows)
			w.f("</div>\n")
		}
		for _, s := range r.After {
			w.f("<p class=\"below\">%s</p>\n", esc(s))
		}
		w.f("</details>\n")
	}
}

func (w *writer) codeRows(rows []listing.Row) {
	for i := range rows {
		r := &rows[i]
		if len(r.Below) > 0 {
			w.f("<details open=\"open\"><summary>")
			w.codeLine(r)
			w.f("</summary>")
			w.codeRows(r.Below)
			w.f("</details>")
			continue
		}
		class := ""
		if r.Heat > 0 {
			class = " class=\"heat" + strings.Repeat("2", r.Heat-1) + "\""
		}
		w.f("<div%s>", class)
		w.codeLine(r)
		w.f("</div>")
	}
}

func (w *writer) codeLine(r *listing.Row) {
	text := esc(r.Text)
	if r.Source {
		text = "<i>" + text + "</i>"
	}
	w.f("%s%s%s", esc(r.Counts), esc(r.Arrows), text)
	if r.Note != "" {
		w.f("  <span class=\"unit\">%s</span>", esc(r.Note))
	}
}
