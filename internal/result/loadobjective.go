package result

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/units"
	"github.com/tarebench/tare/record"
)

// An Objective is a condition on a load run, as `--slo` takes it:
//
//	p99<10ms              of the response time of every operation
//	READ p99.9<20ms       of one operation
//	READ service p50<1ms  of its service time
//	mean<5ms, max<=1s
//	errors<0.1%           share of the operations that were answered, not_found is no error
//	errors<10             number of them
//	rate>=950/s, rate>99% operations that were completed, per second or of those asked for
//
// In a closed loop, which knows no response time, service time is meant.
type Objective struct {
	text    string
	name    string // of the operation, "" for every one
	kind    string // record.TagResponse …, "" for what there is
	metric  string // "p", "mean", "max", "errors", "rate"
	percent float64
	strict  bool // < or >, without =
	share   bool // bound is a share of 1
	bound   float64
}

// String returns the objective as it was written.
func (o Objective) String() string { return o.text }

// Operation returns the name of the operation that the objective is about, in
// capitals, or "" if it is about each or all of them.
func (o Objective) Operation() string { return o.name }

var objectiveForm = regexp.MustCompile(`^(?:([A-Za-z][A-Za-z0-9_-]*)\s+)??(?:(response|service)\s+)?(p[0-9]+(?:\.[0-9]+)?|mean|max|errors|rate)\s*(<=|<|>=|>)\s*(\S.*)$`)

// ParseObjective reads an objective.
func ParseObjective(text string) (Objective, error) {
	text = strings.TrimSpace(text)
	m := objectiveForm.FindStringSubmatch(text)
	if m == nil {
		return Objective{}, fmt.Errorf("%q is no objective: want one such as p99<10ms, 'READ p99.9<20ms', errors<0.1%% or rate>=950/s", text)
	}
	o := Objective{text: text, name: strings.ToUpper(m[1]), kind: m[2], metric: m[3], strict: len(m[4]) == 1}
	if err := o.parseMetric(); err != nil {
		return Objective{}, fmt.Errorf("%q: %w", text, err)
	}
	if less := m[4][0] == '<'; less != (o.metric != "rate") {
		return Objective{}, fmt.Errorf("%q: %s cannot be an objective with %s", text, m[3], m[4])
	}
	if err := o.parseBound(strings.TrimSpace(m[5])); err != nil {
		return Objective{}, fmt.Errorf("%q: %w", text, err)
	}
	return o, nil
}

func (o *Objective) parseMetric() error {
	if p, ok := strings.CutPrefix(o.metric, "p"); ok {
		o.metric = "p"
		var err error
		if o.percent, err = strconv.ParseFloat(p, 64); err != nil || !(o.percent > 0 && o.percent <= 100) {
			return fmt.Errorf("p%s is not a percentile above 0 and up to 100", p)
		}
	}
	if o.kind != "" && (o.metric == "errors" || o.metric == "rate") {
		return fmt.Errorf("%s have no %s time", o.metric, o.kind)
	}
	if o.name != "" && o.metric == "rate" {
		return fmt.Errorf("the rate is that of all operations")
	}
	return nil
}

func (o *Objective) parseBound(s string) (err error) {
	share, isShare := strings.CutSuffix(s, "%")
	switch {
	case o.metric != "errors" && o.metric != "rate":
		d, err := time.ParseDuration(s)
		if err != nil || d <= 0 {
			return fmt.Errorf("%q is not a duration above 0 such as 10ms", s)
		}
		o.bound = float64(d)
		return nil
	case isShare:
		o.share = true
		o.bound, err = strconv.ParseFloat(strings.TrimSpace(share), 64)
		o.bound /= 100
	case o.metric == "rate":
		o.bound, err = strconv.ParseFloat(strings.TrimSuffix(s, "/s"), 64)
	default:
		var n int64
		n, err = strconv.ParseInt(s, 10, 64)
		o.bound = float64(n)
	}
	if err != nil || !(o.bound >= 0) || math.IsInf(o.bound, 0) || o.share && o.bound > 1 {
		return fmt.Errorf("%q is not a bound for %s", s, o.metric)
	}
	return nil
}

// Outcome is what became of an objective.
type Outcome struct {
	Objective string `json:"objective"`
	Met       bool   `json:"met"`
	Name      string `json:"name,omitempty"` // of the operation that decided
	Value     Number `json:"value"`          // ns, share of 1, count or operations per second, as the objective has it
	Text      string `json:"text"`           // what it came to, in words
}

// judge compares a phase with the objectives and returns the result of each; nil if there are none.
func judge(os []Objective, l *Load, rows []Latency) []Outcome {
	var out []Outcome
	for _, o := range os {
		out = append(out, o.judge(l, rows))
	}
	return out
}

func (o Objective) judge(l *Load, rows []Latency) Outcome {
	var out Outcome
	switch o.metric {
	case "errors":
		out = o.errors(l, rows)
	case "rate":
		out = o.rate(l)
	default:
		out = o.latency(l, rows)
	}
	out.Objective = o.text
	return out
}

