package render

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/textpage"
	"github.com/tarebench/tare/internal/show/webpage"
	"github.com/tarebench/tare/record"
)

// PageRun is a run that a page shows.
type PageRun struct {
	Name     string // its heading where there are several
	Result   *result.Result
	Pictures []PagePicture // above its text or tables
	OverTime bool          // it is the run of a load, alone in its record, and Pictures show it as it went on
	Record   int           // index of its record among those inside
	Compared bool          // it is a comparison of the other runs of the page, which show their results themselves

	Differences []*View   // of its profiles, or those of two records: above everything else
	Select      Selection // of its profiles

	live bool // it goes on
}

// Selection says which call stacks of profiles are shown.
type Selection = textpage.Selection

// PagePicture is an SVG image in a page.
type PagePicture = webpage.Picture

// PageRecord is a record file that a page has inside.
type PageRecord = webpage.Record

// htmlWidth is how many columns preformatted text has in a page.
const htmlWidth = 110

// WriteHTML writes runs as one page that needs no other file, with the records inside. tool is who writes it, with its
// version.
func WriteHTML(w io.Writer, tool string, runs []PageRun, records []PageRecord) error {
	p, err := webPage(tool, runs)
	if err != nil {
		return err
	}
	p.Records = records
	return written(p.Write(w))
}

// WriteLive writes the page of a run that goes on, as far as it is known: its scripts get the rest from the server that the page
// is from.
func WriteLive(w io.Writer, tool string, so *result.Result) error {
	p, err := livePage(tool, so)
	if err != nil {
		return err
	}
	return written(p.Write(w))
}

// WriteLiveMain writes what is inside of the element main of that page.
func WriteLiveMain(w io.Writer, so *result.Result) error {
	p, err := livePage("", so)
	if err != nil {
		return err
	}
	return written(p.WriteMain(w))
}

func livePage(tool string, so *result.Result) (*webpage.Page, error) {
	var runs []PageRun
	if so.Run != nil {
		runs = []PageRun{{Result: so, OverTime: so.IsLoad() && so.Stepped == "" && so.LoadPairs == nil, live: true}}
	}
	p, err := webPage(tool, runs)
	if err != nil {
		return nil, err
	}
	p.Live = true
	if len(runs) == 0 {
		p.Title = "tare"
	}
	return p, nil
}

func written(err error) error {
	if err != nil {
		return fmt.Errorf("report: writing html: %w", err)
	}
	return nil
}

// webPage returns the page of runs.
func webPage(tool string, runs []PageRun) (*webpage.Page, error) {
	p := &webpage.Page{Tool: tool}
	for _, r := range runs {
		x, err := htmlRun(r.Result, r.Compared, r.Select)
		if err != nil {
			return nil, fmt.Errorf("report: %w", err)
		}
		above, err := htmlViews(r.Differences)
		if err != nil {
			return nil, fmt.Errorf("report: %w", err)
		}
		x.Blocks = append(above, x.Blocks...)
		x.Blocks = append(r.pictures(), x.Blocks...)
		if len(runs) > 1 {
			x.Name = r.Name
		}
		p.Runs = append(p.Runs, x)
	}
	p.Title, p.Banners = pageTitle(runs), banners(runs)
	return p, nil
}

// pictures returns the blocks of a run that are above its text or tables.
func (r *PageRun) pictures() []webpage.Block {
	if r.OverTime {
		return []webpage.Block{{Title: "Over time", OverTime: &webpage.OverTime{Record: r.Record, Live: r.live, Pictures: r.Pictures}, Help: helpOverTime}}
	}
	var out []webpage.Block
	for _, p := range r.Pictures {
		out = append(out, webpage.Block{Picture: &p})
	}
	return out
}

// pageTitle returns what was run first, and how many runs there are besides.
func pageTitle(runs []PageRun) string {
	shown := measuredRuns(runs)
	if len(shown) == 0 {
		return "tare"
	}
	title := htmlTitle(shown[0].Result)
	if n := len(shown) - 1; n > 0 {
		title = fmt.Sprintf("%s and %s", title, units.Plural(n, "more run"))
	}
	return title
}

// measuredRuns returns the runs of a page without what only compares them.
func measuredRuns(runs []PageRun) []PageRun {
	return slices.DeleteFunc(slices.Clone(runs), func(r PageRun) bool {
		return r.Compared || len(runs) > 1 && r.Result.Run == nil && len(r.Differences) > 0
	})
}

// htmlTitle returns what was run: the command, without the path of tare.
func htmlTitle(s *result.Result) string {
	if s.Run == nil || len(s.Run.Command) < 2 {
		return "tare"
	}
	args := textpage.WithoutOutput(s.Run.Command)
	return textpage.New(htmlOptions).Name("tare " + strings.Join(args[1:], " "))
}

var htmlOptions = Options{UTF8: true, Width: htmlWidth}

