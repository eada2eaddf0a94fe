// Package plantext writes the plan of a run that --dry-run asks for: the benchmarks, how often
// they run, and how long that takes.
package plantext

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/show/table"
	"github.com/tarebench/tare/internal/show/textpage"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// Plan is what would be measured.
type Plan struct {
	Run       *record.Run
	Cases     []*record.Case
	Lost      []string // benchmarks that failed already, and why
	Preparing time.Duration
	Measuring time.Duration
}

// leastName is the least width of the benchmarks' names, in cells.
const leastName = 24

// Write writes the plan: a table of the benchmarks, and the time that it takes.
func Write(w io.Writer, p *Plan, o textpage.Options) error {
	out := textpage.New(o)
	out.Table(p.table().Fit(out.Charset, out.Columns, leastName))
	if err := out.Flush(w); err != nil {
		return err
	}
	for _, l := range p.Lost {
		fmt.Fprintln(w, termtext.Visible(redact.Name(termtext.OneLine(l))))
	}
	cfg := &p.Run.Config
	for _, l := range p.iterations() {
		fmt.Fprintln(w, out.Charset.Text(l))
	}
	rounds := fmt.Sprintf("%s of %s, %s, seed %s", units.Plural(cfg.Forks, "round"), units.Plural(len(p.Cases), "benchmark"), cfg.Order, p.Run.Seed)
	if cfg.Precision > 0 {
		var checks []string
		for _, l := range stat.InterimAnalyses(cfg.Forks, cfg.Confidence) {
			checks = append(checks, fmt.Sprint(l.Forks))
		}
		rounds = fmt.Sprintf("at most %s, checked after %s rounds", rounds, strings.Join(checks, ", "))
	}
	if n := p.held(); n < cfg.Forks {
		rounds += fmt.Sprintf("\n--budget %s holds about %s", units.Duration(cfg.Budget), units.Plural(n, "round"))
	}
	_, err := fmt.Fprintf(w, "\n%s\nforks %s + build and calibration %s = %s\n", rounds,
		round(p.Measuring), round(p.Preparing), round(p.Measuring+p.Preparing))
	return err
}

// held returns how many rounds the budget holds, which is one at least; all if there is no budget.
func (p *Plan) held() int {
	cfg := &p.Run.Config
	var all time.Duration // of a round
	for _, c := range p.Cases {
		all += time.Duration(c.Wall)
	}
	if cfg.Budget <= 0 || all <= 0 {
		return cfg.Forks
	}
	return min(cfg.Forks, max(1, int(p.Measuring/all)))
}

// table lists the cases: names on the left, figures on the right.
func (p *Plan) table() *table.Table {
	t := &table.Table{Columns: []table.Column{
		{Title: "benchmark"}, {Title: "side"}, {Title: "procs", Kind: table.Right}, {Title: "mode", Kind: table.Right},
		{Title: "N", Kind: table.Right}, {Title: "fork", Kind: table.Right},
	}}
	for _, c := range p.Cases {
		n, side := fmt.Sprint(c.N), c.Side
		if c.Mode == record.ModeTime {
			n = units.None
		}
		if len(p.Run.Sides) < 2 {
			side = ""
		}
		t.Row(c.Pkg+" "+redact.Name(c.Name), side, fmt.Sprint(c.Procs), c.Mode, n, round(time.Duration(c.Wall)).String())
	}
	return t
}

// iterations returns how forks iterate, where that is each benchmark's own choice: a line for each choice.
func (p *Plan) iterations() []string {
	cfg := &p.Run.Config
	if !cfg.ShortIterations {
		return nil
	}
	var lines []string
	names := map[string][]string{}
	for _, c := range p.Cases {
		if c.SingleShot {
			continue
		}
		n, d := cfg.Iterating(c)
		line := fmt.Sprintf("forks of (%d+%d) × %s", cfg.Warmup, n, units.Duration(d))
		if c.Long != "" {
			line += ", because of " + c.Long
		}
		if names[line] == nil {
			lines = append(lines, line)
		}
		if name := redact.Name(c.Name); !slices.Contains(names[line], name) {
			names[line] = append(names[line], name)
		}
	}
	for i, line := range lines {
		lines[i] = line + ": " + units.List(names[line], mostNames)
	}
	return lines
}

// mostNames is how many benchmarks a line names.
const mostNames = 8

// round returns x rounded to three significant digits.
func round(d time.Duration) time.Duration {
	unit := time.Duration(1)
	for d/unit >= 1000 {
		unit *= 10
	}
	return d.Round(unit)
}
