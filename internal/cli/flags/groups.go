package flags

// group is a heading of the help texts with the flags below it.
type group struct {
	Title string
	Flags []string
}

// Groups has every flag of every verb in one place: a name means the same
// wherever it is. The order is that of the help texts.
var Groups = []group{
	{"What to measure", []string{
		"bench", "metric", "skip", "filter", "gomaxprocs", "cpu", "mode", "tags", "with", "env", "gogc", "gc-before", "memory-limit", "memory-max", "cwd", "shell", "param", "setup", "prepare", "cleanup", "stdout", "input",
		"ignore-failure", "url", "literals", "min-lines", "include", "exclude", "from",
		"workload", "scenario", "db", "property", "properties", "dir", "records", "no-load", "replay", "binary", "arch", "all", "line", "apart",
		"serve", "health", "ready-timeout",
		"since", "commits", "every", "anchor", "commit", "branch", "machine", "go", "elsewhere",
	}},
	{"How long", []string{
		"forks", "runs", "warmup", "warmup-duration", "iterations", "time", "benchtime", "window", "duration", "operations", "precision", "budget", "spread", "timeout", "delay",
		"quick", "short",
	}},
	{"Load", []string{
		"allow-host", "rate", "rates", "start", "most", "ramp", "steps", "arrivals", "workers", "max-outstanding", "on-late", "pace", "op-timeout", "drain", "max-errors",
		"slo", "latency", "status-interval", "slowest", "watch-pid", "watch-vars",
	}},
	{"Load by agents", []string{ // by tare-full
		"agents", "agents-listen", "nats", "agents-token", "nats-creds", "agents-cert", "agents-key", "agents-ca", "agents-group", "on-loss", "agents-keep", "agents-timeout", "allow-skew",
		"join", "token", "name", "max-rate", "max-duration", "allow-files", "keep", "ca", "cert", "key", "group", "once",
	}},
	{"Sides and verdicts", []string{
		"vs", "compare", "base", "against", "save", "side", "side-duration", "starts", "toolchain", "side-env", "side-flags", "side-deep", "threshold", "test", "correction", "confidence", "gate", "lost", "bisect-exit",
	}},
	{"The run", []string{"seed", "order", "layouts", "no-config", "print-config", "resume", "again", "dry-run", "list", "no-wait", "no-lock", "no-repeat", "no-priority", "strict", "print-scenario", "schema"}},
	{"Profilers", []string{
		"prof", "prof-forks", "deep", "selftest", "events", "frequency", "sample-interval", "wall", "cpu-time", "count-only", "room", "plain",
		"keep-calls", "show-calls", "show-paths", "blocked",
	}},
	{"History", []string{"store", "remote", "fetch", "push", "compact", "sitting", "suspects"}},
	{"Histograms", []string{"tag", "to", "percentiles", "unit", "values", "correct", "total", "scale", "over-time", "interval", "title"}},
	{"What is shown", []string{
		"detail", "hot", "top", "margin", "merge", "too-big", "counts", "syntax", "func", "runtime", "show", "depth", "sort", "focus", "ignore", "peek",
	}},
	{"Live page", []string{"live", "live-token", "live-cert", "live-key", "live-linger"}},
	{"Output", []string{"report-dir", "selftest-for", "summary", "repo", "pr", "comment", "output", "format", "verbose", "color", "progress"}},
	{"Help", []string{"help", "version"}},
}

// groupOf returns the heading under which a flag is.
func groupOf(flag string) string {
	for _, g := range Groups {
		for _, name := range g.Flags {
			if name == flag {
				return g.Title
			}
		}
	}
	return ""
}
