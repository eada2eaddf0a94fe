package latencies

import (
	"strings"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/numbers/unanswered"
	"github.com/tarebench/tare/record"
)

// Suffixes and prefix of tags in logs that are named as in YCSB.
const (
	YCSBResponse          = "Intended-"
	YCSBFailed            = "-FAILED"
	YCSBUnanswered        = "-UNANSWERED"
	YCSBUnansweredService = "-UNANSWERED-SERVICE"
)

// meaning is what a tag says: the operation, and the kind of its latency.
type meaning struct {
	name, kind string
	ycsb       bool // the tag is one of YCSB's log, or of another program's
}

func meaningOf(tag string) meaning {
	if name, kind := SplitTag(tag); kind != "" {
		return meaning{name, kind, false}
	}
	for _, s := range [...]struct{ suffix, kind string }{
		{YCSBUnansweredService, record.TagUnansweredService}, {YCSBUnanswered, record.TagUnanswered}, {YCSBFailed, record.TagFailed},
	} {
		if name, ok := strings.CutSuffix(tag, s.suffix); ok {
			return meaning{name, s.kind, true}
		}
	}
	if name, ok := strings.CutPrefix(tag, YCSBResponse); ok {
		return meaning{name, record.TagResponse, true}
	}
	return meaning{tag, record.TagService, true}
}

// YCSBSeries returns the name of YCSB's series of an operation's latencies of a kind; "" if it has none. If there are no service times,
// response times may have their plain names.
func YCSBSeries(name, kind string, plain bool) string {
	switch {
	case kind == record.TagService, kind == record.TagResponse && plain:
		return name
	case kind == record.TagResponse:
		return YCSBResponse + name
	case kind == record.TagFailed:
		return name + YCSBFailed
	case kind == record.TagUnanswered:
		return name + YCSBUnanswered
	}
	return ""
}

// Waits gathers, from all tags of one file, how long operations had waited that were never answered.
// The zero value is ready to use.
type Waits struct {
	waited map[meaning]*hist.Histogram
	counts map[meaning]int64
}

// Add takes an interval, of whatever tag.
func (w *Waits) Add(i hist.Interval) error {
	if w.waited == nil {
		w.waited, w.counts = map[meaning]*hist.Histogram{}, map[meaning]int64{}
	}
	m := meaningOf(i.Tag)
	w.counts[m] += i.Histogram.Count()
	if m.kind != record.TagUnanswered && m.kind != record.TagUnansweredService {
		return nil
	}
	if w.waited[m] == nil {
		w.waited[m] = hist.New(i.Histogram.Config())
	}
	return w.waited[m].Merge(i.Histogram)
}

// Of returns the waits that count among the latencies of a tag; nil if there are none. Of operations of an unknown
// kind each kind has its share.
func (w *Waits) Of(tag string) *unanswered.Waits {
	m := meaningOf(tag)
	kind := unanswered.Tag(m.kind)
	if kind == "" {
		return nil
	}
	failed := func(name string) int64 { return w.counts[meaning{name, record.TagFailed, m.ycsb}] }
	all := int64(0)
	for other, n := range w.counts {
		if other.ycsb == m.ycsb && other.kind == m.kind {
			all += n + failed(other.name)
		}
	}
	out := new(unanswered.Waits)
	out.Add(w.waited[meaning{m.name, kind, m.ycsb}], 1)
	if all > 0 {
		out.Add(w.waited[meaning{record.AnyKind, kind, m.ycsb}], float64(w.counts[m]+failed(m.name))/float64(all))
	}
	if out.Count() == 0 {
		return nil
	}
	return out
}
