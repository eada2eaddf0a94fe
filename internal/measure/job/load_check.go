package job

import (
	"time"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/numbers/objective"
	"github.com/tarebench/tare/internal/numbers/pace"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/load"
)

// Validate returns one error that names every contradiction, by the names of the options. It reads no file.
func (l *Load) Validate() error {
	p := &exit.Problems{}
	l.checkTarget(p)
	l.checkNumbers(p)
	l.checkWords(p)
	l.checkSearch(p)
	l.checkSides(p)
	l.checkSchedule(p)
	return p.Err()
}

// checkTarget checks that what is loaded is said once.
func (l *Load) checkTarget(p *exit.Problems) {
	said, names := "--scenario contradict each other: the file", []string{"property", "properties"}
	if l.Package != "" {
		said, names = "the Go package "+l.Package+" contradict each other: the package", []string{"scenario"}
	}
	if l.Package == "" && l.Scenario == "" {
		return
	}
	for _, name := range l.Set(append(names, "workload", "db", "records", "no-load", "dir", "side", "against")...) {
		p.Add("--%s and %s says what is loaded", name, said)
	}
}

func (l *Load) checkNumbers(p *exit.Problems) {
	atLeast(p, "ramp", l.Ramp, 0)
	atLeast(p, "warmup-duration", l.Warmup, 0)
	atLeast(p, "duration", l.Duration, 0)
	atLeast(p, "op-timeout", l.OpTimeout, 0)
	atLeast(p, "drain", l.Drain, 0)
	atLeast(p, "status-interval", l.Interval, time.Millisecond)
	atLeast(p, "ready-timeout", l.ReadyTimeout, 0)
	atLeast(p, "records", l.Records, 1)
	atLeast(p, "operations", l.Operations, 0)
	atLeast(p, "max-outstanding", l.MaxOutstanding, 1)
	atLeast(p, "max-errors", l.MaxErrors, 0)
	if l.Slowest < 0 || l.Slowest > 1000 {
		p.Add("--slowest %d is none of 0 to 1000", l.Slowest)
	}
}

func checkObjectives(p *exit.Problems, option string, texts []string) {
	for _, text := range texts {
		if _, err := objective.Parse(text); err != nil {
			p.Add("--%s: %v", option, err)
		}
	}
}

func atLeast[T int | int64 | time.Duration](p *exit.Problems, option string, v, least T) {
	if v < least {
		p.Add("--%s %v is less than %v", option, v, least)
	}
}

// checkWords checks options that take one of some words, objectives and the seed.
func (l *Load) checkWords(p *exit.Problems) {
	checkWord(p, "pace", l.Pace, paces)
	checkWord(p, "latency", l.Latency, result.LatencyChoices())
	checkObjectives(p, "slo", l.Objectives)
	checkObjectives(p, "search", l.Search)
	checkSeed(p, l.Seed, l.Given)
	if l.Given["watch-vars"] && l.WatchVars == "" {
		p.Add("--watch-vars is empty: want http://HOST:PORT/debug/vars")
	}
	if l.Given["rates"] && l.Rates == "" {
		p.Add("--rates is empty: want a list such as 1000,2000,4000")
	}
}

// checkSearch checks the bounds of a search, and that they have one.
func (l *Load) checkSearch(p *exit.Problems) {
	if len(l.Search) == 0 {
		for _, name := range l.Set("start", "most", "precision") {
			p.Add("--%s needs what is searched for: --search 'p99<10ms'", name)
		}
		return
	}
	start, _ := pace.ParseRate(l.Start) // the schedule begins with it, and has its error
	switch most, err := pace.ParseRate(l.Most); {
	case err != nil:
		p.Add("--most: %v", err)
	case start > most:
		p.Add("--start %s is above --most %s", l.Start, l.Most)
	}
	if l.Precision < 0.01 {
		p.Add("--precision %g is less than 1%%", l.Precision)
	}
}

// checkSides checks what is compared, and that only a comparison has what it alone needs.
func (l *Load) checkSides(p *exit.Problems) {
	switch {
	case !l.Compares() && l.Serve == "":
		for _, name := range l.Set("side-duration", "starts", "health", "ready-timeout", "threshold") {
			if name != "ready-timeout" || l.Package == "" { // of Target
				p.Add("--%s needs --side, --against or --serve", name)
			}
		}
	case len(l.Sides) > 0 && (l.Against != "" || l.Serve != ""):
		p.Add("--side NAME=COMMAND names the servers: leave out --against and --serve")
	case l.Against != "" && l.Serve == "":
		p.Add("--against %s needs --serve 'COMMAND', which starts the server in each revision", l.Against)
	case len(l.Sides) > 0 && len(l.Sides) != 2:
		p.Add("--side is given %d times: two sides are compared, the base first", len(l.Sides))
	}
	if !l.Compares() {
		return
	}
	for _, name := range l.Set("ramp", "steps", "replay", "search", "rates", "operations", "slo") {
		p.Add("--%s: sides are compared at one rate, in windows: give --rate and --duration, and --gate for what is to be met", name)
	}
	if l.Threshold <= 0 {
		p.Add("--threshold %g is not above 0", l.Threshold)
	}
	if len(l.WatchPIDs) > 0 || l.WatchVars != "" {
		p.Add("--watch-pid and --watch-vars are of one server, and two are compared: leave them out; those that tare starts are watched in any case")
	}
}

// checkSchedule checks when operations are due. A scenario's file says it, where no option does.
func (l *Load) checkSchedule(p *exit.Problems) {
	if l.Stepped() && l.Operations != 0 {
		p.Add("--operations: a step of --search or --rates lasts a --duration")
	}
	if l.Scenario != "" && len(l.Scheduled()) == 0 {
		return
	}
	s, err := l.schedule(func(string) ([]time.Duration, error) { return []time.Duration{0}, nil })
	if p.AddError(err); err != nil {
		s = load.Schedule{Rate: 1} // with which the rest can be checked
	}
	_, err = l.Engine(s)
	p.AddError(err)
}
