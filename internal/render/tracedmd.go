package render

import (
	"bytes"

	"github.com/tarebench/tare/internal/result"
)

// mdTraced writes a table for each benchmark that was traced.
func (p *page) mdTraced(b *bytes.Buffer, s *result.Result, all bool) {
	dominated := false
	for i := range s.Traced {
		x := p.tracedTable(s, &s.Traced[i], all)
		dominated = dominated || x.dominated
		paragraph(b, "**"+mdText(x.title)+"**")
		if x.bad != "" {
			paragraph(b, mdText(x.bad))
			continue
		}
		rows := [][]string{{"function", "calls/op", "in forks", "own time"}}
		for _, row := range x.rows {
			rows = append(rows, []string{mdCode(row[0]), mdText(row[1]), mdText(row[2]), mdText(row[3])})
		}
		if x.more > 0 {
			rows = append(rows, []string{mdText("and " + plural(x.more, "function") + " more")})
		}
		mdRows(b, rows, []bool{false, true, true, true})
		b.WriteByte('\n')
		for _, n := range x.notes {
			paragraph(b, mdText(n))
		}
	}
	if len(s.Traced) > 0 {
		paragraph(b, mdText(tracedNote(dominated)))
	}
}
