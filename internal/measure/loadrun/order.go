package loadrun

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/load/scenario"
	"github.com/tarebench/tare/load/ycsb"
	"github.com/tarebench/tare/record"
)

// An agentOrder is what an agent needs to know to open a system: no code, no commands. It has the secrets of properties, and
// is never stored.
type agentOrder struct {
	Binding   string            `json:"binding"`
	URL       string            `json:"url,omitempty"`
	Props     map[string]string `json:"props,omitempty"`
	Described bool              `json:"described,omitempty"` // properties describe a target of a binding that takes workloads, too
	Records   int64             `json:"records,omitempty"`
	Expected  int64             `json:"expected,omitempty"` // operations of the run
	NoLoad    bool              `json:"no_load,omitempty"`
	OpTimeout time.Duration     `json:"op_timeout,omitempty"`
	Workers   int               `json:"workers"` // the most there will be
	Seed      uint64            `json:"seed"`
	Allowed   []string          `json:"allowed,omitempty"` // of --allow-host
	Scenario  *scenarioOrder    `json:"scenario,omitempty"`
}

// scenarioOrder is a scenario with the variables of the environment that it takes.
type scenarioOrder struct {
	File    string            `json:"file"`
	Content []byte            `json:"content"`
	Env     map[string]string `json:"env,omitempty"`
}

// order returns the plan's order for agents.
func (p *Plan) order() ([]byte, error) {
	o := agentOrder{
		Binding: p.Binding.Name, URL: p.url, Props: p.props, Described: p.described, NoLoad: p.Job.NoLoad,
		OpTimeout: p.settings.OpTimeout, Workers: p.settings.Workers, Seed: uint64(p.Seed), Allowed: p.allow.List(),
	}
	if p.Binding.OpenTarget == nil {
		o.Records, o.Expected = p.Workload.RecordCount, p.Expected()
	}
	if p.scenario != nil {
		o.Scenario = &p.scenarioOrder
	}
	return json.Marshal(o)
}

// AgentRules say what an agent accepts of a controller.
type AgentRules struct {
	Bindings []kv.Binding
	Allow    []string // --allow-host
	Files    bool     // --allow-files: an order may name files on the agent's machine
}

// An Ordered is a system that an order names.
type Ordered struct {
	plan   *Plan
	system *system
}

// OpenOrder opens the system that an order names, within the agent's own rules.
func OpenOrder(ctx context.Context, text []byte, rules AgentRules) (*Ordered, error) {
	var o agentOrder
	if err := json.Unmarshal(text, &o); err != nil {
		return nil, errors.New("the order is not understood")
	}
	p, err := o.plan(rules)
	if err != nil {
		return nil, err
	}
	s, err := p.open(ctx)
	if refused := (*load.RefusedError)(nil); errors.As(err, &refused) {
		if strings.Contains(refused.Why, ownAllow) {
			return nil, exit.Failed(p.clean(err), "if this agent may load it: tare-full agent --allow-host "+refused.Allow)
		}
		return nil, err // the controller says what to do
	}
	if err != nil {
		return nil, p.openFailed(err)
	}
	return &Ordered{p, s}, nil
}

func (o *agentOrder) plan(rules AgentRules) (*Plan, error) {
	p := &Plan{Job: job.Load{NoLoad: o.NoLoad}, url: o.URL, props: o.Props, given: o.Props, described: o.Described, Seed: record.Seed(o.Seed)}
	if p.props == nil {
		p.props = kv.Properties{}
	}
	p.Run.Seed = o.Seed
	if err := o.bind(p, rules); err != nil {
		return nil, err
	}
	p.hideSecrets()
	var err error
	if p.allow, err = o.allow(rules); err != nil {
		return nil, err
	}
	p.settings = kv.Settings{Props: p.props, URL: p.url, Allow: p.allow, Workers: o.Workers, OpTimeout: o.OpTimeout, Seed: o.Seed}
	if p.Binding.OpenTarget != nil {
		return p, nil
	}
	props := kv.Properties{}
	props.Merge(p.props)
	props["recordcount"] = strconv.FormatInt(o.Records, 10)
	if props["operationcount"] == "" {
		props["operationcount"] = strconv.FormatInt(o.Expected, 10)
	}
	if p.Workload, err = ycsb.ParseConfig(props); err != nil {
		return nil, exit.Failed(fmt.Errorf("workload: %w", err), "")
	}
	p.Workload.Seed = o.Seed
	p.shared = func(c ycsb.Config, db kv.DB) (load.Target, error) { return ycsb.NewShared(c, db) }
	p.settings.Table, p.settings.Fields, p.settings.FieldName = p.Workload.Table, p.Workload.FieldCount, p.Workload.FieldName
	return p, nil
}

