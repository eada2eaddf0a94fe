package job

import (
	"slices"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/load"
)

// paces are the values of --pace. The first is the default.
var paces = []string{string(load.PaceHybrid), string(load.PaceSleep), string(load.PaceSpin)}

// Options are the ways to set the fields of l, in the order of the help text.
func (l *Load) Options() []Option {
	return slices.Concat(
		under(groupWhat, OnLoad, []Option{
			{Name: "workload", Value: text(&l.Workload), Daily: OnLoad, Help: "a YCSB workload, `a` to f, or a file of properties"},
			{Name: "scenario", Value: text(&l.Scenario), Daily: OnLoad,
				Help: "a `FILE` of HTTP transactions; instead of --workload and --db"},
			{Name: "db", Value: text(&l.DB), Daily: OnLoad, Help: "what is loaded, a name or a `URL`; see tare load bindings"},
			{Name: "property", Short: "p", Value: List{&l.Properties}, Daily: OnLoad, Help: "set a property, `NAME=VALUE`, as YCSB has them; repeatable"},
			{Name: "properties", Short: "P", Value: List{&l.PropertyFiles}, Help: "read properties from a `FILE`; repeatable, -p wins"},
			{Name: "serve", Value: text(&l.Serve), Daily: OnLoad,
				Help: "start the server by this `command`; it is stopped after the run; {port} in it and in --db is a free port, also in the variable PORT"},
			{Name: "health", Value: text(&l.Health), Help: "`path` that the server answers with 2xx when it is ready (default: it accepts connections)"},
			{Name: "ready-timeout", Value: duration(&l.ReadyTimeout),
				Help: "how long the server may take to become ready, and Target of a Go package to return"},
			{Name: "dir", Value: text(&l.Dir), Help: "keep an embedded database in this `directory` (default: a temporary one)"},
			{Name: "records", Value: number(&l.Records), Help: "records in the database before the run"},
			{Name: "no-load", Value: flag(&l.NoLoad), Help: "do not insert the records: the database has them already"},
			{Name: "replay", Value: text(&l.Replay), Help: "due times from a `FILE`, one a line: 1.5ms, or nanoseconds"},
		}),
		under(groupLength, OnLoad, []Option{
			{Name: "duration", Value: duration(&l.Duration), Daily: OnLoad,
				Help: "how long the run, or each step, lasts; operations that are due later are not sent"},
			{Name: "operations", Value: number(&l.Operations), Help: "end the run after this many operations, not after a duration; all are sent"},
			{Name: "warmup-duration", Value: duration(&l.Warmup),
				Help: "time of a warm-up at the same rate; its operations are excluded from the results; 2s for each step of --search and --rates"},
			{Name: "precision", Value: Share(&l.Precision), Help: "stop a --search when the rate above is within this `share`, at least 1%"},
		}),
		under(groupLoad, OnLoad, []Option{
			{Name: "allow-host", Value: List{&l.AllowHosts},
				Help: "a target off this machine that you may load: `HOST`[:PORT], an address, or a CIDR block; repeatable"},
			{Name: "rate", Value: text(&l.Rate), Daily: OnLoad,
				Help: "operations due, `N/s`: 5000, 5000/s, 5/10s; A..B for a ramp (default: a closed loop)"},
			{Name: "ramp", Value: duration(&l.Ramp), Help: "time in which --rate A..B goes from A to B (default: the whole run)"},
			{Name: "steps", Value: text(&l.Steps), Help: "rates one after the other: `1000/s:10s,2000/s:10s`"},
			{Name: "search", Value: List{&l.Search}, Daily: OnLoad,
				Help: "find the highest rate that meets this `SLO`; as of --slo, and with those of --slo; repeatable"},
			{Name: "start", Value: text(&l.Start), Help: "first `rate` that --search tries"},
			{Name: "most", Value: text(&l.Most), Help: "the highest `rate` that --search tries"},
			{Name: "rates", Value: text(&l.Rates), Daily: OnLoad,
				Help: "measure a step at each rate of a `list`: 1000,2000,5000; or A..B/N, N rates from A to B"},
			{Name: "arrivals", Value: text(&l.Arrivals), Help: "constant, or poisson: independent of each other (default constant)"},
			{Name: "workers", Value: text(&l.Workers),
				Help: "`N` that send, or auto: one more whenever an operation is due and none is free (default auto, 1 in a closed loop)"},
			{Name: "max-outstanding", Value: number(&l.MaxOutstanding), Help: "the most workers that auto makes"},
			{Name: "on-late", Value: text(&l.OnLate),
				Help: "what happens to operations that could not be sent in time: catch-up, limit=2x, skip=10ms, fail=1s"},
			{Name: "pace", Value: text(&l.Pace), Words: paces, Help: "how workers wait: hybrid, sleep or spin"},
			{Name: "op-timeout", Value: duration(&l.OpTimeout), Help: "time limit of one operation"},
			{Name: "drain", Value: duration(&l.Drain), Help: "time for unfinished operations at the end, before they are cancelled"},
			{Name: "max-errors", Value: number(&l.MaxErrors), Help: "end the run after this many errors (default no limit)"},
			{Name: "status-interval", Value: duration(&l.Interval),
				Help: "length of the intervals whose figures progress shows, and whose histograms are in the record"},
			{Name: "slowest", Value: number(&l.Slowest),
				Help: "how many of the slowest operations are kept, each with its times and its key or path; 0 for none"},
			{Name: "watch-pid", Value: List{&l.WatchPIDs},
				Help: "Linux: watch the server's process `PID` in each interval: CPU time, waits for a processor, stops, memory, page faults; repeatable (default: the server that tare starts)"},
			{Name: "watch-vars", Value: text(&l.WatchVars),
				Help: "ask the server at this `URL` for its garbage collections, as package expvar publishes them (default path /debug/vars; {port} as in --serve)"},
			{Name: "slo", Value: List{&l.Objectives}, Daily: OnLoad,
				Help: "exit 3 if missed: `'p99<10ms'`, 'READ p99.9<20ms', 'errors<0.1%', 'rate>=99%'; repeatable"},
			{Name: "latency", Value: text(&l.Latency), Words: result.LatencyChoices(),
				Help: "what stdout shows: intended (response), op (service), both, or corrected (service, and an estimate of what it omits)"},
		}),
		under(groupSides, OnLoad, []Option{
			{Name: "side", Value: List{&l.Sides}, Help: "compare two sides: `NAME=URL`, or NAME=COMMAND of a server to start; the base first"},
			{Name: "against", Value: text(&l.Against), Daily: OnLoad, Help: "compare the server of --serve with that of this `revision`, the base"},
			{Name: "side-duration", Value: duration(&l.Window),
				Help: "of sides, how long one is measured before the other is (default 1s, or what 1050 operations take)"},
			{Name: "starts", Value: number(&l.Starts), Help: "of sides, how often both servers are started anew, 6 at least (default by --duration)"},
			thresholdOption(&l.Threshold, OnLoad, 0, ""),
		}),
		[]Option{seedOption(&l.Seed, OnLoad, "all choices")},
	)
}

// under sets the heading and the verbs of options.
func under(group string, on Verbs, options []Option) []Option {
	for i := range options {
		options[i].Group, options[i].On = group, on
	}
	return options
}
