package cli

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tarebench/tare/internal/exit"
	"github.com/tarebench/tare/internal/runner"
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
		for _, l := range stat.Looks(cfg.Forks, cfg.Confidence) {
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
	rows := [][]string{{"benchmark", "side", "procs", "mode", "N", "fork"}}
	for _, c := range p.Plan.Cases {
		n := fmt.Sprint(c.N)
		if c.Mode == record.ModeTime {
			n = "-"
		}
		rows = append(rows, []string{c.Pkg + " " + c.Name, c.Side, fmt.Sprint(c.Procs), c.Mode, n, roundDuration(time.Duration(c.Wall)).String()})
	}
	width := make([]int, len(rows[0]))
	for _, r := range rows {
		for i, cell := range r {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	if len(p.Run.Sides) < 2 {
		width[1] = 0
		rows[0][1] = ""
	}
	for _, r := range rows {
		line := fmt.Sprintf("%-*s", width[0], r[0])
		if width[1] > 0 {
			line += fmt.Sprintf("  %-*s", width[1], r[1])
		}
		for i, cell := range r[2:] {
			line += fmt.Sprintf("  %*s", width[i+2], cell)
		}
		fmt.Fprintln(w, line)
	}
}

// roundDuration keeps three significant digits.
func roundDuration(d time.Duration) time.Duration {
	unit := time.Duration(1)
	for d/unit >= 1000 {
		unit *= 10
	}
	return d.Round(unit)
}
