package render

import (
	"bytes"
	"strings"

	"github.com/tarebench/tare/internal/result"
)

// mdGrowths writes a table of curves for each package and its sizes.
func (p *page) mdGrowths(b *bytes.Buffer, s *result.Result, all bool) {
	blocks := p.complexity(s, all)
	for _, bl := range blocks {
		paragraph(b, "**"+mdText(bl.title)+"**")
		sided := false
		for _, r := range bl.rows {
			sided = sided || r.side != ""
		}
		head, right := []string{"benchmark"}, []bool{false}
		if sided {
			head, right = append(head, "side"), append(right, false)
		}
		head = append(head, "curve", "fit", p.level+" interval", "rms", "chosen")
		rows := [][]string{head}
		right = append(right, false, false, true, true, true)
		for _, r := range bl.rows {
			row := []string{mdCode(r.name)}
			if sided {
				row = append(row, mdText(r.side))
			}
			if r.why != "" {
				rows = append(rows, append(row, mdText(p.none), mdText(r.why)))
				continue
			}
			interval := r.note
			if r.lo != "" {
				interval = r.lo + p.dots + r.hi
			}
			rms := r.rms
			if r.rough {
				rms += " " + distrusted
			}
			rows = append(rows, append(row, mdText(r.curve), mdText(r.fit), interval, rms, mdText(r.chosen)))
		}
		mdRows(b, rows, right)
		b.WriteByte('\n')
	}
	if len(blocks) > 0 {
		paragraph(b, mdText(strings.Join(growthNotes(s, blocks), p.sep)))
	}
}
