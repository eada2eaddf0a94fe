package cli

import (
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/measure/loadrun"
	"github.com/tarebench/tare/internal/show/live"
	"github.com/tarebench/tare/internal/show/render"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// loadFlags are the flags of tare load.
type loadFlags struct {
	loadrun.Options
	dryRun    bool
	schema    bool // print the schema of scenarios
	print     bool // print the scenario
	judged    bool // the run needs an objective
	progress  string
	gates     []string
	live      live.Options
	agents    Agents // nil: this program has none
	output    outputFlags
	databases []string // names that --db takes
}

func newLoadFlags(c Config) *loadFlags {
	f := &loadFlags{}
	if c.Agents != nil {
		f.agents = c.Agents()
	}
	return f
}

const loadLong = `tare load sends operations to a database or service on a schedule that the system
cannot delay, and reports how late they were answered. Response time counts from
when an operation was due; service time, which most tools report, from when it was
sent. Operations without an answer, in flight at the end or never sent, count with
the time that they had waited: figures that they decide have > before them. They
count against every --slo, as errors if they waited longer than any that was answered.

Workloads are YCSB's A to F, or a file of its properties. With --rate operations are
due at fixed times, and a worker is added whenever one is due and none is free,
unless --workers sets their number. Without --rate each worker sends its next
operation when the last was answered (a closed loop): there are only service times.
-p and -P take what YCSB's client takes: tare load bindings client lists it, and what does
nothing here is named.

A PACKAGE of Go, ./shop or an import path, is loaded by its own code: it has a function
Target(cfg map[string]string) (load.Target, error), and cfg has what -p sets. It is built into a
program, whose process runs the load; tare and its module need one version of
github.com/tarebench/tare. Connections off this machine are checked only if it makes them by
load.NewDialer, with the consent of load.ParseSettings.

--scenario loads an HTTP service with transactions of several requests, which the FILE
describes (YAML): data of users, captured values, checks, think time, and the phases of the load.
Flags such as --rate replace its phases. Each transaction and each of its steps has latencies
of its own: a step a service time only, because the transaction is what was due.

A run has up to three phases: the records are inserted, then a warm-up, then the run
itself. Only the run counts in the results.

A target on another machine needs --allow-host with its HOST, HOST:PORT, address or CIDR
block: load on a machine of others is an attack. A name allows what it resolves to, also
when that changes; a block allows addresses by whatever name.

--serve starts the server and stops it. --side and --against compare two: in pairs of
short windows, in random order, and with servers that are started several times each,
because two processes of one program differ, too. Verdicts are on percentiles of
response and service time, and on operations answered without error.

--live HOST:PORT serves the page of -o x.html while the run goes on, and figures for
Prometheus at /metrics. A process of its own serves them from the record file, at the
lowest priority. Other machines reach it only with --live-token, --live-cert and
--live-key; the token is the password of any user, or a bearer token. 16 browsers get
what is new. Whoever has the token always gets a place, and another one leaves for it;
without a token, whoever opens the whole address that tare prints, with what is behind #.

A run that misses its target rate, or has operations without an answer, reports it
and exits 0, or 4 under --strict. If nothing at all was answered, it exits 1.`

const loadExample = `  tare load --workload a --db bolt --rate 5000 --duration 10s
  tare load --workload c --db mock -p mock.delay=4ms --rate 1000 --workers 1
  tare load --workload b --db redis://127.0.0.1:6379 --rate 20000/s --arrivals poisson -o run.jsonl -o run.hlog
  tare load --workload a --rate 1000..5000 --duration 1m --slo 'READ p99.9<20ms' --slo 'errors<0.1%'
  tare load ./shop -p url=http://127.0.0.1:8080 --rate 500
  tare load --scenario shop.yaml --slo 'buy/login p99<50ms'
  tare load --workload a --db bolt --rate 5000 --duration 10m --live 127.0.0.1:0
  tare load --db 'http://127.0.0.1:{port}/items' --rate 2000 --serve 'go run ./cmd/server' --against HEAD
  tare load --rate 2000 --duration 5m --side old=http://127.0.0.1:8080 --side new=http://127.0.0.1:8081
  tare load search --workload a --slo 'p99<10ms'
  tare load sweep --workload c --rates 1000,2000,4000
  tare load bindings redis`

func newLoad(s streams, c Config) *cobra.Command {
	f, bindings := newLoadFlags(c), c.Bindings
	cmd := verb{
		use:     "load [flags] [PACKAGE]",
		short:   "Load a database or service, and measure response times",
		long:    loadLong,
		example: loadExample,
		args:    f.packageArgument,
		register: func(fl *pflag.FlagSet) {
			f.registerWhat(fl, bindings)
			fl.BoolVar(&f.print, "print-scenario", false, "print the --scenario with what flags change of it, and measure nothing")
			fl.BoolVar(&f.schema, "schema", false, "print the JSON Schema of scenarios, for editors")
			f.registerSchedule(fl)
			f.registerHow(fl, 5*time.Second)
			f.registerSides(fl)
			f.registerShow(fl, logSuffix)
		},
		run: func(cmd *cobra.Command, args []string) error { return f.run(cmd, s, bindings, nil) },
	}.command()
	cmd.AddCommand(newLoadSearch(s, c), newLoadSweep(s, c), newLoadBindings(s, bindings))
	return cmd
}

// registerWhat adds the flags of the database and the workload.
func (f *loadFlags) registerWhat(fl *pflag.FlagSet, bindings []kv.Binding) {
	f.databases = loadrun.BindingNames(bindings)
	fl.StringVar(&f.Workload, "workload", "", "a YCSB workload, `a` to f, or a file of properties")
	fl.StringVar(&f.Scenario, "scenario", "", "a `FILE` of transactions of several HTTP requests, instead of --workload and --db")
	fl.StringVar(&f.DB, "db", loadrun.DefaultDB, "what is loaded: "+strings.Join(loadrun.BindingNames(bindings), ", ")+", or a `URL`; see tare load bindings")
	flags.Offer(fl, "db", loadrun.BindingNames(bindings)...)
	fl.StringArrayVarP(&f.Properties, "property", "p", nil, "set a property, `NAME=VALUE`, as YCSB has them; repeatable")
	fl.StringArrayVarP(&f.PropertyFiles, "properties", "P", nil, "read properties from a `FILE`; repeatable, -p wins")
	fl.StringArrayVar(&f.AllowHosts, "allow-host", nil, "a target off this machine that you may load: `HOST`[:PORT], an address, or a CIDR block; repeatable")
	fl.StringVar(&f.Serve, "serve", "", "start the server by this `command` and stop it after the run; {port} in it and in --db is a free port, also in the variable PORT")
	fl.StringVar(&f.Health, "health", "", "`path` that the server answers with 2xx when it is ready (default: it accepts connections)")
	fl.DurationVar(&f.ReadyTimeout, "ready-timeout", 10*time.Second, "how long the server may take to become ready, and Target of a Go package to return")
	fl.StringVar(&f.Dir, "dir", "", "keep an embedded database in this `directory` (default: a temporary one)")
	fl.Int64Var(&f.Records, "records", 1000, "records in the database before the run")
	fl.BoolVar(&f.NoLoad, "no-load", false, "do not insert the records: the database has them already")
}

// registerSides adds the flags of a comparison.
func (f *loadFlags) registerSides(fl *pflag.FlagSet) {
	fl.StringArrayVar(&f.Sides, "side", nil, "compare two sides: `NAME=URL`, or NAME=COMMAND of a server to start; the base first")
	fl.StringVar(&f.Against, "against", "", "compare the server of --serve with that of another git `revision`, the base")
	fl.DurationVar(&f.Window, "side-duration", 0, "of sides, how long one is measured before the other is (default 1s, or what 1050 operations take)")
	fl.IntVar(&f.Starts, "starts", 0, "of sides, how often both servers are started anew, 6 at least (default by --duration)")
	flags.Threshold(fl, &f.Threshold, 0.05, "change between sides")
	flags.Gates(fl, &f.gates, "a side")
}

// registerSchedule adds the flags of the schedule.
func (f *loadFlags) registerSchedule(fl *pflag.FlagSet) {
	fl.StringVar(&f.Rate, "rate", "", "operations due, `N/s`: 5000, 5000/s, 5/10s; A..B for a ramp (default: a closed loop)")
	fl.DurationVar(&f.Ramp, "ramp", 0, "time in which --rate A..B goes from A to B (default: the whole run)")
	fl.StringVar(&f.Steps, "steps", "", "rates one after the other: `1000/s:10s,2000/s:10s`")
	fl.StringVar(&f.Replay, "replay", "", "due times from a `FILE`, one a line: 1.5ms, or nanoseconds")
	fl.StringVar(&f.Arrivals, "arrivals", "", "constant, or poisson: independent of each other (default constant)")
	fl.DurationVar(&f.Duration, "duration", 10*time.Second, "how long the run lasts; operations that are due later are not sent")
	fl.Int64Var(&f.Operations, "operations", 0, "end the run after this many operations, not after a duration; all are sent")
}

// registerHow adds the flags of the way operations are sent. warmup is the default length
// of the warm-up.
func (f *loadFlags) registerHow(fl *pflag.FlagSet, warmup time.Duration) {
	fl.DurationVar(&f.Warmup, "warmup-duration", warmup, "time of a warm-up at the same rate; its operations are excluded from the results")
	fl.StringVar(&f.Workers, "workers", "", "`N` that send, or auto: one more whenever an operation is due and none is free (default auto, 1 in a closed loop)")
	fl.IntVar(&f.MaxOutstanding, "max-outstanding", 1000, "the most workers that auto makes")
	fl.StringVar(&f.OnLate, "on-late", "catch-up", "what happens to operations that could not be sent in time: catch-up, limit=2x, skip=10ms, fail=1s")
	fl.StringVar(&f.Pace, "pace", string(load.PaceHybrid), "how workers wait: hybrid, sleep or spin")
	fl.DurationVar(&f.OpTimeout, "op-timeout", 10*time.Second, "time limit of one operation")
	fl.DurationVar(&f.Drain, "drain", 5*time.Second, "time for unfinished operations at the end, before they are cancelled")
	fl.Int64Var(&f.MaxErrors, "max-errors", 0, "end the run after this many errors (default no limit)")
	fl.DurationVar(&f.Interval, "status-interval", time.Second, "length of the intervals whose figures progress shows, and whose histograms are in the record")
	fl.IntVar(&f.Slowest, "slowest", 10, "how many of the slowest operations are kept, each with its times and its key or path; 0 for none")
	fl.StringArrayVar(&f.WatchPIDs, "watch-pid", nil, "Linux: watch the server's process `PID` in each interval: CPU time, waits for a processor, stops, memory, page faults; repeatable (default: the server that tare starts)")
	fl.StringVar(&f.WatchVars, "watch-vars", "", "ask the server at this `URL` for its garbage collections, as package expvar publishes them (default path /debug/vars; {port} as in --serve)")
	flags.Seed(fl, &f.Seed, "all choices")
}

// registerShow adds the flags of the result. suffixes are those of -o that only load runs have.
func (f *loadFlags) registerShow(fl *pflag.FlagSet, suffixes ...string) {
	fl.StringArrayVar(&f.Objectives, "slo", nil, "exit 3 if missed: `'p99<10ms'`, 'READ p99.9<20ms', 'errors<0.1%', 'rate>=99%'; repeatable")
	flags.Strict(fl, &f.Strict, "the rate is missed or the result carries a warning")
	fl.StringVar(&f.Latency, "latency", "both", "what stdout shows: intended (response), op (service), both, or corrected (service, and an estimate of what it omits)")
	flags.DryRun(fl, &f.dryRun)
	flags.Progress(fl, &f.progress)
	registerLive(fl, &f.live)
	if f.agents != nil {
		f.agents.Register(fl)
	} else {
		registerFull(fl)
	}
	f.output.formats, f.output.suffixes = render.LoadFormats(), withSuffixes(tableSuffixes, suffixes...)
	f.output.register(fl, "more columns: min, p99.99, tare's own lateness")
}

// Suffixes of -o that only load runs have: the log of intervals, and the curve of a search or
// sweep over its rates.
const (
	logSuffix   = ".hlog"
	curveSuffix = ".svg"
)
