package job

import "fmt"

// Options are the ways to set the fields of p, in the order of the help text.
func (p *Program) Options() []Option {
	const traced, sampled, built = OnTrace | OnContrast, OnSample | OnContrast, OnTrace | OnSample | OnContrast
	return []Option{
		{Name: "tags", Value: text(&p.Tags), Group: groupWhat, On: built, Help: "build tags, comma-separated"},
		{Name: "env", Value: List{&p.Setenv}, Group: groupWhat, On: built,
			Help: "set a variable for the program: `K=V`, repeatable"},
		{Name: "url", Value: text(&p.URL), Group: groupWhat, On: OnSample, Daily: OnSample,
			Help: "sample the process that serves net/http/pprof at this `address`, for --duration (default 10s)"},
		{Name: "min-lines", Value: number(&p.MinLines), Group: groupWhat, On: traced, Daily: traced,
			Help: "leave out functions of fewer `lines`"},
		{Name: "literals", Value: flag(&p.Literals), Group: groupWhat, On: traced,
			Help: "trace function literals in functions that match, too"},
		{Name: "every", Value: number(&p.Every), Group: groupWhat, On: traced,
			Help: "count all calls, and time one of `K` on average"},

		{Name: "duration", Value: duration(&p.Duration), Group: groupLength, On: built | OnAsm, Daily: built,
			Help: "end the program after this wall time, as Ctrl-C does (default: it ends by itself)"},
		{Name: "delay", Value: duration(&p.Delay), Group: groupLength, On: OnAsm,
			Help: "of a command: count samples only after this wall time"},

		{Name: "include", Value: List{&p.Include}, Group: groupProfilers, On: traced, Daily: traced,
			Help: "functions to trace, by `pattern`; repeatable"},
		{Name: "exclude", Value: List{&p.Exclude}, Group: groupProfilers, On: traced, Daily: traced,
			Help: "functions to leave out, by `pattern`; repeatable"},
		{Name: "count-only", Value: flag(&p.CountOnly), Group: groupProfilers, On: traced, Daily: traced,
			Help: "count calls without timing them: 1 ns a call, for small hot functions"},
		{Name: "room", Value: size(&p.Room), Group: groupProfilers, On: traced,
			Help: "`size` of the memory that keeps calls by goroutine and call site (default 64MiB); further calls are counted, and not timed"},
		{Name: "keep-calls", Value: number(&p.KeepCalls), Group: groupProfilers, On: traced, Daily: OnTrace,
			Help: fmt.Sprintf("keep the first `N` calls in their order, %d at most", maxCalls)},
		{Name: "sample-interval", Value: duration(&p.Interval), Group: groupProfilers, On: sampled, Daily: sampled,
			Help: "time from sample to sample; with --cpu-time, of CPU time"},
		{Name: "wall", Value: flag(&p.Wall), Group: groupProfilers, On: sampled, Daily: OnSample,
			Help: "sample by wall time: all goroutines, running or waiting (default for programs that tare builds)"},
		{Name: "cpu-time", Value: flag(&p.CPUTime), Group: groupProfilers, On: sampled, Daily: sampled,
			Help: "sample by CPU time: what runs (default for other commands)"},
		{Name: "plain", Value: flag(&p.Plain), Group: groupProfilers, On: OnContrast, Daily: OnContrast,
			Help: "run it without a profiler, too, to measure what profiling costs"},
		{Name: "events", Value: words(&p.Events), Group: groupProfilers, On: OnAsm,
			Help: "`list` of what to sample, the first decides what is hot: cycles, cpu-clock, … (default: the best there is)"},
		{Name: "frequency", Value: number(&p.Frequency), Group: groupProfilers, On: OnAsm,
			Help: "samples per second of CPU time (default 997, with --detail 3989)"},
		{Name: "detail", Value: flag(&p.Detail), Group: groupProfilers, On: OnAsm,
			Help: "sample four times as often, at four times the cost"},
	}
}
