package loadrun

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/env"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/numbers/measurement"
	"github.com/tarebench/tare/internal/numbers/objective"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/load/scenario"
	"github.com/tarebench/tare/load/ycsb"
	"github.com/tarebench/tare/record"
)

// DefaultLoadThreshold is the change that does not matter where sides are compared.
const DefaultLoadThreshold = 0.05

// Plan is a load run as it will be measured.
type Plan struct {
	Binding    *kv.Binding
	Workload   ycsb.Config // unless the binding is a target itself
	WorkloadID string      // as it was named: a, or a file
	Run        load.Config
	Warmup     time.Duration
	Seed       record.Seed
	Objectives []string
	Implied    string // the one of Objectives that is a default
	OnLate     string // as it was given
	Latency    string // which latencies are shown
	Strict     bool
	Threshold  float64    // of comparisons of sides
	Rates      []float64  // of a sweep
	Search     *bisection // of a search

	measurement measurement.Config
	ycsbText    bool // stdout is in the format of YCSB

	target        *goTarget          // nil if none of a Go package is loaded
	scenario      *scenario.Scenario // nil if there is none
	scenarioOrder scenarioOrder      // for agents
	agents        Agents             // nil: this process generates the load
	note          func(string)
	shared        func(ycsb.Config, kv.DB) (load.Target, error) // target of one of several load generators; nil: there is one
	replaced      bool                                          // flags change its phases
	described     bool                                          // properties describe a target of a binding that takes workloads, too
	allow         *load.Consent
	sides         *sidePlan // nil: tare starts no server, and compares nothing
	watch         []int     // processes of the server
	vars          string    // URL of its memory statistics; "": they are not asked for
	url           string
	props         kv.Properties // of the workload, of files and of -p; later ones win
	given         kv.Properties // without those of a built-in workload
	settings      kv.Settings
	noLoad        bool
	steps         string // of a search or a sweep: its schedule in words
}

// Plan checks the options and returns the plan. An error names everything that is wrong.
// set reports whether an option was given by the flag of that name; it may name flags that
// the command does not have.
func (o *Options) Plan(set func(flag string) bool, bindings []kv.Binding) (*Plan, error) {
	p := &Plan{OnLate: o.OnLate, noLoad: o.NoLoad, Strict: o.Strict, WorkloadID: o.Workload, ycsbText: o.YCSBText}
	var err error
	db := o.DB
	if !set("db") {
		db = cmp.Or(firstSideURL(o.Sides), db)
	}
	switch {
	case o.Target != "":
		err = p.planTarget(o, set)
	case o.Scenario != "":
		err = p.readScenario(o, set)
	default:
		p.Binding, p.url, err = FindBinding(bindings, db)
	}
	if err != nil {
		return nil, err
	}
	if err := p.properties(o); err != nil {
		return nil, err
	}
	p.described = p.Binding.TargetIf != nil && p.Binding.TargetIf(p.props)
	p.Binding = p.Binding.For(p.props)
	p.hideSecrets(o.Hidden)
	var bad exit.Problems
	p.measurement, err = measurement.Parse(p.forTare())
	bad.AddError(err)
	o.fromProperties(set, p.forTare(), p.measurement, &bad)
	o.checkNumbers(&bad)
	p.configure(o, set, &bad)
	p.checkResult(o, &bad)
	p.planSides(o, set, &bad)
	p.planMarks(o, set, &bad)
	p.planAgents(o, set, &bad)
	p.Threshold = cmp.Or(o.Threshold, DefaultLoadThreshold)
	allowed := o.AllowHosts
	if p.scenario != nil {
		allowed = slices.Concat(p.scenario.Allow, allowed)
	}
	if p.allow, err = load.ParseConsent(allowed); err != nil {
		bad.Add("--allow-host %s", strings.ReplaceAll(err.Error(), "\n", "; --allow-host "))
	}
	if err := bad.Err(); err != nil {
		return nil, err
	}
	if err := p.Run.Validate(); err != nil {
		return nil, exit.Usage(fmt.Errorf("load: %w", err), "")
	}
	return p, p.describe(o, set)
}

// checkResult checks the seed, the objectives and what is shown.
func (p *Plan) checkResult(o *Options, bad *exit.Problems) {
	p.Seed = record.Seed(rand.Uint32())
	if o.Seed != "" {
		seed, err := record.ParseSeed(o.Seed)
		if err != nil {
			bad.Add("--seed: %v", err)
		}
		p.Seed = seed
	}
	p.Run.Seed = uint64(p.Seed)
	if p.scenario != nil {
		p.Objectives = slices.Clone(p.scenario.Objectives)
	}
	for _, text := range o.Objectives {
		if _, err := objective.Parse(text); err != nil {
			bad.Add("--slo: %v", err)
		}
		p.Objectives = append(p.Objectives, strings.TrimSpace(text))
	}
	if o.ErrorsBelow != "" && !slices.ContainsFunc(p.Objectives, aboutErrors) {
		p.Implied = o.ErrorsBelow
		p.Objectives = append(p.Objectives, p.Implied)
	}
	if !slices.Contains(result.LatencyChoices(), o.Latency) {
		bad.Add("--latency %q is none of %s", o.Latency, strings.Join(result.LatencyChoices(), ", "))
	}
	p.Latency = o.Latency
}

