package loadrun

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/input"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/record"
)

// Agents is how other processes generate the load of a run. cmd/tare has none.
type Agents interface {
	// Open finds the agents and has each open what the order names.
	Open(ctx context.Context, r AgentsRequest) (AgentsSystem, error)

	// Gather adds up what agents kept of a run whose controller ended early. begin returns the sink of a phase; nil
	// leaves it out.
	Gather(ctx context.Context, run string, note func(string), begin func(c load.Config, insert bool) load.Sink) error

	Count() int     // how many agents there are to be
	Asked() string  // how they were asked for, "local:4"
	OnLoss() string // what happens when one is lost
}

// AgentsRequest is what agents are to do.
type AgentsRequest struct {
	Order    []byte        // for [OpenOrder]
	Rate     float64       // the highest rate of the run; 0 in a closed loop
	Duration time.Duration // of the longest phase
	Allowed  []string      // of --allow-host, for agents that are started for the run
	Note     func(string)  // tells people
}

// AgentsSystem is a system that agents have opened.
type AgentsSystem interface {
	Kinds() []string
	Capabilities() kv.Capabilities
	Inserts() bool             // records are to be inserted
	Elsewhere() []string       // names of agents on other machines
	Run() string               // the name of the run, by which results can be gathered
	Target() AgentsTarget      // of the run
	Loader() AgentsTarget      // inserts the records
	Close(complete bool) error // complete: agents need not keep anything
}

// AgentsTarget is a target in other processes: Run has agents run a phase of the load.
type AgentsTarget interface {
	load.Target
	Run(context.Context, load.Config, load.Sink) (*load.Interval, error)
	Idle() load.Target
}

// attachAgents has the name of the run by which agents know it.
const attachAgents = "agents"

// planAgents checks that agents can do what is planned.
func (p *Plan) planAgents(j *job.Load, configured bool, bad *exit.Problems) {
	if p.Agents == nil {
		return
	}
	for _, name := range j.Set("side", "against", "serve", "watch-pid", "watch-vars", "dir") {
		bad.Add("--%s and --agents contradict each other", name)
	}
	if p.target != nil {
		bad.Add("--agents: the Go package %s is code, which is not sent to agents", j.Package)
	}
	if slices.Contains([]string{"bolt", "mem", "pebble"}, p.Binding.Name) {
		bad.Add("--agents: %s is a database in the process, and each agent would have its own", p.Binding.Name)
	}
	if j.Workers == "" && !p.Run.AutoWorkers {
		p.Run.Workers = max(p.Run.Workers, p.Agents.Count()) // a closed loop's default is one
	}
	if c := &p.Run; configured && !c.AutoWorkers && c.Workers < p.Agents.Count() {
		bad.Add("--workers %d are fewer than %d agents, of which each needs one", c.Workers, p.Agents.Count())
	}
	if p.measurement.RawFile != "" {
		bad.Add("--agents: measurement.raw writes each latency, which agents do not send")
	}
}

// openAgents has agents open the system.
func (s *system) openAgents(ctx context.Context, p *Plan) error {
	order, err := p.order()
	if err != nil {
		return err
	}
	opened, err := p.Agents.Open(ctx, AgentsRequest{
		Order: order, Rate: p.highestRate(), Duration: max(p.Run.Duration, p.Job.Warmup), Allowed: p.allow.List(), Note: p.note,
	})
	if err != nil {
		return err
	}
	s.agents, s.caps, s.target = opened, opened.Capabilities(), opened.Target()
	if opened.Inserts() {
		s.loader = opened.Loader()
	}
	if names := opened.Elsewhere(); len(names) > 0 && isLoopback(p.url) {
		p.note(fmt.Sprintf("%s is the own machine of each agent: %s would load themselves", p.Redact(p.url), strings.Join(names, ", ")))
	}
	return nil
}

// isLoopback reports whether a URL names the machine of who uses it.
func isLoopback(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
}

// highestRate returns the most operations per second of any phase, 0 in a closed loop.
func (p *Plan) highestRate() float64 {
	switch {
	case p.Search != nil:
		return p.Search.most
	case len(p.Rates) > 0:
		return slices.Max(p.Rates)
	}
	return highestRate(p.Run.Schedule)
}

// gathered is a run whose results agents kept.
type gathered struct {
	run  string        // its name
	head []record.Line // of its record, before the first phase
}

// gather writes the record of a run whose controller ended early, from what its agents kept.
func (r *Runner) gather() error {
	g := r.plan.gathered
	ctx, cancel := r.Signals.FirstContext()
	defer cancel()
	for _, l := range g.head {
		if err := r.out.Write(l); err != nil {
			return err
		}
		if h, ok := l.(*record.Run); ok {
			r.out.run = h
		}
	}
	err := r.plan.Agents.Gather(ctx, g.run, r.Status.note, func(c load.Config, insert bool) load.Sink {
		r.out.phase = c.Phase
		return r.out.Write
	})
	r.out.phase = ""
	why := "its controller ended early; gathered from the agents"
	if err != nil {
		why += ": " + r.plan.Redact(err.Error())
	}
	return errors.Join(err, r.out.Write(&record.End{State: record.EndPartial, Why: why}))
}

// GatherPlan returns a plan that measures nothing: it completes a partial record with what agents kept of its run.
func GatherPlan(j job.Load, c Program, path string) (*Plan, error) {
	g, err := readHead(path)
	return &Plan{Program: c, Job: j, Binding: &kv.Binding{}, gathered: g}, err
}

// readHead reads the name of the run in a partial record, and the lines before its first phase.
func readHead(path string) (*gathered, error) {
	f, err := input.File(path)
	if err != nil {
		return nil, exit.Usage(fmt.Errorf("--resume: %w", err), "")
	}
	defer f.Close()
	g := &gathered{}
	for l, err := range record.NewReader(f, path).All() {
		if err != nil {
			break // it was cut off
		}
		switch l := l.(type) {
		case *record.Run:
			g.head = append(g.head, l)
		case *record.End:
			if l.State == record.EndCompleted {
				return nil, exit.Usage(fmt.Errorf("--resume %s: the record is whole", path), "tare-full report shows it")
			}
		case *record.Attach:
			if l.Name == attachAgents {
				g.run = string(l.Data)
			}
			if slices.Contains([]string{attachAgents, result.AttachSLO, result.AttachSteps, result.AttachScenario}, l.Name) {
				g.head = append(g.head, l)
			}
		}
	}
	if g.run == "" {
		return nil, exit.Usage(fmt.Errorf("--resume %s: it is no record of a run by agents", path), "a run of one machine is measured again")
	}
	return g, nil
}
