package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/measure/loadrun"
	"github.com/tarebench/tare/internal/show/live"
	"github.com/tarebench/tare/internal/show/render"
)

// loadFlags are the flags of tare load.
type loadFlags struct {
	job       job.Load
	dryRun    bool
	schema    bool // print the schema of scenarios
	print     bool // print the scenario
	strict    bool
	progress  string
	gates     []string
	live      live.Options
	agents    Agents // nil: this program has none
	output    outputFlags
	databases []string // names that --db takes
}

const loadLong = `tare load sends operations to a database or service on a schedule that the system cannot delay, and
reports how late they were answered. Response time counts from when an operation was due; service time, which most
tools report, from when it was sent.

Operations without an answer, in flight at the end or never sent, count with the time that they had waited: figures that they decide have > before them. They count against every --slo, as errors if
they waited longer than any that was answered.

Workloads are YCSB's A to F, or a file of its properties. With --rate operations are due at fixed times, and a worker
is added whenever one is due and none is free, unless --workers sets their number. Without --rate each worker sends
its next operation when the last was answered (a closed loop): there are only service times. -p and -P take what
YCSB's client takes: tare load bindings client lists it, and what does nothing here is named.

A PACKAGE of Go, ./shop or an import path, is loaded by its own code: it has a function Target(cfg map[string]string)
(load.Target, error), and cfg has what -p sets. It is built into a program, whose process runs the load; tare and its
module need one version of github.com/tarebench/tare. Connections off this machine are checked only if it makes them
by load.NewDialer, with the consent of load.ParseSettings.

--scenario loads an HTTP service with transactions of several requests, which the FILE describes (YAML): data of
users, captured values, checks, think time, and the phases of the load. Flags such as --rate replace its phases. Each
transaction and each of its steps has latencies of its own: a step a service time only, because the transaction is
what was due.

A run has up to three phases: the records are inserted, then a warm-up, then the run itself. Only the run counts in
the results.

--search SLO finds the highest rate at which every --search and --slo is met and the rate itself is achieved. It
doubles the rate, or halves it, until one rate met the objectives and one missed them, and then bisects between the
two. Each step has a warm-up of its own. The answer is measured again, and counts only if it is met twice. Both
neighbours are printed, and every step is in the record. Operations that fail are no throughput: unless an objective
is about errors, 'errors<1%' is another one.

A step is undecided if response times missed an objective that service times meet, and the load generator was so late
that this explains it. It is measured again, up to three times in a row; then the highest rate is undecided on this
machine, and the search ends with exit 4 if no rate met the objectives, else with 0, or 4 under --strict.

--rates LIST runs a step at each of several rates, each with a warm-up of its own, and prints how latency grows with
throughput. Of --search and --rates, -o FILE.svg draws the curve.

A target on another machine needs --allow-host with its HOST, HOST:PORT, address or CIDR block: load on a machine of
others is an attack. A name allows what it resolves to, also when that changes; a block allows addresses by whatever
name.

--serve starts the server and stops it. --side and --against compare two: in pairs of short windows, in random order,
and with servers that are started several times each, because two processes of one program differ, too. Verdicts are
on percentiles of response and service time, and on operations answered without error.

--live HOST:PORT serves the page of -o x.html while the run goes on, and figures for Prometheus at /metrics. A process
of its own serves them from the record file, at the lowest priority. Other machines reach it only with --live-token,
--live-cert and --live-key; the token is the password of any user, or a bearer token. 16 browsers get what is new.
Whoever has the token always gets a place, and another one leaves for it; without a token, whoever opens the whole
address that tare prints, with what is behind #.

A run that misses its target rate, or has operations without an answer, reports it and exits 0, or 4 under --strict.
If nothing at all was answered, it exits 1.`

