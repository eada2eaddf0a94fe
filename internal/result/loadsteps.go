package result

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/numbers/objective"
	"github.com/tarebench/tare/record"
)

// Knee is where a search ended: the highest rate at which all objectives were
// met, each time that it was tried, and the rates tried on both sides of it.
type Knee struct {
	Rate      float64 `json:"rate"` // operations per second; 0: none that was tried
	Times     int     `json:"times"`
	Confirmed bool    `json:"confirmed"`       // it was tried again, and met them again
	Below     float64 `json:"below,omitempty"` // the next lower rate that was tried; 0: none
	Above     float64 `json:"above,omitempty"` // the lowest higher rate that missed them; 0: none
	Step      int     `json:"step"`            // index of its last step; -1: none

	Undecided float64 `json:"undecided,omitempty"` // the next higher rate, if it is undecided whether that meets the objectives; 0: none
	Why       string  `json:"why,omitempty"`       // why that is undecided
}

// steps fills in the steps of a search or sweep, in the order in which they were
// made, and where objectives were set the knee.
func (b *Builder) steps(s *Result, runs []*loadPhase) {
	for i, p := range runs {
		l := b.phase(p)
		l.Partial = l.Partial || i == len(runs)-1 && b.cutShort(&l)
		l.Latencies = b.rowsOf(p)
		l.Objectives = judge(b.load.objectives, &l, l.Latencies)
		if l.onlyErrors && slices.ContainsFunc(b.load.objectives, aboutAllErrors) {
			l.Missed = false // the objective says how many errors there may be
		}
		l.judgeStep()
		s.addAgents(&l)
		for _, w := range slices.Concat(l.agentWarnings(), failures(&l)) {
			w.Text = "at " + units.Rate(l.TargetRate) + ": " + w.Text
			s.Warnings = append(s.Warnings, w)
		}
		s.Steps = append(s.Steps, l)
	}
	s.Stepped = b.load.how
	if s.Stepped != SteppedSearch { // no other text of the record is shown
		s.Stepped = SteppedSweep
	}
	s.FirstErrors = b.load.first
	s.Warnings = oncePerCode(s.Warnings)
	if s.Stepped != SteppedSearch {
		return
	}
	s.Knee = FindKnee(s.Steps)
	if s.Knee.Step >= 0 {
		l := s.Steps[s.Knee.Step]
		s.Latencies, s.Objectives = append(s.Latencies, l.Latencies...), l.Objectives
		l.Latencies, l.Objectives = nil, nil
		l.First = b.load.first
		s.Load = &l
	}
}

// cutShort reports whether the last step is shorter than planned because the run was ended, as by Ctrl-C.
func (b *Builder) cutShort(l *Load) bool {
	const whole = 0.98 // of its duration: the last operations may be due a little earlier
	return b.end != nil && b.end.State == record.EndPartial && float64(l.Wall) < whole*float64(b.loadConfig().Duration)
}

func aboutAllErrors(o objective.Objective) bool {
	return o.Metric == objective.Errors && o.Name == ""
}

// judgeStep sums up what became of a step. It is undecided if all that it missed is.
func (l *Load) judgeStep() {
	if l.Partial || l.Missed && !l.lateRate() {
		return
	}
	few := l.tooFewSent()
	l.Met, l.Undecided = !l.Missed && !few, l.Missed || few
	for _, o := range l.Objectives {
		if o.Met {
			continue
		}
		if l.Met, l.Undecided = false, o.Undecided; !o.Undecided {
			return
		}
	}
}

// oncePerCode returns the warnings with only the first of each code, because every step repeats them.
func oncePerCode(ws []Warning) []Warning {
	var out []Warning
	more := map[string]int{}
	for _, w := range ws {
		if more[w.Code]++; more[w.Code] == 1 {
			out = append(out, w)
		}
	}
	for i := range out {
		if n := more[out[i].Code]; n > 1 {
			out[i].Text += fmt.Sprintf(" (and %d more like it)", n-1)
		}
	}
	return out
}

// What a stepped run is.
const (
	SteppedSearch = "search"
	SteppedSweep  = "sweep"
)

// sameRate is the most by which two steps that asked for the same rate differ.
const sameRate = 0.003

// FindKnee returns the knee of a search: the highest rate at which the objectives are met. A rate at which they
// were once missed is no knee, nor is a higher one, nor one above a rate of which that is undecided.
func FindKnee(steps []Load) *Knee {
	type tried struct {
		rate      float64
		met, last int
		missed    bool
	}
	var rates []tried
	for i := range steps {
		l := &steps[i]
		if l.Partial {
			continue
		}
		at := slices.IndexFunc(rates, func(t tried) bool { return math.Abs(t.rate-l.TargetRate) <= sameRate*l.TargetRate })
		if at < 0 {
			at = len(rates)
			rates = append(rates, tried{rate: l.TargetRate})
		}
		switch {
		case l.Met:
			rates[at].met++
			rates[at].last = i
		case l.Undecided:
			if rates[at].met == 0 {
				rates[at].last = i
			}
		default:
			rates[at].missed = true
			rates[at].last = i
		}
	}
	slices.SortFunc(rates, func(a, b tried) int { return cmp.Compare(a.rate, b.rate) })
	k := &Knee{Step: -1}
	for _, t := range rates {
		if !t.missed && t.met == 0 && k.Undecided == 0 { // every step at this rate is undecided
			k.Undecided, k.Why = t.rate, steps[t.last].undecidedWords()
		}
		if k.Undecided > 0 && !t.missed {
			continue
		}
		if t.missed {
			k.Above = t.rate
			break
		}
		k.Below, k.Rate, k.Times, k.Step = k.Rate, t.rate, t.met, t.last
		k.Confirmed = t.met > 1
	}
	return k
}

// isLoad reports whether the record is that of a load run.
func isLoad(run *record.Run) bool { return record.KindOf(run) == record.KindLoad }

// IsLoad reports whether the summary is that of a load run.
func (s *Result) IsLoad() bool {
	return isLoad(s.Run) || s.Load != nil || len(s.Steps) > 0 || len(s.Phases) > 0 || s.LoadPairs != nil
}
