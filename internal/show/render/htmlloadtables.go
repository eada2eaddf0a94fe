package render

import (
	"strconv"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/subjects/loadtext"
	"github.com/tarebench/tare/internal/show/textpage"
	"github.com/tarebench/tare/internal/show/webpage"
	"github.com/tarebench/tare/record"
)

// loadTables returns the tables of a load run that readers sort: errors by operation, class and status, the slowest
// operations, and the load generators.
func loadTables(p *textpage.Page, l *result.Load) (out []webpage.Block) {
	if len(l.Failures) > 0 {
		out = append(out, webpage.Block{Title: "Errors", Table: failureTable(p, l.Failures)})
	}
	if len(l.Slowest) > 0 {
		out = append(out, webpage.Block{Title: "Slowest operations", Table: slowestTable(p, l), Help: helpSlowest})
	}
	if l.Agents != nil {
		out = append(out, webpage.Block{Title: "Agents", Table: agentTable(p, l.Agents), Help: helpAgents})
	}
	return out
}

func failureTable(p *textpage.Page, fs []result.Failure) *webpage.Table {
	t := &webpage.Table{Columns: []webpage.Column{{Title: "operation"}, {Title: "class"}, {Title: "status"}, {Title: "count", Number: true}, {Title: "share", Number: true}, {Title: "first"}}}
	for i := range fs {
		f := &fs[i]
		t.Add([]webpage.Cell{
			{Text: p.Text(f.Name)}, {Text: p.Text(f.Class)}, {Text: p.Text(f.Status)}, {Text: units.Count(f.Count), Value: number(f.Count)},
			{Text: loadtext.Share(f.Share), Value: exactValue(f.Share)}, {Text: p.Text(f.First)},
		}...)
	}
	return t
}

// slowestTable returns the table that texts have, with its titles, and with the number of each operation.
func slowestTable(p *textpage.Page, l *result.Load) *webpage.Table {
	text := loadtext.SlowestTable(l.Slowest, l.ClosedLoop, p.Charset)
	t := &webpage.Table{Columns: []webpage.Column{{Title: "operation"}, {Title: "number", Number: true}, {Title: "key or path"}}}
	figures := text.Columns[2:] // behind the operation and its key
	for _, c := range figures {
		t.Columns = append(t.Columns, webpage.Column{Title: c.Title, Number: true})
	}
	t.Columns = append(t.Columns, webpage.Column{})
	for i := range l.Slowest {
		o, line := &l.Slowest[i], &text.Blocks[0].Lines[i]
		k := strconv.FormatUint(o.K, 10)
		cells := []webpage.Cell{{Text: p.Text(o.Name)}, {Text: k, Value: k}, {Text: p.Text(o.Key)}}
		for n, c := range figures {
			cells = append(cells, webpage.Cell{Text: line.Cells[2+n].Text, Value: number(slowTime(o, c.Title))})
		}
		t.Add(append(cells, webpage.Cell{Text: line.Rest})...)
	}
	return t
}

// slowTime returns the time in ns that a column of the slowest operations has of one.
func slowTime(o *record.SlowOperation, title string) int64 {
	switch title {
	case "waited":
		return o.Start - o.Due
	case "service":
		return o.Service()
	case "response":
		return o.Response()
	}
	return o.Due // due at, sent at
}

// agentTable returns the table that texts have, with its titles, and with the machine of each agent.
func agentTable(p *textpage.Page, a *result.Agents) *webpage.Table {
	text := loadtext.AgentTable(a, p.Charset)
	t := &webpage.Table{Columns: []webpage.Column{{Title: "agent"}, {Title: "machine"}}}
	figures := text.Columns[1 : len(text.Columns)-1]
	for _, c := range figures {
		t.Columns = append(t.Columns, webpage.Column{Title: c.Title, Number: true})
	}
	t.Columns = append(t.Columns, webpage.Column{Title: "state"})
	for i := range a.Agents {
		x, line := &a.Agents[i], text.Blocks[0].Lines[i].Cells
		cells := []webpage.Cell{{Text: p.Text(x.Name)}, {Text: p.Text(x.Host)}}
		for n, value := range loadtext.AgentFigures(x) {
			cells = append(cells, webpage.Cell{Text: line[1+n].Text, Value: exactValue(value)})
		}
		state := webpage.Cell{Text: p.Text(line[len(line)-1].Text)}
		switch {
		case x.State != record.AgentDone:
			state.Kind = webpage.Bad
		case x.Suspect != "":
			state.Kind, state.Text = webpage.Distrusted, state.Text+", see its machine"
		}
		t.Add(append(cells, state)...)
	}
	return t
}

func number(n int64) string { return strconv.FormatInt(n, 10) }
