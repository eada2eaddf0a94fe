package doctor

import (
	"cmp"
	"encoding/json"
	"io"
	"runtime"

	"github.com/tarebench/tare/internal/base/env"
	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/show/table"
	"github.com/tarebench/tare/internal/show/textpage"
	"github.com/tarebench/tare/record"
)

// WriteText writes the machine and the findings for people, without the self-test.
func (r *Report) WriteText(w io.Writer, p *textpage.Page) error {
	m := r.Machine
	p.Items(termtext.Normal, m.OS+"/"+m.Arch, cmp.Or(m.CPU, "unknown processor")+", "+units.Plural(m.Cores, "core"), m.Virtual())
	p.Blank()
	t := &table.Table{Columns: []table.Column{{}, {}}}
	styles := map[env.Level]termtext.Style{env.Warn: termtext.Yellow}
	for _, f := range r.Findings {
		t.Add(table.Line{Cells: []table.Cell{{Text: string(f.Level), Style: styles[f.Level]}, {Text: f.Name}}, Rest: f.Text})
		if f.Advice != "" {
			t.Add(table.Line{Cells: []table.Cell{{}, {}}, Rest: "→ " + f.Advice})
		}
	}
	p.Table(t.Fit(p.Charset, p.Columns, 0))
	_, err := p.WriteTo(w)
	return err
}

// WriteJSON writes one object, with the self-test if there was one.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(termtext.JSON(w))
	e.SetIndent("", "  ")
	return e.Encode(struct {
		Machine  record.Env    `json:"machine"`
		Clock    float64       `json:"clock_ns"`
		Loop     float64       `json:"loop_ns"`
		Findings []env.Finding `json:"findings"`
	}{session.Machine(r.Machine, runtime.Version()), r.Clock.Read, r.Clock.Loop, r.Findings})
}
