// Package machinetext shows benchmarks that were compared on several machines: each machine's ratio and the combined one,
// as text, Markdown and JSON.
package machinetext

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/render/markdown"
	"github.com/tarebench/tare/internal/render/page"
	"github.com/tarebench/tare/internal/render/table"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/machines"
	"github.com/tarebench/tare/internal/termtext"
	"github.com/tarebench/tare/internal/units"
	"github.com/tarebench/tare/record"
)

// Write writes what machines say together as text, Markdown or JSON. JSON is one object with the keys "record", which is
// the name of the file, and "machines".
func Write(w io.Writer, f render.Format, name string, r *machines.Result, o page.Options) error {
	var b bytes.Buffer
	var err error
	switch f {
	case render.Text:
		newView(r, o).text(&b)
	case render.Markdown:
		o.UTF8 = true
		newView(r, o).markdown(&b)
	case render.JSON:
		e := json.NewEncoder(termtext.JSON(&b))
		e.SetIndent("", "  ")
		err = e.Encode(struct {
			Record   string           `json:"record"`
			Machines *machines.Result `json:"machines"`
		}{name, r})
	default:
		err = fmt.Errorf("benchmarks on several machines have no format %q", f)
	}
	if err == nil {
		_, err = w.Write(b.Bytes())
	}
	return err
}

// view is a result with what all formats for people share.
type view struct {
	*page.Page
	r     *machines.Result
	notes page.Notes
}

func newView(r *machines.Result, o page.Options) *view {
	v := &view{Page: page.New(o), r: r}
	v.notes.Run(r.Warnings...)
	return v
}

// header says on what was measured.
func (v *view) header() (out []string) {
	for _, m := range v.r.Machines {
		parts := []string{m.CPU, m.OS + "/" + m.Arch, units.Plural(m.Cores, "core"), m.Go}
		out = append(out, v.Name(m.Name)+": "+v.Name(strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", ")))
	}
	return out
}

// sides says what is compared, and how it is judged.
func (v *view) sides() (out []string) {
	for _, s := range v.r.Sides {
		text := v.Name(s.Name)
		if rev := short(s.Revision); rev != "" {
			text += " = " + v.Name(rev)
		}
		if s.Dirty {
			text += " (dirty)"
		}
		out = append(out, text)
	}
	return append(out, "changes within ± "+units.Percent(v.r.Threshold)+" do not matter")
}

// short cuts a commit as git does.
func short(rev string) string {
	const enough, hash = 7, 40
	if len(rev) >= hash {
		return rev[:enough]
	}
	return rev
}

func (v *view) text(b *bytes.Buffer) {
	v.Para(termtext.Bold, "%s, combined", units.Plural(len(v.r.Machines), "machine"))
	for _, line := range v.header() {
		v.Hang(termtext.Dim, "  ", line)
	}
	v.Hang(termtext.Dim, "sides: ", v.sides()...)
	v.Blank()
	explained := explanation
	if len(v.r.Rows) == 0 {
		v.Para(termtext.Normal, "no benchmark was compared")
	} else {
		explained = v.fitted()
	}
	v.Blank()
	for _, text := range v.differences() {
		v.Hang(termtext.Yellow, "differs: ", text)
	}
	for _, text := range v.missing() {
		v.Hang(termtext.Yellow, "missing: ", text)
	}
	v.Items(termtext.Normal, v.tally())
	v.Items(termtext.Dim, explained...)
	if v.Verbose {
		v.Blank()
		v.Table(v.details().Fit(v.Charset, v.Columns, page.LeastName))
	}
	v.Page.Notes(&v.notes)
	v.WriteTo(b)
}

// fitted writes the table in the first shape that fits, and returns the explanations of the columns that it has.
func (v *view) fitted() []string {
	first := v.usual()
	f := table.First(v.Charset, v.Columns, int(none-first)+1, func(i int) (*table.Table, int) { return v.table(first + shape(i)), page.LeastName })
	v.Table(f)
	return slices.DeleteFunc(slices.Clone(explanation), func(text string) bool {
		title, _, _ := strings.Cut(text, ":")
		return slices.Contains(f.Gone(), title)
	})
}

func (v *view) markdown(b *bytes.Buffer) {
	markdown.Paragraph(b, "**"+units.Plural(len(v.r.Machines), "machine")+", combined: "+markdown.Text(v.tally())+"**")
	markdown.Tables(b, v.table(v.usual()), "benchmark")
	for _, text := range v.differences() {
		markdown.Paragraph(b, "differs: "+markdown.Text(text))
	}
	for _, text := range v.missing() {
		markdown.Paragraph(b, "missing: "+markdown.Text(text))
	}
	markdown.Items(b, "", explanation)
	if v.Verbose {
		var all bytes.Buffer
		markdown.Tables(&all, v.details(), "benchmark")
		markdown.Details(b, "each machine", strings.TrimSpace(all.String()))
	}
	markdown.Notes(b, &result.Result{End: &record.End{State: record.EndCompleted}}, &v.notes, v.Verbose)
	markdown.Items(b, "sides: ", v.sides())
	markdown.Items(b, "machines: ", v.header())
	markdown.End(b)
}

// explanation says of what the combined figures are.
var explanation = []string{
	"combined: the mean change on machines like these, whose times are not put together",
	"another machine: holds the change on one more machine",
	"between: share of the variance of the ratios that is between machines",
}
