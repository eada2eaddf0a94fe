package result

import (
	"strings"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/numbers/objective"
	"github.com/tarebench/tare/internal/numbers/unanswered"
	"github.com/tarebench/tare/record"
)

// Names of what the command leaves in the record of a load run beside its
// figures.
const (
	AttachSLO      = "slo"        // objectives, one a line; see [objective.Parse]
	AttachSteps    = "steps"      // the run is a search or a sweep, and of which
	AttachScenario = "scenario"   // the file of a scenario, secrets redacted
	AttachOutput   = "output"     // what a server printed that tare started; of two sides output-NAME
	MediaText      = "text/plain" // of all
)

// loadData gathers the lines of a load run: its phases, one after the other.
type loadData struct {
	phases     []*loadPhase
	waiting    []*record.Hist // of a window whose load line has not come
	first      map[string]string
	objectives []objective.Objective
	stepped    bool           // it is a search or a sweep
	keep       bool           // figures of each interval, see KeepIntervals
	how        string         // the words of AttachSteps
	steps      map[string]int // phases so far, by name
	agents     map[phaseKey]*agentLines
}

// loadPhase is a phase: what its lines so far come to. The interval at hand counts
// when it is known that all of it was read.
type loadPhase struct {
	step      int         // which phase of its name, from 1; 0: it is a sum of several
	last      record.Load // counts since the phase began
	ended     bool        // last is the line of the whole phase
	length    int64       // of all intervals, ns
	due       float64     // operations that were due in them
	latencies histograms  // role is the operation's name
	start     int64       // of the first interval
	means     map[latencyKey][]IntervalMean
	stalls    *Stalls
	delivered deliveries
	silences

	each  intervals
	hand  *record.Load // the interval at hand
	hists []*record.Hist
	mark  *record.Marks // of it; nil: none were read
	marks []IntervalMarks
	began int64 // start of the first interval that has marks, CLOCK_MONOTONIC ns
}

// addLoad takes what happened in an interval or in a whole phase. The phases
// come one after the other, each ended by its whole unless the run was cut off.
func (d *loadData) addLoad(l *record.Load) {
	p := d.current()
	if p != nil {
		d.take(p)
	}
	if p == nil || p.ended || p.last.Phase != l.Phase {
		p = &loadPhase{}
		p.last.Phase = l.Phase
		if d.steps == nil {
			d.steps = map[string]int{}
		}
		d.steps[l.Phase]++
		p.step = d.steps[l.Phase]
		d.phases = append(d.phases, p)
	}
	p.hand, p.hists, d.waiting = l, d.waiting, nil
	if l.Final {
		d.take(p)
	}
}

// take counts the interval at hand.
func (d *loadData) take(p *loadPhase) {
	if p.hand == nil {
		return
	}
	before := p.last
	p.last, p.ended = *p.hand, p.hand.Final
	if !p.ended {
		p.silences.add(p.hand, &before)
		p.delivered.add(p.hand)
		p.length += p.hand.Length
		p.due += p.hand.TargetRate * float64(p.hand.Length) / 1e9
		if p.start == 0 {
			p.start = p.hand.Start
		}
		if d.keep && p.hand.Window == nil && p.hand.Phase == record.LoadRun {
			p.each.add(&before, p.hand, p.hists)
		}
	}
	var answered answers
	for _, h := range p.hists {
		k := latencyKey{h.Name, h.Tag, h.Unit}
		decoded := p.latencies.add(k, h.Data)
		if decoded != nil && !p.ended {
			p.addMean(k, h.Start, decoded)
		}
		if p.mark != nil {
			answered.add(h.Name, h.Tag, decoded)
		}
	}
	if p.mark != nil {
		p.addMarks(&answered)
	}
	p.hand, p.hists, p.mark = nil, nil, nil
}

// takeWhole counts the interval at hand of a run that was cut off, if the latencies
// of all the operations that were answered in it are there.
func (d *loadData) takeWhole() {
	p := d.current()
	if p == nil || p.hand == nil {
		return
	}
	answered := p.hand.Completed - p.last.Completed
	for _, l := range p.hists {
		if l.Tag != record.TagService && l.Tag != record.TagFailed {
			continue
		}
		if h, err := hist.Decode(l.Data); err == nil {
			answered -= h.Count()
		}
	}
	if answered <= 0 {
		d.take(p)
	}
}

// current returns the phase at hand, or nil.
func (d *loadData) current() *loadPhase {
	if len(d.phases) == 0 {
		return nil
	}
	return d.phases[len(d.phases)-1]
}

// addHist takes the latencies of a window, before or behind the line of the same
// window.
func (d *loadData) addHist(h *record.Hist) {
	p := d.current()
	switch {
	case h.Iter == 0: // of a whole phase: its intervals are counted
	case p != nil && p.hand != nil && p.hand.Iter == h.Iter && p.hand.Start == h.Start:
		p.hists = append(p.hists, h)
	default:
		d.waiting = append(d.waiting, h)
	}
}

// addWarn stores the first error text of a class. It reports whether the line was one.
func (d *loadData) addWarn(w *record.Warn) bool {
	if w.About != record.AboutRun || w.Code != diagnosis.FirstError {
		return false
	}
	class, text, ok := strings.Cut(w.Text, ": ")
	if ok && d.first[class] == "" {
		if d.first == nil {
			d.first = map[string]string{}
		}
		d.first[class] = text
	}
	return true
}

// addAttach takes what was asked of the run. Objectives that this version cannot
// read are not judged.
func (d *loadData) addAttach(a *record.Attach) {
	switch a.Name {
	case AttachSLO:
		for line := range strings.Lines(string(a.Data)) {
			if o, err := objective.Parse(line); err == nil {
				d.objectives = append(d.objectives, o)
			}
		}
	case AttachSteps:
		d.stepped, d.how = true, string(a.Data)
	}
}

// rows returns the latencies of a phase, its operations in the order in which they
// appeared. An operation of which none was answered has a row of lower bounds.
func (p *loadPhase) rows() []Latency {
	p.addNeverAnswered()
	var out []Latency
	for _, k := range p.latencies.keys(p.latencies.roles) {
		h, waits := p.latencies.of[k], p.waits(k)
		if h.Count() == 0 && waits == nil {
			continue
		}
		l := Latency{Name: k.role, Kind: k.tag, Percentiles: h.Percentiles(), Unit: k.unit, hist: h, means: p.means[k]}
		l.bound(waits)
		out = append(out, l)
	}
	return out
}

// addNeverAnswered adds empty histograms for the operations of which there are only waits.
func (p *loadPhase) addNeverAnswered() {
	for _, k := range p.latencies.keys(p.latencies.roles) {
		for _, tag := range []string{record.TagResponse, record.TagService} {
			if k.tag == unanswered.Tag(tag) && k.role != record.AnyKind {
				p.latencies.sum(latencyKey{k.role, tag, k.unit})
			}
		}
	}
}

// asked returns the rate at which operations were due.
func (p *loadPhase) asked() float64 {
	switch {
	case p.ended:
		return p.last.TargetRate
	case p.length > 0:
		return p.due / (float64(p.length) / 1e9)
	}
	return 0
}

func (p *loadPhase) wall() int64 {
	if p.ended {
		return p.last.Length
	}
	return p.length
}