// within reports whether a value keeps the bound.
func (o Objective) within(x float64) bool {
	if o.metric == "rate" {
		return x > o.bound || x == o.bound && !o.strict
	}
	return x < o.bound || x == o.bound && !o.strict
}

func (o Objective) rate(l *Load) Outcome {
	if !o.share {
		return Outcome{Met: o.within(l.Achieved), Value: Number(l.Achieved), Text: units.Rate(l.Achieved)}
	}
	if l.TargetRate == 0 {
		return Outcome{Text: "a closed loop asks for no rate"}
	}
	x := min(l.Achieved/l.TargetRate, 1)
	return Outcome{Met: o.within(x), Value: Number(x), Text: units.Percent(x) + " of " + units.Rate(l.TargetRate)}
}

func (o Objective) errors(l *Load, rows []Latency) Outcome {
	failed, all := l.Errors, l.Operations
	if o.name != "" {
		failed, all = 0, 0
		for _, r := range rows {
			if r.Name != o.name {
				continue
			}
			switch r.Kind {
			case record.TagFailed:
				failed += r.Count
				all += r.Count
			case record.TagService:
				all += r.Count
			}
		}
	}
	if all == 0 {
		return Outcome{Name: o.name, Text: o.nothing()}
	}
	x, text := float64(failed), fmt.Sprintf("%s of %s", units.Count(failed), units.Count(all))
	if o.share {
		x /= float64(all)
		if failed > 0 {
			text += " (" + units.Percent(x) + ")"
		}
	}
	return Outcome{Met: o.within(x), Name: o.name, Value: Number(x), Text: text}
}

func (o Objective) nothing() string {
	if o.name == "" {
		return "nothing was measured"
	}
	return "no " + o.name + " was measured"
}

// latency judges the operation that does worst.
func (o Objective) latency(l *Load, rows []Latency) Outcome {
	kind := o.kind
	if kind == "" {
		kind = record.TagResponse
		if l.ClosedLoop {
			kind = record.TagService
		}
	}
	worst := Outcome{Met: true, Value: -1}
	for i := range rows {
		r := &rows[i]
		if r.Kind != kind || o.name != "" && r.Name != o.name {
			continue
		}
		x := o.value(l, r, lostOf(l, r, rows, o.bound))
		if x > float64(worst.Value) {
			worst = Outcome{Met: o.within(x), Name: r.Name, Value: Number(x), Text: fmt.Sprintf("%s %s %s", r.Name, kind, o.words(x))}
		}
	}
	if worst.Name == "" {
		return Outcome{Name: o.name, Text: o.nothing()}
	}
	return worst
}

func (o Objective) words(x float64) string {
	if math.IsInf(x, 1) {
		return "has no such percentile: too many operations failed or were never sent"
	}
	return units.Time(int64(x))
}

// lostOf returns how many operations of r's name were due, and were not answered
// within the bound for another reason than that they took long: they failed, or
// were never sent, or had no answer. Of those that were never sent it is not known what they
// would have been: they have their share in each.
func lostOf(l *Load, r *Latency, rows []Latency, bound float64) float64 {
	var failed int64
	for _, x := range rows {
		if x.Name == r.Name && x.Kind == record.TagFailed {
			failed = x.Count
		}
	}
	if r.Kind != record.TagResponse || l.Operations == 0 {
		return float64(failed)
	}
	share := min(float64(r.Count+failed)/float64(l.Operations), 1)
	late := float64(l.Dropped) + beyond(l.Unsent, l.UnsentOldest, bound) + beyond(l.Unfinished, l.UnfinishedOldest, bound)
	return float64(failed) + share*late
}

// beyond returns how many of n operations, evenly spread up to the age of the oldest,
// are older than the bound. The younger ones may still keep it.
func beyond(n, oldest int64, bound float64) float64 {
	if oldest <= 0 || float64(oldest) <= bound {
		return 0
	}
	return math.Ceil(float64(n) * (1 - bound/float64(oldest)))
}

// value returns what the objective is about. Percentiles are over all that was due:
// what was lost counts as slower than everything.
func (o Objective) value(l *Load, r *Latency, lost float64) float64 {
	switch o.metric {
	case "mean":
		return r.Mean
	case "max":
		if lost > 0 && r.Kind == record.TagResponse {
			return max(float64(r.Max), float64(l.UnsentOldest), float64(l.UnfinishedOldest))
		}
		return float64(r.Max)
	}
	if r.hist == nil {
		return math.Inf(1)
	}
	return ranked(r.hist, o.percent, lost, r.Max)
}

// ranked returns the value at a percentile of a histogram with so many more values
// beyond all of its own.
func ranked(h *hist.Histogram, p, lost float64, most int64) float64 {
	rank := math.Ceil(p / 100 * (float64(h.Count()) + lost) * (1 - 1e-12)) // 99.9 % of 1000 is 999
	var sum float64
	for b, n := range h.Buckets() {
		if sum += float64(n); sum >= rank {
			return float64(min(b.Highest, most))
		}
	}
	return math.Inf(1)
}
