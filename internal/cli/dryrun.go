package cli

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tarebench/tare/internal/exit"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// dryRun prints the plan and what it will cost.
func (s *benchSession) dryRun() error {
	cfg := s.run.Config
	prep := time.Since(s.start)
	s.planTable()
	for _, l := range s.lost {
		fmt.Fprintf(s.out, "%s %s: fails: %s\n", l.Case.Pkg, l.Case.Name, l.Fork.Why)
	}
	of := fmt.Sprintf("%d rounds of %d benchmarks, %s, seed %s", cfg.Forks, len(s.plan.Cases), cfg.Order, s.run.Seed)
	if cfg.Precision > 0 {
		var looks []string
		for _, l := range stat.Looks(cfg.Forks, cfg.Confidence) {
			looks = append(looks, fmt.Sprint(l.Forks))
		}
		of = fmt.Sprintf("at most %s, looks after %s rounds", of, strings.Join(looks, ", "))
	}
	fmt.Fprintf(s.out, "\n%s\nforks %s + build and pilot %s = %s\n", of,
		roundDuration(s.plan.Estimate()), roundDuration(prep), roundDuration(s.plan.Estimate()+prep))
	if len(s.lost) > 0 {
		return exit.Silent(exit.Failure)
	}
	return nil
}

// planTable lists the cases: names on the left, figures on the right.
func (s *benchSession) planTable() {
	rows := [][]string{{"benchmark", "side", "procs", "mode", "N", "fork"}}
	for _, c := range s.plan.Cases {
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
	if len(s.sides) < 2 {
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
		fmt.Fprintln(s.out, line)
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
