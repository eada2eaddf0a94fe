package result

import (
	"fmt"
	"math"
	"strings"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/numbers/objective"
	"github.com/tarebench/tare/internal/numbers/unanswered"
	"github.com/tarebench/tare/record"
)

// Outcome is what became of an objective.
type Outcome struct {
	Objective string `json:"objective"`
	Met       bool   `json:"met"`
	Name      string `json:"name,omitempty"` // of the operation that decided
	Value     Number `json:"value"`          // ns, share of 1, count or operations per second, as the objective has it
	Text      string `json:"text"`           // what it came to, in words

	Untrusted bool `json:"untrusted,omitempty"` // undecided: late generator, operations of lost agents, or a lower bound below the limit
	Undecided bool `json:"undecided,omitempty"` // missed, but a late generator or operations of lost agents may be why
}

// Gate returns what became of the objective as a gate; "" if it was met.
func (o *Outcome) Gate() string { return GateState(!o.Met, !o.Untrusted) }

// Word returns what became of the objective in words.
func (o *Outcome) Word() string {
	switch o.Gate() {
	case GateMissed:
		return "missed"
	case GateNotDecided:
		return "not decided"
	}
	return "met"
}

// judge compares a phase with the objectives and returns the result of each; nil if there are none.
func judge(os []objective.Objective, l *Load, rows []Latency) []Outcome {
	var out []Outcome
	for _, o := range os {
		for i := range rows { // names are written in any case
			if strings.EqualFold(rows[i].Name, o.Name) {
				o.Name = rows[i].Name
			}
		}
		out = append(out, judgement{o}.of(l, rows))
	}
	return out
}

// judgement compares a phase with an objective.
type judgement struct{ objective.Objective }

func (o judgement) of(l *Load, rows []Latency) Outcome {
	var out Outcome
	switch o.Metric {
	case objective.Errors:
		out = o.errors(l, rows, 0)
	case objective.Rate:
		out = o.rate(l)
	default:
		out = o.latency(l, rows, 0)
		o.checkLateness(&out, l, rows)
	}
	o.checkLost(&out, l, rows)
	out.Objective = o.Text
	return out
}

// rate judges the rate of operations without an error. Failed operations do not count.
func (o judgement) rate(l *Load) Outcome {
	if !o.Share {
		return Outcome{Met: o.Within(l.OKRate), Value: Number(l.OKRate), Text: l.okWords(units.Rate(l.OKRate))}
	}
	if l.TargetRate == 0 {
		return Outcome{Text: "a closed loop asks for no rate"}
	}
	x := min(l.OKRate/l.TargetRate, 1)
	text := units.Percent(x)
	if l.Errors > 0 {
		text = units.Rate(l.OKRate)
	}
	return Outcome{Met: o.Within(x), Value: Number(x), Text: l.okWords(text + " of " + units.Rate(l.TargetRate))}
}

// okWords says that a rate excludes errors, if there were any.
func (l *Load) okWords(rate string) string {
	if l.Errors == 0 {
		return rate
	}
	return rate + " without an error"
}

// errors judges the operations that failed. Further ones count as failed.
func (o judgement) errors(l *Load, rows []Latency, further int64) Outcome {
	failed, answered := l.Errors, l.Operations
	if o.Name != "" {
		failed, answered = 0, 0
		for _, r := range rows {
			if !o.About(r.Name) {
				continue
			}
			switch r.Kind {
			case record.TagFailed:
				failed += r.Count
				answered += r.Count
			case record.TagService:
				answered += r.Count
			}
		}
	}
	waiting, overdue := l.waitsOf(o.Name, rows)
	all := answered + waiting
	if answered == 0 && (o.Name != "" || waiting == 0) {
		return Outcome{Name: o.Name, Text: o.nothing()}
	}
	failed, all = failed+overdue+further, all+further
	x, text := float64(failed), fmt.Sprintf("%s of %s", units.Count(failed), units.Count(all))
	if o.Share {
		x /= float64(all)
		if failed > 0 {
			text += " (" + units.Percent(x) + ")"
		}
	}
	if overdue > 0 {
		text += ", " + units.Count(overdue) + " of them never answered"
	}
	return Outcome{Met: o.Within(x), Name: o.Name, Value: Number(x), Text: text}
}

