package loadrun

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/base/env"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/numbers/measurement"
	"github.com/tarebench/tare/internal/numbers/objective"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/load/scenario"
	"github.com/tarebench/tare/load/ycsb"
	"github.com/tarebench/tare/record"
)

// Plan is a load run as it will be measured.
type Plan struct {
	Program
	Job        job.Load // with what properties and a scenario say
	Binding    *kv.Binding
	Workload   ycsb.Config // unless the binding is a target itself
	Run        load.Config
	Seed       record.Seed
	Objectives []string
	Implied    string     // the one of Objectives that is a default
	Rates      []float64  // of a sweep
	Search     *bisection // of a search

	measurement   measurement.Config
	target        *goTarget          // nil if none of a Go package is loaded
	scenario      *scenario.Scenario // nil if there is none
	scenarioOrder scenarioOrder      // for agents
	gathered      *gathered          // nil: a run is measured
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
	steps         string // of a search or a sweep: its schedule in words
}

// Program is what a plan takes of the program that makes it.
type Program struct {
	Bindings []kv.Binding // what can be loaded
	Agents   Agents       // nil: this process generates the load
	YCSBText bool         // stdout is in the format of YCSB's text
	Strict   bool         // weak settings are warnings
}

// NewPlan checks a job and returns the plan. An error names everything that is wrong. Properties that stand for options
// count where these were not given.
func NewPlan(asked job.Load, c Program) (*Plan, error) {
	p := &Plan{Program: c, Job: asked, Seed: job.SeedOf(asked.Seed)}
	j := &p.Job
	j.Complete()
	if err := p.bind(j, c.Bindings); err != nil {
		return nil, err
	}
	if err := p.properties(j); err != nil {
		return nil, err
	}
	p.described = p.Binding.TargetIf != nil && p.Binding.TargetIf(p.props)
	p.Binding = p.Binding.For(p.props)
	p.hideSecrets()
	var bad exit.Problems
	var err error
	p.measurement, err = measurement.Parse(p.forTare())
	bad.AddError(err)
	bad.AddError(fromProperties(j, p.forTare(), p.measurement))
	configured := p.configure(j, &bad)
	p.planSides(j, configured, &bad)
	p.planMarks(j, &bad)
	p.planAgents(j, configured, &bad)
	bad.AddError(checkDir(j.Dir))
	allowed := j.AllowHosts
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
	return p, p.describe(j)
}

// bind finds what is loaded.
func (p *Plan) bind(j *job.Load, bindings []kv.Binding) (err error) {
	switch {
	case j.Package != "":
		p.planTarget(j)
		return nil
	case j.Scenario != "":
		return p.readScenario(j)
	}
	db := j.DB
	if len(j.Set("db")) == 0 {
		db = cmp.Or(firstSideURL(j.Sides), db)
	}
	p.Binding, p.url, err = FindBinding(bindings, db)
	return err
}

// configure checks the options, and fills in the configuration of the engine and what the result must meet. It reports
// whether it could.
func (p *Plan) configure(j *job.Load, bad *exit.Problems) bool {
	err := j.Validate()
	var schedule load.Schedule
	if err == nil {
		schedule, err = p.schedule(j)
	}
	if err == nil {
		p.Run, err = j.Engine(schedule)
	}
	if bad.AddError(err); err != nil {
		return false
	}
	p.Run.Seed = uint64(p.Seed)
	p.planSteps(j)
	if p.scenario != nil {
		p.Objectives = slices.Clone(p.scenario.Objectives)
	}
	for _, text := range slices.Concat(j.Objectives, j.Search) {
		p.Objectives = append(p.Objectives, strings.TrimSpace(text))
	}
	if p.Search != nil && !slices.ContainsFunc(p.Objectives, aboutErrors) {
		p.Implied = searchErrors
		p.Objectives = append(p.Objectives, p.Implied)
	}
	return true
}

// aboutErrors reports whether an objective bounds the errors of any operation.
func aboutErrors(text string) bool {
	o, err := objective.Parse(text)
	return err == nil && o.Metric == objective.Errors
}

// checkDir checks that the directory of an embedded database is there.
func checkDir(dir string) error {
	if dir == "" {
		return nil
	}
	st, err := os.Stat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("--dir: there is no directory %s: make it first", dir)
	case err != nil:
		return fmt.Errorf("--dir: %w", err)
	case !st.IsDir():
		return fmt.Errorf("--dir %s is not a directory", dir)
	}
	return nil
}

// closedLoop reports whether workers send when they were answered.
func (p *Plan) closedLoop() bool {
	return p.steps == "" && p.Run.Schedule.String() == load.Schedule{}.String()
}

// describe fills in the workload and the settings with which the binding is opened.
func (p *Plan) describe(j *job.Load) error {
	p.settings = kv.Settings{
		Props: p.props, URL: p.url, Allow: p.allow, Dir: j.Dir, Workers: max(p.MaxWorkers(), p.loaders()), OpTimeout: j.OpTimeout, Seed: uint64(p.Seed),
	}
	if p.Binding.OpenTarget != nil {
		var bad exit.Problems
		for _, name := range []string{"workload", "records", "no-load"} {
			if j.Given[name] {
				bad.Add("--%s: %s", name, p.takesNone())
			}
		}
		bad.Hint = "tare load bindings " + p.Binding.Name
		return bad.Err()
	}
	if j.Workload == "" && len(p.props) == 0 || j.Workload == "" && !hasProportions(p.props) {
		return exit.Usage(errors.New("load needs a workload"), "give --workload a, b, c, d, e, f or a file of properties; tare load bindings workload lists the properties")
	}
	props := kv.Properties{}
	props.Merge(p.props)
	props["recordcount"] = strconv.FormatInt(j.Records, 10)
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
	n := due(warmupSchedule(p.Run.Schedule), p.Job.Warmup) * int64(p.sides.warmups())
	if p.Run.Operations > 0 {
		return n + int64(p.Run.Operations)
	}
	return n + due(p.Run.Schedule, p.Run.Duration)
}

// MaxWorkers returns how many workers there may be.
func (p *Plan) MaxWorkers() int {
	if p.Run.AutoWorkers {
		return max(p.Run.MaxOutstanding, p.Run.Workers)
	}
	return p.Run.Workers
}

// loaders returns the number of workers that insert the records before the run.
func (p *Plan) loaders() int {
	if p.Run.AutoWorkers {
		return min(max(4, 2*runtime.GOMAXPROCS(0)), p.MaxWorkers())
	}
	return p.Run.Workers
}
