package flags

import (
	"slices"
	"sync"

	"github.com/tarebench/tare/internal/measure/job"
)

// group is a heading of the help texts with the flags below it.
type group struct {
	Title string
	Flags []string
}

// Groups has the headings in the order of the help texts, with the flags below each that are no options of a job, which have
// their heading in its table.
var Groups = []group{
	{"What to measure", []string{
		"metric", "cpu", "from", "binary", "arch", "all", "line", "apart",
		"since", "commits", "anchor", "commit", "branch", "machine", "go", "elsewhere",
	}},
	{"How long", []string{"window"}},
	{"Load", nil},
	{"Load by agents", []string{ // by tare-full
		"agents", "agents-listen", "nats", "agents-token", "nats-creds", "agents-cert", "agents-key", "agents-ca", "agents-group", "on-loss", "agents-keep", "agents-timeout", "allow-skew",
		"join", "token", "name", "max-rate", "max-duration", "allow-files", "keep", "ca", "cert", "key", "group", "once",
	}},
	{"Sides and verdicts", []string{
		"save", "by", "gate", "lost", "bisect-exit",
	}},
	{"The run", []string{"no-config", "print-config", "resume", "again", "dry-run", "list", "no-wait", "no-lock", "strict", "print-scenario", "schema"}},
	{"Profilers", []string{
		"show-calls", "show-paths", "blocked",
	}},
	{"History", []string{"store", "remote", "fetch", "push", "compact", "sequence", "suspects"}},
	{"Histograms", []string{"tag", "to", "percentiles", "unit", "values", "correct", "total", "scale", "over-time", "interval", "title"}},
	{"What is shown", []string{
		"hot", "top", "margin", "merge", "too-big", "counts", "syntax", "func", "runtime", "show", "depth", "sort", "focus", "ignore", "peek",
	}},
	{"Live page", []string{"live", "live-token", "live-cert", "live-key", "live-linger"}},
	{"Output", []string{"report-dir", "selftest-for", "summary", "repo", "pr", "comment", "output", "format", "verbose", "color", "progress"}},
	{"Help", []string{"help", helpAll, "version"}},
}

// jobGroups returns the headings of the options of all jobs, by their names.
var jobGroups = sync.OnceValue(func() map[string]string {
	groups := map[string]string{}
	for _, o := range job.AllOptions() {
		groups[o.Name] = o.Group
	}
	return groups
})

// groupOf returns the heading under which a flag is.
func groupOf(name string) string {
	if title := jobGroups()[name]; title != "" {
		return title
	}
	for _, g := range Groups {
		if slices.Contains(g.Flags, name) {
			return g.Title
		}
	}
	return ""
}
