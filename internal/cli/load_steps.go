package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/measure/loadrun"
	"github.com/tarebench/tare/load/kv"
)

const searchLong = `tare load search finds the highest rate at which every --slo is met and the rate
itself is achieved. It doubles the rate, or halves it, until one rate met the
objectives and one missed them, and then bisects between the two. Each step has a
warm-up of its own. The answer is measured again, and counts only if it is met twice.
Both neighbours are printed, and every step is in the record.

Operations that fail are no throughput: unless an --slo is about errors, 'errors<1%' is
another objective.

A step is undecided if response times missed an --slo that service times meet, and the
load generator was so late that this explains it. It is measured again, up to three
times in a row; then the highest rate is undecided on this machine, and the search
ends with exit 0, or 4 under --strict.`

const searchExample = `  tare load search --workload a --slo 'p99<10ms'
  tare load search --workload b --db redis --slo 'READ p99.9<5ms' --slo 'errors<0.1%' --start 10000 -o search.jsonl`

const needsObjective = "search needs an --slo, such as 'p99<10ms'"

// searchErrors is an objective of a search unless another is about errors: a server that refuses
// everything is fast.
const searchErrors = "errors<1%"

// searchFlags are those that only a search has.
type searchFlags struct{ start, most, precision string }

func newLoadSearch(s streams, c Config) *cobra.Command {
	f, x, bindings := newLoadFlags(c), &searchFlags{}, c.Bindings
	return verb{
		use:     "search [flags] --slo OBJECTIVE [PACKAGE]",
		short:   "Find the highest rate that meets objectives",
		long:    searchLong,
		example: searchExample,
		args:    f.packageArgument,
		register: func(fl *pflag.FlagSet) {
			fl.StringVar(&x.start, "start", "1000/s", "first `rate` that is tried")
			fl.StringVar(&x.most, "most", "1M/s", "the highest `rate` that is tried")
			fl.StringVar(&x.precision, "precision", "5%", "stop when the rate above is within this `share`, at least 1%")
			f.registerSteps(fl, bindings)
		},
		run: func(cmd *cobra.Command, args []string) error { return x.run(cmd, s, f, bindings) },
	}.command()
}

// registerSteps adds the flags that a search and a sweep share.
func (f *loadFlags) registerSteps(fl *pflag.FlagSet, bindings []kv.Binding) {
	f.registerWhat(fl, bindings)
	fl.StringVar(&f.Arrivals, "arrivals", "", "constant or poisson (default constant)")
	fl.DurationVar(&f.Duration, "duration", 10*time.Second, "how long each step lasts")
	f.registerHow(fl, 2*time.Second)
	f.registerShow(fl, logSuffix, curveSuffix)
}

func (x *searchFlags) run(cmd *cobra.Command, s streams, f *loadFlags, bindings []kv.Binding) error {
	p := problems{exit.Problems{Hint: "tare load search --slo 'p99<10ms'"}}
	f.judged = true
	if len(f.Objectives) == 0 && f.Scenario == "" {
		p.Add(needsObjective)
	}
	start, err := loadrun.ParseRate(x.start)
	if err != nil {
		p.Add("--start: %v", err)
	}
	most, err := loadrun.ParseRate(x.most)
	if err != nil {
		p.Add("--most: %v", err)
	}
	precision, err := units.ParseShare(x.precision)
	if err != nil || precision < 0.01 {
		p.Add("--precision %s is not a share from 1%% on", x.precision)
	}
	if start > most {
		p.Add("--start %s is above --most %s", x.start, x.most)
	}
	if err := p.Err(); err != nil {
		return err
	}
	f.Rate, f.ErrorsBelow = x.start, searchErrors
	return f.run(cmd, s, bindings, func(p *loadrun.Plan) { p.SetSearch(start, most, precision) })
}

const sweepLong = `tare load sweep runs a step at each of several rates, each with a warm-up of its own,
and prints how latency grows with throughput. -o FILE.svg draws the curve. Every step
is in the record.`

const sweepExample = `  tare load sweep --workload c --rates 1000,2000,4000,8000
  tare load sweep --workload a --db redis --rates 1000..20000/8 -o sweep.svg -o sweep.jsonl`

func newLoadSweep(s streams, c Config) *cobra.Command {
	f, bindings := newLoadFlags(c), c.Bindings
	list := ""
	return verb{
		use:     "sweep [flags] --rates LIST [PACKAGE]",
		short:   "Measure latency over a range of rates",
		long:    sweepLong,
		example: sweepExample,
		args:    f.packageArgument,
		register: func(fl *pflag.FlagSet) {
			fl.StringVar(&list, "rates", "", "`list` of rates: 1000,2000,5000; or A..B/N, N rates from A to B")
			f.registerSteps(fl, bindings)
		},
		run: func(cmd *cobra.Command, args []string) error {
			rates, err := loadrun.ParseRates(list)
			if err != nil {
				return usageError(fmt.Errorf("--rates: %w", err), "tare load sweep --rates 1000,2000,5000")
			}
			f.Rate = fmt.Sprint(rates[0])
			return f.run(cmd, s, bindings, func(p *loadrun.Plan) { p.SetSweep(rates, list) })
		},
	}.command()
}
