package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/load/kv"
)

const searchLong = `tare load search finds the highest rate at which every --slo is met, and the rate
itself is sustained. It doubles the rate, or halves it, until one met them and one
missed them, and then bisects between the two. Each step has a warm-up of its own.
The answer is tried again, and counts only if it is met twice. Both neighbours are
printed, and every step is in the record.`

const searchExample = `  tare load search --workload a --slo 'p99<10ms'
  tare load search --workload b --db redis --slo 'READ p99.9<5ms' --slo 'errors<0.1%' --start 10000 -o search.jsonl`

// searchFlags are those that only a search has.
type searchFlags struct {
	start, most string
	precision   string
}

func newLoadSearch(s streams, bindings []kv.Binding) *cobra.Command {
	f, x := &loadFlags{}, &searchFlags{}
	cmd := &cobra.Command{
		Use:     "search [flags] --slo OBJECTIVE",
		Short:   "Find the highest rate that meets objectives",
		Long:    searchLong,
		Example: searchExample,
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runSearch(cmd, s, f, x, bindings)
		},
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	fl.StringVar(&x.start, "start", "1000/s", "first `rate` that is tried")
	fl.StringVar(&x.most, "most", "1M/s", "the highest `rate` that is tried")
	fl.StringVar(&x.precision, "precision", "5%", "stop when the rate above is within this `share`, at least 1%")
	f.registerWhat(fl, bindings)
	fl.StringVar(&f.arrivals, "arrivals", "", "constant or poisson (default constant)")
	fl.DurationVar(&f.duration, "duration", 10*time.Second, "of each step")
	f.registerHow(fl, 2*time.Second)
	f.registerShow(fl)
	return cmd
}

func runSearch(cmd *cobra.Command, st streams, f *loadFlags, x *searchFlags, bindings []kv.Binding) error {
	var w wrongs
	if len(f.slo) == 0 {
		w.add("search needs an --slo, such as 'p99<10ms'")
	}
	start, err := parseRate(x.start)
	if err != nil {
		w.add("--start: %v", err)
	}
	most, err := parseRate(x.most)
	if err != nil {
		w.add("--most: %v", err)
	}
	precision, err := session.ParseShare(x.precision)
	if err != nil || precision < 0.01 {
		w.add("--precision %s is not a share from 1%% on", x.precision)
	}
	if start > most {
		w.add("--start %s is above --most %s", x.start, x.most)
	}
	if err := w.err("tare load search --slo 'p99<10ms'"); err != nil {
		return err
	}
	f.rate = x.start
	s, err := newLoadSession(cmd.Flags(), st, f, bindings)
	if err != nil {
		return err
	}
	s.stepped, s.steps = result.SteppedSearch, "search from "+result.Rate(start)
	if f.dryRun {
		return s.dry()
	}
	search := &search{start: start, most: most, precision: precision}
	return s.measure(func(ctx context.Context, t *loaded) error {
		if err := s.insert(ctx, t); err != nil {
			return err
		}
		for n := uint64(0); ; n++ {
			rate, more := search.next()
			if !more {
				return nil
			}
			met, err := s.tryRate(ctx, t, rate, n)
			if err != nil {
				return err
			}
			search.tell(rate, met)
		}
	})
}

// tryRate runs a step, and reports whether all objectives were met.
func (s *loadSession) tryRate(ctx context.Context, t *loaded, rate float64, n uint64) (bool, error) {
	s.sink.about = "at " + result.Rate(rate) + ": "
	c := s.plan.run
	c.Schedule.Rate, c.First = rate, n*phaseNumbers
	if err := s.step(ctx, t, c, s.plan.warmup); err != nil {
		return false, err
	}
	sum := s.sink.Result()
	last := &sum.Steps[len(sum.Steps)-1]
	if !s.status.silent {
		word := "met"
		if !last.Met {
			word = "missed"
		}
		if len(s.plan.slo) > 0 {
			fmt.Fprintf(s.err, "tare: %s %s\n", result.Rate(rate), word)
		}
	}
	return last.Met, nil
}
