package render

import (
	"bytes"

	"github.com/tarebench/tare/internal/result"
)

// mdHeaps writes a table for each heap that was looked at.
func (p *page) mdHeaps(b *bytes.Buffer, s *result.Result, all bool) {
	for _, h := range p.heaps(s, all) {
		p.mdHeap(b, h.sites, true)
		if len(h.types.rows) > 0 {
			p.mdHeap(b, h.types, false)
		}
		for _, n := range h.notes {
			paragraph(b, mdText(n))
		}
	}
}

func (p *page) mdHeap(b *bytes.Buffer, t heapTable, sites bool) {
	paragraph(b, "**"+mdText(t.title)+"**")
	head, right := []string{"type"}, []bool{false}
	if sites {
		head, right = []string{"function", "line"}, []bool{false, false}
	}
	head, right = append(head, "bytes", "share", "objects"), append(right, true, true, true)
	if sites {
		head, right = append(head, "type"), append(right, false)
	}
	rows := [][]string{head}
	add := func(r heapRow, name string) {
		row := []string{name}
		if sites {
			row = append(row, mdText(r.file))
		}
		row = append(row, r.bytes, r.share, r.objects)
		if sites {
			row = append(row, mdCode(r.typ))
		}
		rows = append(rows, row)
	}
	for _, r := range t.rows {
		add(r, mdCode(r.name))
	}
	if t.rest != nil {
		add(*t.rest, mdText(t.rest.name))
	}
	mdRows(b, rows, right)
	b.WriteByte('\n')
}
