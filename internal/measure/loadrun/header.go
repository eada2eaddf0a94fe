package loadrun

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/clock"
	"github.com/tarebench/tare/internal/base/env"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// header returns the first line of the record.
func (r *Runner) header(s *system) *record.Run {
	p := r.plan
	source := "tsc"
	if c, why := clock.NewCycles(); c.Source() != source {
		source = c.Source() + ", because " + why
	}
	lc := &record.LoadConfig{
		DB: p.Binding.Name, Name: s.caps.Name, Notes: s.caps.Notes, Workload: p.Job.Workload, Props: p.ShownProperties(),
		Arrivals: p.Arrivals(), Workers: p.Run.Workers, Warmup: p.Job.Warmup, Duration: p.Run.Duration, Operations: int64(p.Run.Operations),
		OnLate: p.Job.OnLate, Pace: string(p.Run.Pace), Clock: source, OpTimeout: p.settings.OpTimeout, Drain: p.Run.Drain,
		Interval: p.Run.Interval, Kinds: s.target.Kinds(), Allowed: p.allow.List(),
		Serve: p.Redact(p.Job.Serve), Dir: p.settings.Dir, NoLoad: p.Job.NoLoad, MaxErrors: p.Run.MaxErrors,
	}
	if p.Agents != nil {
		lc.Agents, lc.OnLoss = p.Agents.Asked(), p.Agents.OnLoss()
	}
	if p.scenario != nil {
		lc.Scenario, lc.Transactions = p.scenario.File, p.transactions()
	}
	if sc := p.Run.Schedule; sc.Over == 0 && len(sc.Steps) == 0 && len(sc.Times) == 0 && len(r.plan.steps) == 0 {
		lc.Rate = sc.Rate
	}
	if p.Run.AutoWorkers {
		lc.AutoWorkers = p.Run.MaxOutstanding
	}
	if s.db != nil && s.caps.Load {
		lc.Records = p.Workload.RecordCount
	}
	run := &record.Run{
		Version: record.Version, Kind: record.KindLoad, Tare: session.Version(), Start: r.Start, Mono: clock.Now() - int64(time.Since(r.Start)),
		Command: r.command(), Seed: p.Seed, Sides: p.recordSides(), Config: record.Config{Packages: []string{}, Load: lc}, Env: session.Machine(env.Describe(), runtime.Version()),
	}
	if p.sides.compares() {
		run.Config.Threshold, run.Config.Confidence = p.Job.Threshold, stat.DefaultConfidence
		lc.Window, lc.Starts = p.sides.window, p.sides.starts
	}
	run.Dir, _ = os.Getwd() // for people only
	return run
}

// Arrivals returns the schedule in words.
func (p *Plan) Arrivals() string {
	if p.steps != "" {
		return p.steps
	}
	words := p.Run.Schedule.String()
	return strings.Replace(words, ", Poisson arrivals of seed 0", ", poisson", 1) // the seed is the run's
}

// command returns the command line with the seed, so that it repeats the run.
func (r *Runner) command() []string {
	words := r.Command
	if len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return w == "--seed" || strings.HasPrefix(w, "--seed=") }) {
		words = append(slices.Clone(words), "--seed", r.plan.Seed.String())
	}
	return words
}

// writeHead writes the header, the objectives, and whether the run is a search or a sweep.
func (r *Runner) writeHead(s *system) error {
	run := r.header(s)
	if err := r.out.Write(run); err != nil {
		return err
	}
	r.out.run = run
	if r.Log != nil {
		r.Log.run = run
	}
	text, err := r.plan.scenarioText()
	if err != nil {
		return err
	}
	name := ""
	if s.agents != nil {
		name = s.agents.Run()
	}
	for _, a := range [][2]string{
		{attachAgents, name},
		{result.AttachScenario, text},
		{result.AttachSLO, strings.Join(r.plan.Objectives, "\n")},
		{result.AttachSteps, r.plan.Stepped()},
	} {
		if a[1] == "" {
			continue
		}
		if err := r.out.Write(&record.Attach{Name: a[0], Media: result.MediaText, Data: []byte(a[1])}); err != nil {
			return err
		}
	}
	return nil
}