func (o judgement) nothing() string {
	if o.Name == "" {
		return "nothing was measured"
	}
	return "no " + o.Name + " was measured"
}

// latency judges the operation that does worst. Further operations, of all kinds, count as slower than everything.
func (o judgement) latency(l *Load, rows []Latency, further int64) Outcome {
	kind := o.Kind
	if kind == "" {
		kind = l.mainKind()
	}
	if o.Kind == "" && o.Name != "" && !has(rows, o.Name, kind) && has(rows, o.Name, record.TagService) {
		kind = record.TagService // a step is never due
	}
	worst, bounded := Outcome{Met: true, Value: -1}, false
	rows = withFailed(rows, kind)
	for i := range rows {
		r := &rows[i]
		if r.Kind != kind || !o.About(r.Name) {
			continue
		}
		x, atLeast := o.value(l, r, lostOf(l, r, rows, o.Bound)+slowShare(l, r, rows, further))
		bounded = bounded || atLeast
		if x > float64(worst.Value) {
			worst = Outcome{Met: o.Within(x), Name: r.Name, Value: Number(x), Text: fmt.Sprintf("%s %s %s", r.Name, kind, boundInWords(x, atLeast))}
			if r.Count == 0 && r.waits == nil {
				worst.Text = fmt.Sprintf("%s has no %s time: all that were answered failed", r.Name, kind)
			}
		}
	}
	if worst.Name == "" {
		return Outcome{Name: o.Name, Text: o.nothing()}
	}
	if worst.Met && bounded { // what was never answered may have taken any time
		worst.Untrusted = true
	}
	return worst
}

func boundInWords(x float64, atLeast bool) string {
	switch {
	case math.IsInf(x, 1):
		return "has no such percentile: too many operations failed or were never sent"
	case atLeast:
		return "> " + units.Time(int64(x))
	}
	return units.Time(int64(x))
}

// lostOf returns how many operations of r's name were due, and were not answered
// within the bound for another reason than that they took long: they failed, or
// were dropped. Where it is not known how long those had waited that were never answered, they
// are among them. Of those that were never sent it is not known what they
// would have been: they have their share in each.
func lostOf(l *Load, r *Latency, rows []Latency, bound float64) float64 {
	failed := failedOf(r.Name, rows)
	if r.Kind != record.TagResponse || l.Operations == 0 {
		return float64(failed)
	}
	late := float64(l.Dropped)
	if r.waits == nil {
		late += beyond(l.Unsent, l.UnsentOldest, bound) + beyond(l.Unfinished, l.UnfinishedOldest, bound)
	}
	return float64(failed) + shareOf(r.hist, failed, l.Operations)*late
}

// beyond returns how many of n operations, evenly spread up to the age of the oldest,
// are older than the bound. The younger ones may still keep it.
func beyond(n, oldest int64, bound float64) float64 {
	if oldest <= 0 || float64(oldest) <= bound {
		return 0
	}
	return math.Ceil(float64(n) * (1 - bound/float64(oldest)))
}

// value returns what the objective is about, and whether that is a lower bound. Percentiles are
// over all that was due: what was lost counts as slower than everything.
func (o judgement) value(l *Load, r *Latency, lost float64) (x float64, atLeast bool) {
	if r.Count == 0 && r.waits == nil {
		return math.Inf(1), false
	}
	switch o.Metric {
	case objective.Mean:
		return r.Mean, r.IsAtLeast("mean")
	case objective.Max:
		if lost > 0 && r.Kind == record.TagResponse {
			return max(float64(r.Max), float64(l.UnsentOldest), float64(l.UnfinishedOldest)), r.IsAtLeast("max")
		}
		return float64(r.Max), r.IsAtLeast("max")
	}
	if r.hist == nil {
		return math.Inf(1), false
	}
	waits := r.waits
	if waits == nil {
		waits = new(unanswered.Waits)
	}
	return waits.Percentile(r.hist, o.Percent, lost)
}
