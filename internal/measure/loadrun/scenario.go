package loadrun

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/input"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/load/scenario"
)

// maxScenario is the limit of a scenario's file, in bytes.
const maxScenario = 1 << 20

// scenarioBinding stands in records of scenarios for the name of a database.
const scenarioBinding = "scenario"

// readScenario reads the file of --scenario, which is the target and the workload.
func (p *Plan) readScenario(o *Options, set func(string) bool) error {
	var bad exit.Problems
	for _, name := range []string{"workload", "db", "property", "properties", "records", "no-load", "dir", "side", "against"} {
		if set(name) {
			bad.Add("--%s and --scenario contradict each other: the file says what is loaded", name)
		}
	}
	if err := bad.Err(); err != nil {
		return err
	}
	content, err := input.Content(o.Scenario, maxScenario)
	if err != nil {
		return exit.Usage(fmt.Errorf("--scenario: %w", err), "")
	}
	p.scenarioOrder = scenarioOrder{File: o.Scenario, Content: content}
	if p.scenario, err = scenario.Parse(content, o.Scenario, p.scenarioOrder.lookupEnv); err != nil {
		return exit.Usage(fmt.Errorf("--scenario: %w", err), "tare load --schema prints a JSON Schema for editors")
	}
	s := p.scenario
	p.bindScenario()
	o.Hidden = append(o.Hidden, s.Secrets...)
	_, longest := s.Think()
	if !set("drain") {
		o.Drain += longest // users who think at the end finish
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

// fileSchedule fills in the schedule of the scenario's file. It reports whether that is the schedule: flags
// replace it.
func (p *Plan) fileSchedule(o *Options, set func(string) bool, bad *exit.Problems) bool {
	s := p.scenario
	if s == nil || s.Duration() == 0 || o.Rate != "" || o.Steps != "" || o.Replay != "" {
		return false
	}
	c := &p.Run
	c.Schedule = s.Schedule()
	p.replaced = o.Arrivals != "" || set("duration")
	switch o.Arrivals {
	case "":
	case arrivalsConstant, arrivalsPoisson:
		c.Schedule.Poisson = o.Arrivals == arrivalsPoisson
	default:
		bad.Add("--arrivals %s: with the phases of %s it is constant or poisson", o.Arrivals, o.Scenario)
	}
	if o.Ramp != 0 {
		bad.Add("--ramp is the time of a --rate A..B")
	}
	switch {
	case set("operations") && !set("duration"):
		c.Duration = 0
	case !set("duration"):
		c.Duration = s.Duration()
	case len(c.Schedule.Steps) > 0:
		bad.Add("--duration: %s has phases with times of their own; a --rate replaces them", o.Scenario)
	}
	if !set("warmup-duration") {
		o.Warmup = 0 // the file says all phases
	}
	return true
}

// PrintScenario returns the plan's scenario with what flags change of it, as a file without secrets: those of the
// environment are written as variables, and others are to be.
func (p *Plan) PrintScenario(o *Options) (string, error) {
	changes := scenario.Changes{Allow: o.AllowHosts, Objectives: o.Objectives, Redact: true}
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
