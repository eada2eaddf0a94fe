package render

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/render/loadtext"
	"github.com/tarebench/tare/internal/render/page"
	"github.com/tarebench/tare/internal/render/webpage"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/units"
)

// loadTables returns the tables of a load run that readers sort: errors by operation, class and status, and the slowest
// operations.
func loadTables(p *page.Page, l *result.Load) (out []webpage.Block) {
	if len(l.Failures) > 0 {
		out = append(out, webpage.Block{Title: "Errors", Table: failureTable(p, l.Failures)})
	}
	if len(l.Slowest) > 0 {
		out = append(out, webpage.Block{Title: "Slowest operations", Table: slowestTable(p, l), Help: helpSlowest})
	}
	return out
}

func failureTable(p *page.Page, fs []result.Failure) *webpage.Table {
	t := &webpage.Table{Columns: []webpage.Column{{Title: "operation"}, {Title: "class"}, {Title: "status"}, {Title: "count", Number: true}, {Title: "share", Number: true}, {Title: "first"}}}
	var g webpage.Group
	for i := range fs {
		f := &fs[i]
		g.Rows = append(g.Rows, webpage.Row{Cells: []webpage.Cell{
			{Text: p.Text(f.Name)}, {Text: p.Text(f.Class)}, {Text: p.Text(f.Status)}, {Text: units.Count(f.Count), Value: number(f.Count)},
			{Text: loadtext.Share(f.Share), Value: strconv.FormatFloat(f.Share, 'g', -1, 64)}, {Text: p.Text(f.First)},
		}})
	}
	t.Groups = []webpage.Group{g}
	return t
}

func slowestTable(p *page.Page, l *result.Load) *webpage.Table {
	t := &webpage.Table{Columns: []webpage.Column{{Title: "operation"}, {Title: "number", Number: true}, {Title: "key or path"}, {Title: "due at", Number: true}, {Title: "service", Number: true}, {Title: "response", Number: true}, {}}}
	var g webpage.Group
	for i := range l.Slowest {
		o := &l.Slowest[i]
		k := strconv.FormatUint(o.K, 10)
		g.Rows = append(g.Rows, webpage.Row{Cells: []webpage.Cell{
			{Text: p.Text(o.Name)}, {Text: k, Value: k}, {Text: p.Text(o.Key)}, {Text: fmt.Sprintf("%.3f s", float64(o.Due)/1e9), Value: number(o.Due)},
			slowTime(o.Service(), o.Unanswered), slowTime(o.Response(), o.Unanswered), {Text: p.Text(strings.Join(loadtext.SlowWords(o), ", "))},
		}})
	}
	t.Groups = []webpage.Group{g}
	return t
}

// slowTime shows the time of an operation: with > if it was never answered.
func slowTime(ns int64, unanswered bool) webpage.Cell {
	c := webpage.Cell{Text: units.Time(ns), Value: number(ns)}
	if unanswered {
		c.Text = "> " + c.Text
	}
	return c
}

func number(n int64) string { return strconv.FormatInt(n, 10) }
