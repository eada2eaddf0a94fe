package cli

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/clock"
	"github.com/tarebench/tare/internal/env"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/record"
)

// header is the first line of the record.
func (s *loadSession) header(t *loaded) *record.Run {
	p := s.plan
	source := "tsc"
	if c, why := clock.NewCycles(); c.Source() != source {
		source = c.Source() + ", because " + why
	}
	lc := &record.LoadConfig{
		DB: p.binding.Name, Name: t.caps.Name, Notes: t.caps.Notes, Workload: s.flags.workload, Props: p.shown(),
		Arrivals: s.arrivals(), Workers: p.run.Workers, Warmup: p.warmup, Duration: p.run.Duration, Operations: int64(p.run.Operations),
		OnLate: p.onLate, Pace: string(p.run.Pace), Clock: source, OpTimeout: p.settings.OpTimeout, Drain: p.run.Drain,
		Interval: p.run.Interval, Kinds: t.target.Kinds(),
	}
	if sc := p.run.Schedule; sc.Over == 0 && len(sc.Steps) == 0 && len(sc.Times) == 0 && len(s.steps) == 0 {
		lc.Rate = sc.Rate
	}
	if p.run.Auto {
		lc.Auto = p.run.MaxOutstanding
	}
	if t.db != nil && t.caps.Load {
		lc.Records = p.workload.RecordCount
	}
	r := &record.Run{
		Version: record.Version, Kind: record.KindLoad, Tare: session.Version(), Start: s.start, Mono: clock.Now() - int64(time.Since(s.start)),
		Command: s.command(), Seed: p.seed, Config: record.Config{Packages: []string{}, Load: lc}, Env: session.Machine(env.Describe(), runtime.Version()),
	}
	r.Dir, _ = os.Getwd() // for people only
	return r
}

// arrivals says the schedule in words.
func (s *loadSession) arrivals() string {
	if s.steps != "" {
		return s.steps
	}
	words := s.plan.run.Schedule.String()
	return strings.Replace(words, ", Poisson arrivals of seed 0", ", poisson", 1) // the seed is the run's
}

// command is the command line without its secrets, and with the seed, so that it
// repeats the run.
func (s *loadSession) command() []string {
	words := maskWords(os.Args[min(len(os.Args), 1):], s.plan.mask)
	if !slices.ContainsFunc(words, func(w string) bool { return w == "--seed" || strings.HasPrefix(w, "--seed=") }) {
		words = append(words, "--seed", s.plan.seed.String())
	}
	return append([]string{"tare"}, words...)
}

// maskWords takes secrets out of the words of a command line.
func maskWords(words []string, mask func(string) string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		w = mask(w)
		if name, value, ok := strings.Cut(w, "="); ok {
			w = name + "=" + load.Redact(name, value)
		}
		out[i] = w
	}
	return out
}

// plans writes what was asked of the run behind its header.
func (s *loadSession) plans() error {
	attach := func(name, text string) error {
		if text == "" {
			return nil
		}
		return s.sink.Write(&record.Attach{Name: name, Media: result.MediaText, Data: []byte(text)})
	}
	if err := attach(result.AttachSLO, strings.Join(s.plan.slo, "\n")); err != nil {
		return err
	}
	return attach(result.AttachSteps, s.stepped)
}
