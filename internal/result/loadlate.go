package result

import (
	"fmt"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/numbers/objective"
	"github.com/tarebench/tare/record"
)

// lateOfBound is the share of an objective's bound from which the generator's lateness makes a miss untrustworthy.
const lateOfBound = 0.1

// lateEnds is how often one lateness may be in a latency: when it begins, and when its answer is read.
const lateEnds = 2

// enoughLate is how many operations a worker must have waited for, for a 99th percentile of their lateness.
const enoughLate = 100

// checkLateness adds to the outcome of a missed objective on latency whether the load generator's own lateness may have
// caused the miss. The outcome becomes undecided if the objective is on response times, service times meet it, and the
// lateness explains the difference.
func (o judgement) checkLateness(out *Outcome, l *Load, rows []Latency) {
	late := l.Lateness
	if out.Met || l.ClosedLoop || late == nil || o.Metric == objective.Errors || o.Metric == objective.Rate {
		return
	}
	if late.P99 < int64(lateOfBound*o.Bound) && late.Max < int64(o.Bound) {
		return
	}
	out.Undecided = o.explained(l, rows)
	switch {
	case out.Undecided:
		out.Untrusted = true
		out.Text += "; not trusted: service times meet it, and " + lateWords(late)
	case o.servedLate(l, rows): // whatever the generator did
	case late.P99 >= int64(lateOfBound*o.Bound):
		out.Untrusted = true
		out.Text += "; not trusted: " + lateWords(late)
	}
}

// servedLate reports whether service times miss the objective by more than the load generator was late. Response
// times do not tell: a generator that stalls makes a queue.
func (o judgement) servedLate(l *Load, rows []Latency) bool {
	of := o
	of.Kind = record.TagService
	service := of.latency(l, rows, 0)
	return !service.Met && float64(service.Value)-lateEnds*float64(l.Lateness.P99) > o.Bound
}

// lateWords returns how late the load generator was.
func lateWords(late *Latency) string {
	if late.Count < enoughLate {
		return fmt.Sprintf("the load generator was late (up to %s)", units.Time(late.Max))
	}
	return fmt.Sprintf("the load generator was late (p99 %s)", units.Time(late.P99))
}

// explained reports whether an objective on response times would have been met, but for the load generator: service
// times meet it, and the response times of each operation do, without those that the lateness of waiting workers may
// have lengthened.
func (o judgement) explained(l *Load, rows []Latency) bool {
	if o.Kind == record.TagService || l.Lateness.hist == nil {
		return false
	}
	of := o
	of.Kind = record.TagService
	service := of.latency(l, rows, 0)
	if !service.Met {
		return false
	}
	for i := range rows {
		r := &rows[i]
		if r.Kind != record.TagResponse || !o.About(r.Name) {
			continue
		}
		if !o.metWithout(l, r, lostOf(l, r, rows, o.Bound), float64(service.Value)) {
			return false
		}
	}
	return true
}

// lateRate reports whether the target rate was missed by no more than the load generator itself was late: what was due
// and not sent was no older, and nothing was silent for more than twice as long.
func (l *Load) lateRate() bool {
	late := l.Lateness
	if late == nil || l.Unsent == 0 || l.Dropped > 0 || l.Unfinished > 0 || float64(l.Errors) > fewFailed*float64(l.Scheduled) {
		return false
	}
	return late.Max >= l.UnsentOldest && float64(late.Max) >= l.silence.length/2
}

// metWithout reports whether the response times r meet the objective without what the load generator may have added.
// service is the service time in ns that the objective is about.
func (o judgement) metWithout(l *Load, r *Latency, lost, service float64) bool {
	if r.hist == nil {
		return false
	}
	rate := float64(l.Operations) / max(float64(l.Wall)/1e9, 1e-9)
	all := float64(r.Count) + lost
	slow := lost + longer(r.hist, int64(o.Bound))
	if r.waits != nil {
		all += r.waits.Count()
		slow += r.waits.Count()
	}
	over, added := lateShares(l.Lateness.hist, rate, o.Bound-service)
	sent := max(float64(l.Operations), 1)
	switch o.Metric {
	case objective.Mean:
		return r.waits == nil && o.Within(r.Mean-added/sent)
	case objective.Max:
		return slow/max(all, 1) <= over/sent
	}
	return slow/max(all, 1)-over/sent <= 1-o.Percent/100
}

// lateShares returns how many operations the load generator may have delayed by more than slack, and the sum of all its
// delays, in ns. A worker that wakes late delays the operation that it was waiting for by its whole lateness. It may also
// delay each operation that becomes due before it wakes, by the time from then on. This is an upper bound.
func lateShares(late *hist.Histogram, rate, slack float64) (over, added float64) {
	for b, n := range late.Buckets() {
		v := float64(b.Highest)
		added += float64(n) * v * (1 + rate*v/1e9/2)
		if v > slack {
			over += float64(n) * (1 + rate*(v-max(slack, 0))/1e9)
		}
	}
	return over, added
}

// longer returns how many values are above a bound in ns.
func longer(h *hist.Histogram, bound int64) (n float64) {
	for b, count := range h.Buckets() {
		if b.Highest > bound {
			n += float64(count)
		}
	}
	return n
}

// The load generator has stalled if response times at p99 are at least stalledLeast, and stalledTimes the longest
// service time.
const (
	stalledLeast = 2_000_000 // ns
	stalledTimes = 5
)

// stalled returns a warning if operations waited for the load generator itself: where a worker is added whenever none
// is idle, only a process that gets no processor keeps operations waiting longer than the system takes.
func stalled(rows []Latency, l *Load, c *record.LoadConfig) *record.Warn {
	if l.ClosedLoop || c.AutoWorkers == 0 || l.Workers >= c.AutoWorkers || l.Unfinished > 0 {
		return nil
	}
	longest := map[string]int64{}
	for i := range rows {
		if rows[i].Kind == record.TagService {
			longest[rows[i].Name] = rows[i].Max
		}
	}
	for i := range rows {
		r := &rows[i]
		if most := longest[r.Name]; r.Kind == record.TagResponse && most > 0 && r.P99 >= stalledLeast && r.P99 > stalledTimes*most {
			return diagnosis.Warn(diagnosis.GeneratorStalled, diagnosis.Facts{"operation": r.Name, "response": units.Time(r.P99), "service": units.Time(most)})
		}
	}
	return nil
}