// htmlRun returns the words and figures of a run. Of runs for which there are no tables yet in a page, it returns the text
// that the verb prints. compared: results of single sides are left out.
func htmlRun(s *result.Result, compared bool, of Selection) (webpage.Run, error) {
	switch {
	case s.Run == nil && len(s.Results) == 0: // two records beside each other
		return webpage.Run{}, nil
	case isProgram(s):
		return htmlProgram(s, of)
	case s.IsLoad():
		return htmlLoad(s)
	case s.IsTime() || s.Selftest != nil:
		return htmlText(s)
	}
	p := newView(s, htmlOptions)
	x := webpage.Run{Facts: p.htmlFacts(s), Help: helpMeasured}
	if len(p.versus) > 0 {
		x.Help = helpVerdicts
	}
	for _, l := range p.lost {
		x.Verdicts = append(x.Verdicts, webpage.Verdict{Kind: webpage.Bad, Text: "lost: " + l})
	}
	for i := range p.versus {
		x.Verdicts = append(x.Verdicts, htmlVerdicts(&p.versus[i])...)
		x.Blocks = append(x.Blocks, p.htmlVersus(&p.versus[i], threshold(s), len(p.versus) > 1))
	}
	x.Blocks = append(x.Blocks, p.htmlWhy(s)...)
	for _, b := range p.broken {
		x.Verdicts = append(x.Verdicts, webpage.Verdict{Kind: webpage.Bad, Text: "failed: " + b.name + " on " + b.side + ": " + b.why})
	}
	for _, l := range p.lacking {
		x.Verdicts = append(x.Verdicts, webpage.Verdict{Kind: webpage.Unknown, Text: "not compared: " + l})
	}
	switch {
	case len(p.versus) == 0:
		x.Verdicts = append(x.Verdicts, p.htmlMeasured()...)
	case !compared:
		p.addResults(s)
	}
	if len(p.blocks) > 0 {
		x.Blocks = append(x.Blocks, p.htmlResults(s))
		charts, err := p.htmlCharts(s)
		if err != nil {
			return x, err
		}
		x.Blocks = append(x.Blocks, charts...)
	}
	for _, sec := range p.sections(s) {
		t := &textReport{view: &view{Page: textpage.New(htmlOptions)}}
		t.section(sec)
		x.Blocks = append(x.Blocks, webpage.Block{Text: pageText(t.Page), Help: sec.help})
	}
	profiles, err := htmlProfiles(s, of)
	if err != nil {
		return webpage.Run{}, err
	}
	x.Blocks = append(x.Blocks, profiles...)
	for _, o := range p.outputs {
		x.Blocks = append(x.Blocks, webpage.Block{Title: o.of, Text: strings.Join(o.lines, "\n")})
	}
	if why := textpage.PartialWhy(s); why != "" {
		x.Verdicts = append([]webpage.Verdict{{Kind: webpage.Unknown, Text: "partial: " + p.Text(why)}}, x.Verdicts...)
	}
	x.Notes, x.RowNotes = htmlNotes(p.Page, &p.notes)
	x.NoteHelp = helpNotes
	x.Repeat = textpage.Command(p.Charset, textpage.RepeatArgs(s.Run), htmlWidth)
	return x, nil
}

func pageText(p *textpage.Page) string {
	var b bytes.Buffer
	p.WriteTo(&b)
	return strings.TrimRight(b.String(), "\n")
}

// htmlMeasured says how many benchmarks were measured, and how many of them have warnings.
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
		out = append(out, webpage.Verdict{Kind: webpage.Unknown, Text: fmt.Sprintf("notes below have warnings about %d of %s", marked, units.Plural(rows, "row"))})
	} else if rows > failed {
		out = append(out, webpage.Verdict{Text: units.Plural(rows-failed, "row") + ", no warning about any of them"})
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

// facts are lines of the panel on how far the figures can be trusted.
type facts struct {
	*textpage.Page
	all []webpage.Fact
}

func (f *facts) add(name string, items ...string) {
	var words []string
	for _, it := range items {
		if it != "" {
			words = append(words, f.Text(it))
		}
	}
	if len(words) > 0 {
		f.all = append(f.all, webpage.Fact{Name: name, Value: strings.Join(words, textpage.Sep)})
	}
}

// machine adds where a run was measured.
func (f *facts) machine(run *record.Run) {
	f.add("machine", textpage.Machine(run.Env)...)
	f.add("system", run.Env.Kernel, run.Env.Virtual)
}

// origin adds when a run was measured, and by what.
func (f *facts) origin(run *record.Run) {
	if !run.Start.IsZero() {
		f.add("began", run.Start.UTC().Format(time.RFC3339))
	}
	f.add("written by", record.KindOf(run), run.Tare)
}

// htmlFacts returns on what was measured and how.
func (p *view) htmlFacts(s *result.Result) []webpage.Fact {
	if s.Run == nil {
		return nil
	}
	f := facts{Page: p.Page}
	f.machine(s.Run)
	if !archived(s.Run) {
		f.add("plan", plan(s.Run, s.Results))
	}
	f.add("sides", p.sides(s)...)
	f.add("built", builtWith(s))
	f.add("overhead of tare, and the machine", textpage.Overhead(s.Tare, true)...)
	f.origin(s.Run)
	return f.all
}

// htmlNotes returns the warnings about the run, those about the machine first, and those about rows.
func htmlNotes(p *textpage.Page, notes *textpage.Notes) (run, rows []webpage.Note) {
	for _, n := range notes.List(true) {
		x := webpage.Note{Machine: n.Machine, Text: p.Text(n.Text), Advice: p.Text(n.Advice)}
		for _, r := range n.Rows {
			x.Rows = append(x.Rows, p.Text(r.Text))
		}
		if n.Number == 0 {
			run = append(run, x)
			continue
		}
		if len(x.Rows) == 0 && len(n.Names) > 1 { // the text is the same for all
			for _, name := range n.Names {
				x.Rows = append(x.Rows, p.Text(name))
			}
		}
		x.Mark = p.Mark(n.Number)
		rows = append(rows, x)
	}
	return run, rows
}
