package result

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/numbers/unanswered"
	"github.com/tarebench/tare/record"
)

// waits returns how long operations of a name that were never answered had waited; nil if all
// were answered, and in records that do not say. Operations that may have been of any
// kind have their share in each.
func (p *loadPhase) waits(k latencyKey) *unanswered.Waits {
	tag := unanswered.Tag(k.tag)
	if tag == "" {
		return nil
	}
	w := new(unanswered.Waits)
	w.Add(p.latencies.of[latencyKey{k.role, tag, k.unit}], 1)
	var failed int64
	if h := p.latencies.of[latencyKey{k.role, record.TagFailed, k.unit}]; h != nil {
		failed = h.Count()
	}
	w.Add(p.latencies.of[latencyKey{record.AnyKind, tag, k.unit}], shareOf(p.latencies.of[k], failed, p.last.Completed))
	if w.Count() == 0 {
		return nil
	}
	return w
}

// shareOf returns the share of one kind of operation among all that were answered.
func shareOf(good *hist.Histogram, failed, all int64) float64 {
	if good == nil || all == 0 {
		return 0
	}
	return min(float64(good.Count()+failed)/float64(all), 1)
}

func failedOf(name string, rows []Latency) int64 {
	for _, x := range rows {
		if x.Name == name && x.Kind == record.TagFailed {
			return x.Count
		}
	}
	return 0
}

// has reports whether there is a row of a kind of latency of an operation.
func has(rows []Latency, name, kind string) bool {
	return slices.ContainsFunc(rows, func(l Latency) bool { return strings.EqualFold(l.Name, name) && l.Kind == kind })
}

// withFailed returns the rows, and one without values for each operation that has none of a kind of latency because
// all that were answered failed. Steps of transactions have service times only.
func withFailed(rows []Latency, kind string) []Latency {
	if unanswered.Tag(kind) == "" {
		return rows
	}
	out := slices.Clone(rows)
	for _, x := range rows {
		if x.Kind == record.TagFailed && !has(out, x.Name, kind) && !has(out, x.Name, record.TagService) {
			out = append(out, Latency{Name: x.Name, Kind: kind, Unit: x.Unit, hist: new(hist.Histogram)})
		}
	}
	return out
}

// bound replaces the figures that operations without an answer decide by lower bounds.
func (l *Latency) bound(w *unanswered.Waits) {
	if w == nil {
		return
	}
	l.waits, l.Unanswered = w, int64(math.Ceil(w.Count()))
	l.AtLeast = w.Bound(&l.Percentiles, l.hist)
}

// IsAtLeast reports whether a figure, named as in JSON, is a lower bound.
func (l *Latency) IsAtLeast(figure string) bool { return slices.Contains(l.AtLeast, figure) }

// mainKind is the kind of latency that a user of the system feels.
func (l *Load) mainKind() string {
	if l.ClosedLoop {
		return record.TagService
	}
	return record.TagResponse
}

// waitsOf returns how many operations of a name, "" for all, were never answered, and how many
// of those count as failed: they had waited longer than the slowest that was answered, or than
// operations at the end of the run are waited for. The others may only have been the last.
func (l *Load) waitsOf(name string, rows []Latency) (n, overdue int64) {
	slowest := int64(0)
	var all unanswered.Waits
	for i := range rows {
		r := &rows[i]
		switch {
		case r.Kind == l.mainKind():
			slowest = max(slowest, r.hist.Max())
			if name != "" && strings.EqualFold(r.Name, name) && r.waits != nil {
				all = *r.waits
			}
		case r.Kind == unanswered.Tag(l.mainKind()) && name == "":
			all.Add(r.hist, 1)
		}
	}
	limit := min(slowest, l.patience)
	return int64(math.Ceil(all.Count())), int64(math.Ceil(all.Longer(limit)))
}

// leastPatience is how long an operation must have waited, if it is not known how long the run waits at
// its end, for its answer to be given up.
const leastPatience = time.Second

func patience(c *record.LoadConfig) int64 { return int64(max(c.Drain, leastPatience)) }