// HasObjectives reports whether there are objectives beside the one that is implied.
func (p *Plan) HasObjectives() bool {
	return len(p.Objectives) > 1 || len(p.Objectives) == 1 && p.Implied == ""
}

// aboutErrors reports whether an objective bounds the errors of any operation.
func aboutErrors(text string) bool {
	o, err := objective.Parse(text)
	return err == nil && o.Metric == objective.Errors
}

func (o *Options) checkNumbers(bad *exit.Problems) {
	for _, d := range [...]struct {
		name  string
		v     time.Duration
		least time.Duration
	}{{"ramp", o.Ramp, 0}, {"warmup-duration", o.Warmup, 0}, {"duration", o.Duration, 0}, {"op-timeout", o.OpTimeout, 0}, {"drain", o.Drain, 0}, {"status-interval", o.Interval, time.Millisecond}} {
		if d.v < d.least {
			bad.Add("--%s %s is less than %s", d.name, d.v, d.least)
		}
	}
	for _, n := range [...]struct {
		name  string
		v     int64
		least int64
	}{{"records", o.Records, 1}, {"operations", o.Operations, 0}, {"max-outstanding", int64(o.MaxOutstanding), 1}, {"max-errors", o.MaxErrors, 0}} {
		if n.v < n.least {
			bad.Add("--%s %d is less than %d", n.name, n.v, n.least)
		}
	}
	if o.Dir != "" {
		if st, err := os.Stat(o.Dir); err != nil {
			if errors.Is(err, os.ErrNotExist) {
				err = fmt.Errorf("there is no directory %s: make it first", o.Dir)
			}
			bad.Add("--dir: %v", err)
		} else if !st.IsDir() {
			bad.Add("--dir %s is not a directory", o.Dir)
		}
	}
}

// closedLoop reports whether workers send when they were answered.
func (p *Plan) closedLoop() bool {
	return p.steps == "" && p.Run.Schedule.String() == load.Schedule{}.String()
}

// describe fills in the workload and the settings with which the binding is opened.
func (p *Plan) describe(o *Options, set func(string) bool) error {
	p.settings = kv.Settings{
		Props: p.props, URL: p.url, Allow: p.allow, Dir: o.Dir, Workers: max(p.MaxWorkers(), p.loaders()), OpTimeout: o.OpTimeout, Seed: uint64(p.Seed),
	}
	if p.Binding.OpenTarget != nil {
		var bad exit.Problems
		for _, name := range []string{"workload", "records", "no-load"} {
			if set(name) {
				bad.Add("--%s: %s", name, p.takesNone())
			}
		}
		bad.Hint = "tare load bindings " + p.Binding.Name
		return bad.Err()
	}
	if o.Workload == "" && len(p.props) == 0 || o.Workload == "" && !hasProportions(p.props) {
		return exit.Usage(errors.New("load needs a workload"), "give --workload a, b, c, d, e, f or a file of properties; tare load bindings workload lists the properties")
	}
	props := kv.Properties{}
	props.Merge(p.props)
	props["recordcount"] = strconv.FormatInt(o.Records, 10)
	if !p.given.Getter().Has("operationcount") {
		props["operationcount"] = strconv.FormatInt(p.Expected(), 10)
	}
	var err error
	if p.Workload, err = ycsb.ParseConfig(props); err != nil {
		return exit.Usage(fmt.Errorf("workload: %w", err), "tare load bindings workload")
	}
	p.Workload.Seed = uint64(p.Seed)
	p.settings.Table, p.settings.Fields, p.settings.FieldName = p.Workload.Table, p.Workload.FieldCount, p.Workload.FieldName
	return p.checkMemory(env.Describe())
}

// takesNone says why there is no workload.
func (p *Plan) takesNone() string {
	if p.described {
		return "what -p describes is the workload"
	}
	return p.Binding.Name + " is no key-value store and takes no workload"
}

func hasProportions(props kv.Properties) bool {
	for name := range props {
		if strings.HasSuffix(name, "proportion") {
			return true
		}
	}
	return false
}

// Expected estimates how many operations there will be, warm-up included. It returns 0
// for a closed loop. Workloads that insert need it for their distribution of records.
func (p *Plan) Expected() int64 {
	n := due(warmupSchedule(p.Run.Schedule), p.Warmup) * int64(p.sides.warmups())
	if p.Run.Operations > 0 {
		return n + int64(p.Run.Operations)
	}
	return n + due(p.Run.Schedule, p.Run.Duration)
}
