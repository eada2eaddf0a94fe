package result

import (
	"cmp"
	"slices"

	"github.com/tarebench/tare/record"
)

// Agents are the load generators of one phase of a run of several.
type Agents struct {
	Phase  string  `json:"phase"` // record.LoadRun …
	Step   int     `json:"step"`  // which phase of that name, from 1
	Agents []Agent `json:"agents"`

	Intervals   int   `json:"intervals"`         // of the phase
	Fewer       int   `json:"fewer,omitempty"`   // of Intervals, those that fewer agents delivered than there were
	Least       int   `json:"least,omitempty"`   // agents that delivered one of these, the fewest
	Missing     int   `json:"missing,omitempty"` // intervals of agents that never came
	ClockError  int64 `json:"clock_error_ns"`    // half the largest error of the difference of two clocks, ns
	StartSpread int64 `json:"start_spread_ns"`   // from the first start to the last, ns
	Differ      bool  `json:"differ,omitempty"`  // the counts of the agents do not add up to those of the phase
	interval    int64 // planned length, ns
	whole       int   // agents that began
}

// Agent is a load generator. Its line in the record has what it measured.
type Agent struct {
	record.Agent
	Share   float64 `json:"share"`              // of the operations, by its weight
	Ended   int64   `json:"ended_ns,omitempty"` // when it was lost or stopped, since the start of the phase; 0 if it was not, or before
	Suspect string  `json:"suspect,omitempty"`  // why its machine may be at fault, in words
}

// phaseKey identifies a phase of a run: its name, and its number among the phases of that name, from 1.
type phaseKey struct {
	phase string
	step  int
}

// agentLines are the last lines of the agents of a phase.
type agentLines struct {
	all []*record.Agent
	at  map[string]int // in all, by name
}

// addAgent takes a line. A later one about the same agent and phase replaces it.
func (d *loadData) addAgent(l *record.Agent) {
	k := phaseKey{l.Phase, l.Step}
	a := d.agents[k]
	if a == nil {
		if d.agents == nil {
			d.agents = map[phaseKey]*agentLines{}
		}
		a = &agentLines{at: map[string]int{}}
		d.agents[k] = a
	}
	if i, ok := a.at[l.Name]; ok {
		a.all[i] = l
		return
	}
	a.at[l.Name] = len(a.all)
	a.all = append(a.all, l)
}

// deliveries are how many agents delivered intervals, and the most that did.
type deliveries struct {
	intervals int
	by        map[int]int // intervals by how many agents delivered them
	most      int
}

func (d *deliveries) add(l *record.Load) {
	d.intervals++
	if l.Agents <= 0 {
		return
	}
	if d.by == nil {
		d.by = map[int]int{}
	}
	d.by[l.Agents]++
	d.most = max(d.most, l.Agents)
}

// agents returns the load generators of a phase; nil in a run of one.
func (b *Builder) agents(p *loadPhase) *Agents {
	lines := b.load.agents[phaseKey{p.last.Phase, p.step}]
	if lines == nil {
		return nil
	}
	a := &Agents{Phase: p.last.Phase, Step: p.step, Intervals: p.delivered.intervals, interval: int64(b.loadConfig().Interval)}
	all := slices.Clone(lines.all)
	slices.SortFunc(all, func(a, b *record.Agent) int { return cmp.Compare(a.Name, b.Name) })
	for _, l := range all {
		a.Agents = append(a.Agents, Agent{Agent: *l})
	}
	a.share(p)
	a.compareClocks()
	a.countIntervals(&p.delivered)
	a.Differ = p.ended && a.differ(&p.last)
	a.suspect()
	return a
}

// share fills in what part of the operations each agent was given, and when those ended that did not stay to the end.
func (a *Agents) share(p *loadPhase) {
	all := 0.0
	for i := range a.Agents {
		all += float64(a.Agents[i].Weight)
	}
	start := cmp.Or(p.start, p.last.Start)
	for i := range a.Agents {
		x := &a.Agents[i]
		if all > 0 {
			x.Share = float64(x.Weight) / all
		}
		if x.State != record.AgentDone && x.At > start {
			x.Ended = x.At - start
		}
	}
}

// compareClocks fills in by how much clocks and starts may differ.
func (a *Agents) compareClocks() {
	first, last := a.Agents[0].StartLate, a.Agents[0].StartLate
	for i := range a.Agents {
		x := &a.Agents[i]
		a.ClockError = max(a.ClockError, x.OffsetError)
		first, last = min(first, x.StartLate), max(last, x.StartLate)
	}
	a.StartSpread = last - first
}

// countIntervals fills in what is missing of the intervals.
func (a *Agents) countIntervals(d *deliveries) {
	a.whole = max(len(a.Agents), d.most)
	a.Least = a.whole
	for agents, n := range d.by {
		if agents < a.whole {
			a.Fewer += n
			a.Least = min(a.Least, agents)
		}
	}
	if a.Fewer == 0 {
		a.Least = 0
	}
	for i := range a.Agents {
		a.Missing += a.Agents[i].Missing
	}
}

// differ reports whether the counts of the agents do not add up to those of the phase.
func (a *Agents) differ(l *record.Load) bool {
	var sum record.Agent
	for i := range a.Agents {
		x := &a.Agents[i]
		sum.Scheduled, sum.Started, sum.Completed = sum.Scheduled+x.Scheduled, sum.Started+x.Started, sum.Completed+x.Completed
		sum.Dropped, sum.Unsent, sum.Unfinished, sum.Lost = sum.Dropped+x.Dropped, sum.Unsent+x.Unsent, sum.Unfinished+x.Unfinished, sum.Lost+x.Lost
	}
	return sum.Scheduled != l.Scheduled || sum.Started != l.Started || sum.Completed != l.Completed ||
		sum.Dropped != l.Dropped || sum.Unsent != l.Unsent || sum.Unfinished != l.Unfinished || sum.Lost != l.Lost ||
		l.Scheduled != l.Started+l.Dropped+l.Unsent+l.Lost || l.Started != l.Completed+l.Unfinished
}

// gone returns the agents that are in a state.
func (a *Agents) gone(state string) []*Agent {
	var out []*Agent
	for i := range a.Agents {
		if a.Agents[i].State == state {
			out = append(out, &a.Agents[i])
		}
	}
	return out
}

// addAgents adds the load generators of a phase.
func (s *Result) addAgents(l *Load) {
	if l.Agents != nil {
		s.Agents = append(s.Agents, l.Agents)
	}
}