const loadExample = `  tare load --workload a --db bolt --rate 5000 --duration 10s
  tare load --workload c --db mock -p mock.delay=4ms --rate 1000 --workers 1
  tare load --workload b --db redis://127.0.0.1:6379 --rate 20000/s --arrivals poisson -o run.jsonl -o run.hlog
  tare load --workload a --rate 1000..5000 --duration 1m --slo 'READ p99.9<20ms' --slo 'errors<0.1%'
  tare load ./shop -p url=http://127.0.0.1:8080 --rate 500
  tare load --scenario shop.yaml --slo 'buy/login p99<50ms'
  tare load --workload a --db bolt --rate 5000 --duration 10m --live 127.0.0.1:0
  tare load --db 'http://127.0.0.1:{port}/items' --rate 2000 --serve 'go run ./cmd/server' --against HEAD
  tare load --rate 2000 --duration 5m --side old=http://127.0.0.1:8080 --side new=http://127.0.0.1:8081
  tare load --workload a --search 'p99<10ms'
  tare load --workload b --db redis --search 'READ p99.9<5ms' --search 'errors<0.1%' --start 10000 -o search.jsonl
  tare load --workload a --db redis --rates 1000..20000/8 -o curve.svg
  tare load bindings redis`

func newLoad(s streams, c Config) *cobra.Command {
	f := &loadFlags{job: job.DefaultLoad(), databases: loadrun.BindingNames(c.Bindings)}
	if c.Agents != nil {
		f.agents = c.Agents()
	}
	cmd := verb{
		use:      "load [flags] [PACKAGE]",
		short:    "Load a database or service, and measure response times",
		long:     loadLong,
		example:  loadExample,
		args:     f.packageArgument,
		register: f.register,
		run:      func(cmd *cobra.Command, args []string) error { return f.run(cmd, s, c.Bindings) },
	}.command()
	cmd.AddCommand(newLoadBindings(s, c.Bindings))
	return cmd
}

func (f *loadFlags) register(fl *pflag.FlagSet) {
	flags.Job(fl, f.job.Options(), job.OnLoad)
	flags.Describe(fl, "db", "what is loaded: "+strings.Join(f.databases, ", ")+", or a `URL`; see tare load bindings")
	flags.Offer(fl, "db", f.databases...)
	fl.BoolVar(&f.print, "print-scenario", false, "print the --scenario with what flags change of it, and measure nothing")
	fl.BoolVar(&f.schema, "schema", false, "print the JSON Schema of scenarios, for editors")
	flags.Gates(fl, &f.gates, "a side")
	flags.Strict(fl, &f.strict, "the rate is missed or the result carries a warning")
	flags.DryRun(fl, &f.dryRun)
	flags.Progress(fl, &f.progress)
	registerLive(fl, &f.live)
	if f.agents != nil {
		f.agents.Register(fl)
	} else {
		registerFull(fl)
	}
	f.output.formats, f.output.suffixes = render.LoadFormats(), withSuffixes(tableSuffixes, logSuffix)
	f.output.register(fl, "more columns: min, p99.99, tare's own lateness")
}

// logSuffix is the suffix of -o that only load runs have: of the log of intervals.
const logSuffix = ".hlog"

// packageArgument takes the argument of tare load: a Go package that is the target.
func (f *loadFlags) packageArgument(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case len(args) > 1:
		return usageError(fmt.Errorf("%s takes one Go package, and was given %q, too", cmd.CommandPath(), args[1]), "")
	}
	f.job.Package = args[0]
	if strings.ContainsAny(f.job.Package, "./") {
		if strings.Contains(f.job.Package, "://") {
			return usageError(fmt.Errorf("%s takes a Go package, and a URL is no package", cmd.CommandPath()), "--db takes the URL")
		}
		return nil
	}
	if now := flags.OldVerbs[cmd.CommandPath()+" "+f.job.Package]; now != "" {
		return usageError(errors.New(now), "")
	}
	hint := "a directory is written ./" + f.job.Package
	cmd.SuggestionsMinimumDistance = 2
	if near := cmd.SuggestionsFor(f.job.Package); len(near) > 0 {
		hint = "did you mean: " + cmd.CommandPath() + " " + near[0]
	}
	if slices.Contains(f.databases, f.job.Package) {
		hint = "did you mean: --db " + f.job.Package
	}
	return usageError(fmt.Errorf("%s takes a Go package, and was given %q", cmd.CommandPath(), f.job.Package), hint)
}
