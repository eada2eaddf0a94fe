package render

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/render/page"
	"github.com/tarebench/tare/internal/render/webpage"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/units"
	"github.com/tarebench/tare/record"
)

// PageRun is a run that a page shows.
type PageRun struct {
	Name     string // its heading where there are several
	Result   *result.Result
	Pictures []PagePicture // above its text or tables
	OverTime bool          // it is the run of a load, alone in its record, and Pictures show it as it went on
	Record   int           // index of its record among those inside
}

// PagePicture is an SVG image in a page.
type PagePicture = webpage.Picture

// PageRecord is a record file that a page has inside.
type PageRecord = webpage.Record

// htmlWidth is how many columns preformatted text has in a page.
const htmlWidth = 110

// WriteHTML writes runs as one page that needs no other file, with the records inside. tool is who writes it, with its
// version.
func WriteHTML(w io.Writer, tool string, runs []PageRun, records []PageRecord) error {
	p := webpage.Page{Tool: tool, Records: records}
	for _, r := range runs {
		x, err := htmlRun(r.Result)
		if err != nil {
			return fmt.Errorf("report: %w", err)
		}
		x.Blocks = append(r.pictures(), x.Blocks...)
		if len(runs) > 1 {
			x.Name = r.Name
		}
		p.Runs = append(p.Runs, x)
	}
	if len(runs) > 0 {
		p.Title = htmlTitle(runs[0].Result)
	}
	if len(runs) > 1 {
		p.Title = fmt.Sprintf("%s and %s", p.Title, units.Plural(len(runs)-1, "more run"))
	}
	if err := p.Write(w); err != nil {
		return fmt.Errorf("report: writing html: %w", err)
	}
	return nil
}

// pictures returns the blocks of a run that are above its text or tables.
func (r *PageRun) pictures() []webpage.Block {
	if r.OverTime {
		return []webpage.Block{{Title: "Over time", OverTime: &webpage.OverTime{Record: r.Record, Pictures: r.Pictures}}}
	}
	var out []webpage.Block
	for _, p := range r.Pictures {
		out = append(out, webpage.Block{Picture: &p})
	}
	return out
}

// htmlTitle returns what was run: the command, without the path of tare.
func htmlTitle(s *result.Result) string {
	if s.Run == nil || len(s.Run.Command) < 2 {
		return "tare"
	}
	args := page.WithoutOutput(s.Run.Command)
	return page.New(htmlOptions).Name("tare " + strings.Join(args[1:], " "))
}

var htmlOptions = Options{UTF8: true, Width: htmlWidth}

// htmlRun returns the words and figures of a run. Of runs for which there are no tables yet in a page, it returns the text
// that the verb prints.
func htmlRun(s *result.Result) (webpage.Run, error) {
	switch {
	case isProgram(s):
		return htmlProgram(s)
	case s.IsLoad() || s.IsTime() || s.Selftest != nil:
		return htmlText(s)
	}
	p := newView(s, htmlOptions)
	x := webpage.Run{Facts: p.htmlFacts(s)}
	for i := range p.versus {
		x.Verdicts = append(x.Verdicts, htmlVerdicts(&p.versus[i])...)
		x.Blocks = append(x.Blocks, p.htmlVersus(&p.versus[i], threshold(s), len(p.versus) > 1))
	}
	for _, b := range p.broken {
		x.Verdicts = append(x.Verdicts, webpage.Verdict{Kind: webpage.Bad, Text: "failed: " + b.name + " on " + b.side + ": " + b.why})
	}
	for _, l := range p.lacking {
		x.Verdicts = append(x.Verdicts, webpage.Verdict{Kind: webpage.Unknown, Text: "not compared: " + l})
	}
	if len(p.versus) > 0 {
		p.addResults(s)
	} else {
		x.Verdicts = append(x.Verdicts, p.htmlMeasured()...)
	}
	if len(p.blocks) > 0 {
		x.Blocks = append(x.Blocks, p.htmlResults(s))
	}
	for _, sec := range p.sections(s) {
		t := &textReport{view: &view{Page: page.New(htmlOptions)}}
		t.section(sec)
		x.Blocks = append(x.Blocks, webpage.Block{Text: pageText(t.Page)})
	}
	for _, o := range p.outputs {
		x.Blocks = append(x.Blocks, webpage.Block{Title: o.of, Text: strings.Join(o.lines, "\n")})
	}
	if why := page.PartialWhy(s); why != "" {
		x.Verdicts = append([]webpage.Verdict{{Kind: webpage.Unknown, Text: "partial: " + p.Text(why)}}, x.Verdicts...)
	}
	x.Notes, x.RowNotes = p.htmlNotes()
	x.Repeat = page.Command(p.Charset, page.RepeatArgs(s.Run), htmlWidth)
	return x, nil
}

