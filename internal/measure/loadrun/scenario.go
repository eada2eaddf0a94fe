package loadrun

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/input"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/load/scenario"
)

// maxScenario is the limit of a scenario's file, in bytes.
const maxScenario = 1 << 20

// scenarioBinding stands in records of scenarios for the name of a database.
const scenarioBinding = "scenario"

// readScenario reads the file of --scenario, which is the target and the workload.
func (p *Plan) readScenario(j *job.Load) error {
	content, err := input.Content(j.Scenario, maxScenario)
	if err != nil {
		return exit.Usage(fmt.Errorf("--scenario: %w", err), "")
	}
	p.scenarioOrder = scenarioOrder{File: j.Scenario, Content: content}
	if p.scenario, err = scenario.Parse(content, j.Scenario, p.scenarioOrder.lookupEnv); err != nil {
		return exit.Usage(fmt.Errorf("--scenario: %w", err), "tare load --schema prints a JSON Schema for editors")
	}
	s := p.scenario
	p.bindScenario()
	redact.Add(s.Secrets...)
	_, longest := s.Think()
	if !j.Given["drain"] {
		j.Drain += longest // users who think at the end finish
	}
	return nil
}

// bindScenario has the scenario be the target and the workload.
func (p *Plan) bindScenario() {
	s := p.scenario
	p.url = s.Target()
	p.Binding = &kv.Binding{Name: scenarioBinding, OpenTarget: func(ctx context.Context, k kv.Settings) (load.Target, error) {
		return scenario.Open(ctx, s, scenario.Settings{Allow: k.Allow, OpTimeout: k.OpTimeout, Seed: k.Seed})
	}}
}

// schedule returns the schedule of the scenario's file, which options replace, else of the job.
func (p *Plan) schedule(j *job.Load) (load.Schedule, error) {
	s := p.scenario
	if s == nil || s.Duration() == 0 || len(j.Scheduled()) > 0 {
		p.replaced = true
		return j.Schedule()
	}
	out := s.Schedule()
	p.replaced = j.Arrivals != "" || j.Given["duration"]
	var bad exit.Problems
	out.Poisson = j.Arrivals == "poisson" || j.Arrivals == "" && out.Poisson
	if !slices.Contains([]string{"", "constant", "poisson"}, j.Arrivals) {
		bad.Add("--arrivals %s: with the phases of %s it is constant or poisson", j.Arrivals, j.Scenario)
	}
	if j.Ramp != 0 {
		bad.Add("--ramp is the time of a --rate A..B")
	}
	switch {
	case j.Given["duration"] && len(out.Steps) > 0:
		bad.Add("--duration: %s has phases with times of their own; a --rate replaces them", j.Scenario)
	case !j.Given["duration"] && !j.Given["operations"]:
		j.Duration = s.Duration()
	}
	if !j.Given["warmup-duration"] {
		j.Warmup = 0 // the file says all phases
	}
	return out, bad.Err()
}

// PrintScenario returns the plan's scenario with what flags change of it, as a file without secrets: those of the
// environment are written as variables, and others are to be.
func (p *Plan) PrintScenario(j *job.Load) (string, error) {
	changes := scenario.Changes{Allow: j.AllowHosts, Objectives: j.Objectives, Redact: true}
	if p.replaced {
		changes.Schedule, changes.Duration = &p.Run.Schedule, p.Run.Duration
	}
	text, err := p.scenario.YAML(changes)
	if err != nil {
		return "", exit.Usage(fmt.Errorf("--print-scenario: %w", err), "")
	}
	return string(text), nil
}

// scenarioText returns the scenario for the record, without secrets.
func (p *Plan) scenarioText() (string, error) {
	if p.scenario == nil {
		return "", nil
	}
	text, err := p.scenario.Masked()
	return redact.Text(string(text)), err
}

// transactions returns the names of the scenario's transactions.
func (p *Plan) transactions() []string {
	if p.scenario == nil {
		return nil
	}
	return p.scenario.Transactions()
}

// scenarioRows say what a scenario does.
func (p *Plan) scenarioRows(o func(name, format string, args ...any)) {
	s := p.scenario
	if s == nil {
		return
	}
	o("scenario", "%s", s.File)
	o("target", "%s", p.Redact(s.Target()))
	for i, name := range s.Transactions() {
		o("transaction", "%s, %.3g %%: %s", name, 100*s.Share(i), strings.Join(s.Steps(i), ", "))
	}
	for _, x := range phasesOf(p.Run.Schedule, p.Run.Duration) {
		o("phase", "%s", x)
	}
	mean, longest := s.Think()
	if longest == 0 {
		return
	}
	o("think time", "%s on average, at most %s in a transaction", mean.Round(time.Millisecond), longest)
	if rate := highestRate(p.Run.Schedule); rate > 0 {
		o("users", "about %d pause at once at %.4g/s, and hold no worker", int64(math.Ceil(rate*mean.Seconds())), rate)
	}
}

// phasesOf returns the phases of a schedule in words.
func phasesOf(s load.Schedule, d time.Duration) (all []string) {
	steps := s.Steps
	if len(steps) == 0 && s.Rate > 0 && s.Over == 0 {
		steps = []load.Step{{Rate: s.Rate, For: d}}
	}
	for _, x := range steps {
		switch {
		case x.Ramp:
			all = append(all, fmt.Sprintf("%.6g/s to %.6g/s over %s", x.Rate, x.To, x.For))
		case x.Rate == 0:
			all = append(all, fmt.Sprintf("nothing for %s", x.For))
		default:
			all = append(all, fmt.Sprintf("%.6g/s for %s", x.Rate, x.For))
		}
	}
	return all
}

// highestRate returns the highest rate of a schedule.
func highestRate(s load.Schedule) float64 {
	most := max(s.Rate, s.To)
	for _, x := range s.Steps {
		most = max(most, x.Rate, x.To)
	}
	return most
}
