package result

import (
	"cmp"
	"slices"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/record"
)

// Load is what one phase of a load run came to: the run itself, the insertion of
// records, a warm-up, or one step of a search or sweep. In each
//
//	Scheduled  = Started + Dropped + Unsent + Lost
//	Started    = Operations + Unfinished
type Load struct {
	Phase      string  `json:"phase,omitempty"`       // record.LoadRun …
	ClosedLoop bool    `json:"closed_loop,omitempty"` // each worker sends when it was answered: there are no due times
	TargetRate float64 `json:"asked,omitempty"`       // operations per second that were due; 0 in a closed loop
	Achieved   float64 `json:"achieved"`              // operations per second that were completed
	OKRate     float64 `json:"ok_rate"`               // of these, those without an error
	Wall       int64   `json:"wall_ns"`

	Scheduled  int64 `json:"scheduled"`
	Started    int64 `json:"started"`
	Operations int64 `json:"operations"` // completed, failed ones included
	Errors     int64 `json:"errors"`     // of Operations; not_found is none
	Dropped    int64 `json:"dropped"`
	Unsent     int64 `json:"unsent"` // due, and never sent
	Unfinished int64 `json:"unfinished"`
	Lost       int64 `json:"lost,omitempty"` // were due for agents that were lost: not sent, or not known

	UnsentOldest     int64 `json:"unsent_oldest_ns"`
	UnfinishedOldest int64 `json:"unfinished_oldest_ns,omitempty"`
	BacklogMax       int64 `json:"backlog_max"`

	Classes map[string]int64  `json:"error_classes,omitempty"` // operations by class of error, not_found among them
	First   map[string]string `json:"first_errors,omitempty"`  // the first of each class, in its own words

	Failures []Failure `json:"failures,omitempty"` // Errors by operation, class and status, the frequent ones first

	Statuses     map[string]int64 `json:"statuses,omitempty"`       // answers by status
	Rows         int64            `json:"rows,omitempty"`           // that statements returned, where they are counted
	SentRate     float64          `json:"sent_per_s,omitempty"`     // bytes on connections, where they are counted
	ReceivedRate float64          `json:"received_per_s,omitempty"` // bytes on connections, where they are counted

	Workers int     `json:"workers"`            // at the end
	Cores   float64 `json:"generator_cores"`    // kept busy by tare's own process, embedded databases included
	Floor   int64   `json:"floor_ns,omitempty"` // response times that are shorter are not resolvable; see [Load.FloorOf]

	Lateness *Latency `json:"lateness,omitempty"` // of all operations for which a worker waited; nil if there was none

	Agents *Agents `json:"-"` // the load generators, which are in Result.Agents, too; nil in a run of one

	Stalls *Stalls `json:"stalls,omitempty"` // nil: the system tells of none

	Missed  bool   `json:"rate_missed"`       // the target rate was not achieved
	Verdict string `json:"verdict"`           // one sentence
	Partial bool   `json:"partial,omitempty"` // the phase was cut off

	Slowest []record.SlowOperation `json:"slowest,omitempty"` // the operations that took longest, the longest first; of a side since its first window

	Marks        []IntervalMarks `json:"marks,omitempty"`        // what happened beside the operations, by interval
	Server       *ServerUse      `json:"server,omitempty"`       // what the server took; nil: it was not watched
	Coincidences []Coincidence   `json:"coincidences,omitempty"` // slow intervals in which something else happened, too

	Latencies  []Latency `json:"latencies,omitempty"`  // of a step, or of a phase that is not the run
	Objectives []Outcome `json:"objectives,omitempty"` // of a step
	Met        bool      `json:"met,omitempty"`        // a step's rate was achieved and its objectives were met
	Undecided  bool      `json:"undecided,omitempty"`  // a step's objectives were missed, but for the load generator's own lateness they may be met

	clock      int64   // cost of reading the clock, ns
	patience   int64   // ns that operations in flight are waited for at the end
	onlyErrors bool    // the target rate was missed by errors alone
	silence    silence // the longest time in which nothing was answered
}

// NotFound returns how many operations found nothing.
func (l *Load) NotFound() int64 { return l.Classes[classNotFound] }

const classNotFound = "not_found"

// At returns the value that a percentage of the latencies do not exceed. It
// reports false where only the percentiles are known, and not the distribution. Operations that were never
// answered count as the time that they had waited.
func (l *Latency) At(percentile float64) (int64, bool) {
	if l.hist == nil {
		return 0, false
	}
	if l.waits != nil {
		x, _ := l.waits.Percentile(l.hist, percentile, 0)
		return int64(x), true
	}
	return min(l.hist.ValueAtPercentile(percentile), l.Max), true
}

// Corrected estimates from service times what response times would have been, had
// operations been due at even intervals: for each that took longer than the
// expected interval, those are added that it kept from being sent. It is an
// estimate, made to be held beside the measured response time. It returns nothing
// for other latencies than service times.
func (l *Latency) Corrected(expected int64) (Latency, bool) {
	if l.hist == nil || l.Kind != record.TagService || expected < 1 {
		return Latency{}, false
	}
	h, err := l.hist.Correct(expected)
	if err != nil {
		return Latency{}, false
	}
	out := *l
	out.Kind, out.hist, out.Percentiles = KindCorrected, h, h.Percentiles()
	out.bound(l.waits)
	return out, true
}

// KindCorrected is the kind of a [Latency] that was estimated and not measured;
// see [Latency.Corrected].
const KindCorrected = "corrected"