// bind finds the binding, or reads the scenario.
func (o *agentOrder) bind(p *Plan, rules AgentRules) error {
	if o.Scenario != nil {
		parse := scenario.ParseAlone
		if rules.Files {
			parse = scenario.Parse
		}
		var err error
		if p.scenario, err = parse(o.Scenario.Content, o.Scenario.File, o.Scenario.lookup); err != nil {
			return exit.Failed(err, "tare-full agent --allow-files permits files of its machine")
		}
		p.bindScenario()
		return nil
	}
	i := slices.IndexFunc(rules.Bindings, func(b kv.Binding) bool { return b.Name == o.Binding })
	if i < 0 {
		return fmt.Errorf("it has no database %q", o.Binding)
	}
	for _, x := range rules.Bindings[i].Properties {
		if value := p.props[x.Name]; !rules.Files && (x.File && value != "" || strings.HasPrefix(value, "@")) {
			return exit.Failed(fmt.Errorf("%s names the file %s", x.Name, value), "tare-full agent --allow-files permits files of its machine")
		}
	}
	p.Binding = rules.Bindings[i].For(p.props)
	return nil
}

// lookup returns a variable as the controller's environment has it: that of the agent is its own.
func (s *scenarioOrder) lookup(name string) (string, bool) {
	value, ok := s.Env[name]
	return value, ok
}

// allow returns what the run and the agent both allow.
func (o *agentOrder) allow(rules AgentRules) (*load.Consent, error) {
	run, err := load.ParseConsent(o.Allowed)
	if err != nil {
		return nil, err
	}
	own, err := load.ParseConsent(rules.Allow)
	if err != nil {
		return nil, err
	}
	if own == nil { // nothing is allowed off its machine
		own = &load.Consent{}
	}
	return run.Within(own, ownAllow), nil
}

// ownAllow names the list of an agent in errors.
const ownAllow = "the agent's own --allow-host"

// Kinds returns the kinds of operations.
func (o *Ordered) Kinds() []string { return o.system.target.Kinds() }

// Capabilities describes the system.
func (o *Ordered) Capabilities() kv.Capabilities { return o.system.caps }

// Inserts reports whether records are to be inserted.
func (o *Ordered) Inserts() bool { return o.system.loader != nil }

// Target returns the target of the run, for a phase whose operations begin at a number. before are the operations of the
// phases before it, as numbers of the first and how many there were: what they inserted is not inserted again.
func (o *Ordered) Target(first uint64, before [][2]uint64) load.Target {
	t := o.system.target
	if s, ok := t.(ycsb.SharedTarget); ok {
		inserted := int64(0)
		for _, b := range before {
			inserted += ycsb.Inserts(o.plan.Workload, b[0], b[1])
		}
		s.BeginPhase(first, inserted)
	}
	return t
}

// Loader returns the target that inserts the records, nil if there is nothing to insert.
func (o *Ordered) Loader() load.Target { return o.system.loader }

// Idle returns a target that does nothing, for what the load generator itself takes.
func (o *Ordered) Idle(ctx context.Context) (load.Target, error) { return o.plan.noop(ctx, o.system) }

// Redact replaces the secrets of the order in a text.
func (o *Ordered) Redact(text string) string { return o.plan.Redact(text) }

// Close closes the system.
func (o *Ordered) Close() error { return o.system.close() }

// lookupEnv is os.LookupEnv, and remembers what was asked for, for agents.
func (s *scenarioOrder) lookupEnv(name string) (string, bool) {
	value, ok := os.LookupEnv(name)
	if ok {
		if s.Env == nil {
			s.Env = map[string]string{}
		}
		s.Env[strings.Clone(name)] = value
	}
	return value, ok
}
