package render

import (
	"strconv"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/textpage"
)

// view is what a report for people shows, as printable words: text and Markdown
// differ only in how they lay it out.
type view struct {
	*textpage.Page
	blocks  []block
	columns []string // units that have a column of their own
	sided   bool     // some rows have a side
	flaky   bool     // some rows lost forks
	another bool     // some rows know about another run
	level   string   // "95 %"
	need    string   // instead of an interval
	notes   textpage.Notes
	outputs []output

	versus  []versus // each further side against the first
	broken  []broken // results without figures, where there are sides
	lacking []string // what sides lack
	lost    []string // what sides lack of the first

	procs      map[[2]string]map[int]bool // by package and name: the values of GOMAXPROCS with which a benchmark ran
	noPackages bool                       // rows are of no package
}

// block holds the rows of one package.
type block struct {
	pkg  string
	rows []row
}

// row is one benchmark, role and side.
type row struct {
	res     *result.Benchmark
	name    string // with role, and procs where they differ
	repeat  bool   // the row above has the same name and another side
	side    string
	main    figure
	metrics []figure // as res.Metrics
	marks   string   // of footnotes
	failed  string   // instead of figures
}

// output is what a failed fork printed last.
type output struct {
	of    string
	lines []string
}

// maxSide is the most columns the name of a side may take.
const maxSide = 16

// newView makes the words of a summary: those of its results only if there is
// nothing to compare. Who wants both calls addResults when the comparisons are
// written, so that footnotes are numbered in their order.
func newView(s *result.Result, o Options) *view {
	p := &view{Page: textpage.New(o), level: units.Level(confidence(s)), need: "no interval", procs: procsOf(s.Results), noPackages: s.LoadPairs != nil}
	if n := forksNeeded(confidence(s)); n > 0 {
		p.need = "need ≥ " + units.Plural(n, "fork")
	}
	p.compare(s, o.Verbose)
	p.runNotes(s)
	if len(p.versus) == 0 {
		p.addResults(s)
	}
	return p
}

// addResults makes a row of each result.
func (p *view) addResults(s *result.Result) {
	p.columns, p.another = columnUnits(s.Results), showsAnother(s.Results)
	for _, r := range result.InOrder(s.Results) {
		if n := len(p.blocks); n == 0 || p.blocks[n-1].pkg != p.pkg(r.Pkg) {
			p.blocks = append(p.blocks, block{pkg: p.pkg(r.Pkg)})
		}
		b := &p.blocks[len(p.blocks)-1]
		row := p.row(r)
		if n := len(b.rows); n > 0 {
			row.repeat = b.rows[n-1].name == row.name && b.rows[n-1].side != row.side
		}
		b.rows = append(b.rows, row)
	}
}

func (p *view) pkg(path string) string {
	switch {
	case path == "" && p.noPackages:
		return ""
	case path == "":
		return "(no package)"
	}
	return p.Name(path)
}

// benchmark returns the printable name of a benchmark.
func (p *view) benchmark(name string, procs int, showProcs bool) string {
	out := p.Name(name)
	if name == "" {
		out = "Benchmark" // func Benchmark(b *testing.B)
	}
	if showProcs {
		out += "-" + strconv.Itoa(procs)
	}
	return out
}

// named returns the name of a benchmark, with GOMAXPROCS if it ran with several values, and its side if it has one.
func (p *view) named(pkg, name string, procs int, side string) string {
	out := p.benchmark(name, procs, len(p.procs[[2]string{pkg, name}]) > 1)
	if side != "" {
		out += ", " + p.Name(side)
	}
	return out
}

func (p *view) row(r *result.Benchmark) row {
	out := row{res: r, name: p.named(r.Pkg, r.Name, r.Procs, ""), side: p.Middle(p.Name(r.Side), maxSide)}
	p.output(r, out.name)
	if r.Role != "" {
		out.name += " " + p.Name(r.Role)
	}
	out.marks = p.marks(out.name, p.ofSide(r))
	p.sided = p.sided || r.Side != ""
	if r.Forks == 0 {
		out.failed = "failed: " + p.Text(r.Failed)
		if r.Failed == "" {
			out.failed = "no figures"
		}
		return out
	}
	p.flaky = p.flaky || r.ForksFailed > 0
	out.main = p.figure(r.Unit, r.Interval, nil)
	for _, m := range r.Metrics {
		out.metrics = append(out.metrics, p.figure(m.Unit, m.Interval, m.Values))
	}
	return out
}

// forks returns a text such as "18/20" for a row that lost forks.
func (r *row) forks() string {
	if r.res.ForksFailed == 0 || r.failed != "" {
		return ""
	}
	return strconv.Itoa(r.res.Forks) + "/" + strconv.Itoa(max(r.res.Rounds, r.res.Forks))
}

// procsOf returns the GOMAXPROCS values with which each benchmark ran.
func procsOf(results []result.Benchmark) map[[2]string]map[int]bool {
	out := map[[2]string]map[int]bool{}
	for _, r := range results {
		k := [2]string{r.Pkg, r.Name}
		if out[k] == nil {
			out[k] = map[int]bool{}
		}
		out[k][r.Procs] = true
	}
	return out
}