// Expected returns the interval in ns at which a worker would have had to send, given
// the rate that was asked for, or else achieved.
func (l *Load) Expected() int64 {
	rate := l.TargetRate
	if rate == 0 {
		rate = l.Achieved
	}
	if rate <= 0 || l.Workers < 1 {
		return 0
	}
	return int64(float64(l.Workers) / rate * 1e9)
}

// loads fills in what the lines of a load run say.
func (b *Builder) loads(s *Result) {
	d := &b.load
	d.takeWhole()
	if len(d.phases) == 0 {
		return
	}
	var runs []*loadPhase
	for _, p := range d.phases {
		if p.last.Phase == record.LoadRun {
			runs = append(runs, p)
			continue
		}
		l := b.phase(p)
		l.Latencies = b.rowsOf(p)
		s.addAgents(&l)
		s.Phases = append(s.Phases, l)
	}
	switch {
	case len(runs) == 0:
	case slices.ContainsFunc(runs, func(p *loadPhase) bool { return p.last.Window != nil }):
		b.windows(s, runs)
	case b.stepped(runs):
		b.steps(s, runs)
	default:
		l := b.phase(runs[0])
		l.First, l.Failures = d.first, failuresOf(&runs[0].last, d.first)
		s.Load = &l
		s.addAgents(&l)
		s.Latencies = append(s.Latencies, b.rowsOf(runs[0])...)
		s.Objectives = judge(d.objectives, &l, s.Latencies)
		s.Warnings = append(s.Warnings, l.agentWarnings()...)
		s.Warnings = append(s.Warnings, failures(&l)...)
		s.Warnings = append(s.Warnings, unresolvable(s.Latencies, &l)...)
		if w := stalled(s.Latencies, &l, b.loadConfig()); w != nil {
			s.Warnings = append(s.Warnings, WarningOf(w))
		}
	}
	var damaged histograms
	for _, p := range d.phases {
		damaged.bad, damaged.why = damaged.bad+p.latencies.bad, cmp.Or(p.latencies.why, damaged.why)
	}
	if w := damaged.damaged("the"); w != nil {
		s.Warnings = append(s.Warnings, w.warning())
	}
}

// stepped reports whether the run is a search or a sweep.
func (b *Builder) stepped(runs []*loadPhase) bool { return len(runs) > 1 || b.load.stepped }

// phase returns what one phase came to.
func (b *Builder) phase(p *loadPhase) Load {
	c := b.loadConfig()
	n := &p.last
	l := Load{
		Phase: n.Phase, TargetRate: p.asked(), Achieved: n.Achieved, Wall: p.wall(),
		Scheduled: n.Scheduled, Started: n.Started, Operations: n.Completed,
		Dropped: n.Dropped, Unsent: n.Unsent, Unfinished: n.Unfinished, Lost: n.Lost,
		UnsentOldest: n.UnsentOldest, UnfinishedOldest: n.UnfinishedOldest, BacklogMax: n.BacklogMax,
		Classes: n.Errors, Workers: n.Workers, Partial: !p.ended,
	}
	if c.Rate > 0 && n.Phase == record.LoadRun {
		l.TargetRate = c.Rate // a run of so many operations may outlast its schedule
	}
	l.ClosedLoop = l.TargetRate == 0
	for class, count := range n.Errors {
		if class != classNotFound {
			l.Errors += count
		}
	}
	if l.Wall > 0 {
		l.Cores = float64(n.CPU) / float64(l.Wall)
		if !p.ended {
			l.Achieved = float64(n.Completed) / (float64(l.Wall) / 1e9)
		}
	}
	l.traffic(n)
	l.Slowest = n.Slowest
	l.Marks, l.Coincidences, l.Server = p.marks, coincidences(p.marks), serverUse(p.marks)
	l.Failures = failuresOf(n, nil)
	l.Lateness, l.Stalls = p.lateness(), p.stalls
	l.Agents = b.agents(p)
	l.clock = int64(b.tare.Clock)
	l.Floor = l.FloorOf(record.TagResponse)
	l.patience, l.silence = patience(c), p.longest
	l.Missed, l.Verdict = verdict(&l, c, p.typicalService())
	return l
}

// rowsOf returns the latencies of a phase. Those of a scenario are in the order of its file: a step may appear long
// before its transaction.
func (b *Builder) rowsOf(p *loadPhase) []Latency {
	rows := p.rows()
	if c := b.loadConfig(); c.Scenario != "" {
		slices.SortStableFunc(rows, func(x, y Latency) int {
			return cmp.Compare(slices.Index(c.Kinds, x.Name), slices.Index(c.Kinds, y.Name))
		})
	}
	return rows
}

// loadConfig returns the plan of the run, empty if there is none.
func (b *Builder) loadConfig() *record.LoadConfig {
	if b.run == nil || b.run.Config.Load == nil {
		return &record.LoadConfig{}
	}
	return b.run.Config.Load
}

// lateness returns the generator's own error over all operations.
func (p *loadPhase) lateness() *Latency {
	var all hist.Histogram
	for k, h := range p.latencies.of {
		if k.tag != record.TagLateness {
			continue
		}
		if err := all.Merge(h); err != nil {
			return nil
		}
	}
	if all.Count() == 0 {
		return nil
	}
	return &Latency{Kind: record.TagLateness, Percentiles: all.Percentiles(), Unit: "ns", hist: &all}
}

// FloorOf returns the time in ns that latencies of a kind must exceed to mean something: what reading the clock
// costs, and for response times, which count from the due time, how late the generator itself began operations.
func (l *Load) FloorOf(kind string) int64 {
	if l.Lateness == nil || kind != record.TagResponse {
		return l.clock
	}
	return max(l.Lateness.P99, l.clock)
}
