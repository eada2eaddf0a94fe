package cli

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/exit"
	"github.com/tarebench/tare/internal/render/table"
	"github.com/tarebench/tare/internal/runner"
	"github.com/tarebench/tare/internal/units"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// showPlan prints the plan and what it will cost.
func showPlan(w io.Writer, c *runner.Calibrated) error {
	cfg := c.Run.Config
	preparing, measuring := time.Since(c.Start), c.Plan.Estimate()
	writePlanTable(w, c)
	for _, l := range c.Lost {
		fmt.Fprintf(w, "%s %s: fails: %s\n", l.Case.Pkg, l.Case.Name, l.Fork.Why)
	}
	rounds := fmt.Sprintf("%d rounds of %d benchmarks, %s, seed %s", cfg.Forks, len(c.Plan.Cases), cfg.Order, c.Run.Seed)
	if cfg.Precision > 0 {
		var looks []string
		for _, l := range stat.InterimAnalyses(cfg.Forks, cfg.Confidence) {
			looks = append(looks, fmt.Sprint(l.Forks))
		}
		rounds = fmt.Sprintf("at most %s, checked after %s rounds", rounds, strings.Join(looks, ", "))
	}
	fmt.Fprintf(w, "\n%s\nforks %s + build and calibration %s = %s\n", rounds,
		roundDuration(measuring), roundDuration(preparing), roundDuration(measuring+preparing))
	if len(c.Lost) > 0 {
		return exit.Silent(exit.Failure)
	}
	return nil
}

// writePlanTable lists the cases: names on the left, figures on the right.
func writePlanTable(w io.Writer, p *runner.Calibrated) {
	t := &table.Table{Columns: []table.Column{
		{Title: "benchmark"}, {Title: "side"}, {Title: "procs", Kind: table.Right}, {Title: "mode", Kind: table.Right},
		{Title: "N", Kind: table.Right}, {Title: "fork", Kind: table.Right},
	}}
	for _, c := range p.Plan.Cases {
		n, side := fmt.Sprint(c.N), c.Side
		if c.Mode == record.ModeTime {
			n = units.None
		}
		if len(p.Run.Sides) < 2 {
			side = ""
		}
		t.Row(c.Pkg+" "+c.Name, side, fmt.Sprint(c.Procs), c.Mode, n, roundDuration(time.Duration(c.Wall)).String())
	}
	const least = 24 // cells of a name
	out := newPage(w)
	out.Table(t.Fit(out.Charset, out.Columns, least))
	out.WriteTo(w)
}

// roundDuration keeps three significant digits.
func roundDuration(d time.Duration) time.Duration {
	unit := time.Duration(1)
	for d/unit >= 1000 {
		unit *= 10
	}
	return d.Round(unit)
}