func pageText(p *page.Page) string {
	var b bytes.Buffer
	p.WriteTo(&b)
	return strings.TrimRight(b.String(), "\n")
}

// htmlMeasured says how many benchmarks were measured, and how many of them have doubts.
func (p *view) htmlMeasured() []webpage.Verdict {
	rows, marked, failed := 0, 0, 0
	for _, b := range p.blocks {
		for i := range b.rows {
			rows++
			switch {
			case b.rows[i].failed != "":
				failed++
			case b.rows[i].marks != "":
				marked++
			}
		}
	}
	var out []webpage.Verdict
	if failed > 0 {
		out = append(out, webpage.Verdict{Kind: webpage.Bad, Text: units.Plural(failed, "benchmark") + " failed"})
	}
	if marked > 0 {
		out = append(out, webpage.Verdict{Kind: webpage.Unknown, Text: fmt.Sprintf("notes below say what to doubt about %d of %s", marked, units.Plural(rows, "row"))})
	} else if rows > failed {
		out = append(out, webpage.Verdict{Text: units.Plural(rows-failed, "row") + " without doubts about single benchmarks"})
	}
	return out
}

// htmlText returns a run as the text that its verb prints.
func htmlText(s *result.Result) (webpage.Run, error) {
	var b bytes.Buffer
	if err := writeAs(&b, Text, s, htmlOptions); err != nil {
		return webpage.Run{}, err
	}
	return webpage.Run{Blocks: []webpage.Block{{Text: strings.TrimRight(b.String(), "\n")}}}, nil
}

// htmlProgram returns what a program did: the text of each view, below its picture if it has one.
func htmlProgram(s *result.Result) (webpage.Run, error) {
	views, err := programViews(s, record.KindOf(s.Run))
	if err != nil || len(views) == 0 {
		return webpage.Run{}, err
	}
	var x webpage.Run
	for _, v := range views {
		for _, f := range []struct {
			write func(io.Writer) error
			what  string
		}{{v.Files[".svg"], ""}, {v.Blocked, ", blocked time"}} {
			if f.write == nil {
				continue
			}
			var svg bytes.Buffer
			if err := f.write(&svg); err != nil {
				return webpage.Run{}, fmt.Errorf("%s: %w", v.Title, err)
			}
			x.Blocks = append(x.Blocks, webpage.Block{Picture: &webpage.Picture{SVG: svg.Bytes(), Alt: "flame graph of " + printable(v.Title) + f.what, Flame: true}})
		}
		var text bytes.Buffer
		if err := v.Text(&text, htmlOptions); err != nil {
			return webpage.Run{}, fmt.Errorf("%s: %w", v.Title, err)
		}
		x.Blocks = append(x.Blocks, webpage.Block{Text: strings.TrimRight(text.String(), "\n")})
	}
	return x, nil
}

// htmlFacts returns on what was measured and how.
func (p *view) htmlFacts(s *result.Result) []webpage.Fact {
	var out []webpage.Fact
	add := func(name string, items ...string) {
		var words []string
		for _, it := range items {
			if it != "" {
				words = append(words, p.Text(it))
			}
		}
		if len(words) > 0 {
			out = append(out, webpage.Fact{Name: name, Value: strings.Join(words, page.Sep)})
		}
	}
	if s.Run == nil {
		return nil
	}
	add("machine", page.Machine(s.Run.Env)...)
	add("system", s.Run.Env.Kernel, s.Run.Env.Virtual)
	if !archived(s.Run) {
		add("plan", plan(s.Run, s.Results))
	}
	add("sides", p.sides(s)...)
	add("built", builtWith(s))
	if !s.Run.Start.IsZero() {
		add("began", s.Run.Start.UTC().Format(time.RFC3339))
	}
	add("overhead of tare, and the machine", page.Overhead(s.Tare, true)...)
	add("written by", record.KindOf(s.Run), s.Run.Tare)
	return out
}

// htmlNotes returns the warnings about the run, those about the machine first, and those about rows.
func (p *view) htmlNotes() (run, rows []webpage.Note) {
	for _, n := range p.notes.List(true) {
		x := webpage.Note{Machine: n.Machine, Text: p.Text(n.Text), Advice: p.Text(n.Advice)}
		for _, r := range n.Rows {
			x.Rows = append(x.Rows, p.Text(r.Text))
		}
		if n.Number == 0 {
			run = append(run, x)
			continue
		}
		x.Mark = p.Mark(n.Number)
		rows = append(rows, x)
	}
	return run, rows
}
