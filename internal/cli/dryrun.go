package cli

import (
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/tarebench/tare/internal/plan"
	"github.com/tarebench/tare/record"
)

// dryRun prints the plan and what it will cost.
func (s *session) dryRun() error {
	cfg := s.run.Config
	prep := time.Since(s.start)
	w := tabwriter.NewWriter(s.out, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "package\tbenchmark\tprocs\tmode\tN\tfork\t\n")
	for _, c := range s.plan.Cases {
		n := fmt.Sprint(c.N)
		if c.Mode == record.ModeTime {
			n = "-"
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\t%s\t\n", c.Pkg, c.Name, c.Procs, c.Mode, n, roundDuration(time.Duration(c.Wall)))
	}
	w.Flush()
	for _, l := range s.lost {
		fmt.Fprintf(s.out, "%s %s: fails: %s\n", l.Case.Pkg, l.Case.Name, l.Fork.Why)
	}
	of := fmt.Sprintf("%d rounds of %d benchmarks, %s, seed %s", cfg.Forks, len(s.plan.Cases), cfg.Order, s.run.Seed)
	if cfg.Precision > 0 {
		of = fmt.Sprintf("at most %s, looks after 10, 20, 40, %d rounds", of, plan.MaxRounds)
	}
	fmt.Fprintf(s.out, "\n%s\nforks %s + build and pilot %s = %s\n", of,
		roundDuration(s.plan.Estimate()), roundDuration(prep), roundDuration(s.plan.Estimate()+prep))
	if len(s.lost) > 0 {
		return told(exitFailed)
	}
	return nil
}

// roundDuration keeps three significant digits.
func roundDuration(d time.Duration) time.Duration {
	unit := time.Duration(1)
	for d/unit >= 1000 {
		unit *= 10
	}
	return d.Round(unit)
}
