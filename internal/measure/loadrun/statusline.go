package loadrun

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/record"
)

// phaseStatus is how far a phase is.
type phaseStatus struct {
	name       string
	duration   time.Duration // 0 means no bound
	operations int64         // 0 means no bound

	start  int64            // ns, of the first interval
	failed int64            // operations so far
	errors map[string]int64 // so far, by class
	last   *load.Interval
	okRate float64 // of the last interval
}

// phaseNames are what people call the phases.
var phaseNames = map[string]string{record.LoadInsert: "inserting", record.LoadWarmup: "warm-up", record.LoadRun: "run"}

func newPhaseStatus(c *load.Config) phaseStatus {
	return phaseStatus{name: phaseNames[c.Phase], duration: c.Duration, operations: int64(c.Operations), errors: map[string]int64{}}
}

// add takes an interval, and returns the classes of errors that had not occurred before.
func (p *phaseStatus) add(i *load.Interval) (classes []string) {
	if p.last == nil {
		p.start = i.Start
	}
	failed := int64(0)
	for _, class := range slices.Sorted(maps.Keys(i.Errors)) {
		if class == load.ClassNotFound || i.Errors[class] == 0 {
			continue
		}
		if p.errors[class] == 0 {
			classes = append(classes, class)
		}
		p.errors[class] = i.Errors[class]
		failed += i.Errors[class]
	}
	p.okRate = i.Achieved
	if i.Length > 0 {
		p.okRate = max(0, i.Achieved-float64(failed-p.failed)/(float64(i.Length)/1e9))
	}
	p.failed, p.last = failed, i
	return classes
}

// A statusPart is a part of the line. Where the line is too narrow, all parts are written briefly; then those that matter less are left
// out.
type statusPart struct {
	long, brief string
	weight      int // the parts of less weight go first
}

// line returns the line of the last interval, fitted to a width in columns. The first part is always there.
func (p *phaseStatus) line(width int) string {
	parts := p.parts()
	write := func(brief bool) string {
		var words []string
		for _, x := range parts {
			if brief {
				words = append(words, x.brief)
			} else {
				words = append(words, x.long)
			}
		}
		return strings.Join(words, " · ")
	}
	line := write(false)
	if termtext.Width(line) <= width {
		return line
	}
	for line = write(true); termtext.Width(line) > width && len(parts) > 1; line = write(true) {
		least := 1
		for i := range parts {
			if i > 0 && parts[i].weight < parts[least].weight {
				least = i
			}
		}
		parts = slices.Delete(parts, least, least+1)
	}
	return line
}

// parts returns the parts that have something to tell.
func (p *phaseStatus) parts() []statusPart {
	i := p.last
	out := []statusPart{p.done()}
	add := func(weight int, long, brief string) { out = append(out, statusPart{long, brief, weight}) }
	if left := p.left(); left > 0 {
		text := units.Duration(left) + " left"
		add(4, text, text)
	}
	achieved := units.Rate(i.Achieved)
	if i.TargetRate > 0 {
		target := units.Rate(i.TargetRate)
		add(9, "target "+target+", achieved "+achieved, strings.TrimSuffix(achieved, "/s")+" of "+target)
	} else {
		add(9, "achieved "+achieved, achieved)
	}
	ok := "OK " + units.Rate(p.okRate)
	add(2, ok, ok)
	if h, kind := latest(i.Latencies); h.Count() > 0 {
		x := h.Percentiles()
		p50, p99 := units.Time(x.P50), units.Time(x.P99)
		add(3, kind+" p50 "+p50, "p50 "+tight(p50))
		add(8, "p99 "+p99, "p99 "+tight(p99))
	}
	if i.Unsent > 0 {
		add(1, "backlog "+units.Count(i.Unsent), "backlog "+units.Count(i.Unsent))
	}
	if i.Dropped > 0 {
		add(1, "dropped "+units.Count(i.Dropped), "dropped "+units.Count(i.Dropped))
	}
	if p.failed > 0 {
		add(5, "errors "+units.Count(p.failed), "errors "+units.Count(p.failed))
	}
	return out
}

func tight(time string) string { return strings.ReplaceAll(time, " ", "") }

// elapsed returns how long the phase has been sending.
func (p *phaseStatus) elapsed() time.Duration {
	d := time.Duration(p.last.Start + p.last.Length - p.start)
	if p.duration > 0 {
		d = min(d, p.duration)
	}
	return d
}

// done returns how much of the whole was done.
func (p *phaseStatus) done() statusPart {
	at, brief := units.Duration(p.elapsed().Round(time.Second)), ""
	switch {
	case p.duration > 0:
		whole := units.Duration(p.duration)
		at, brief = p.name+" "+at+" of "+whole, p.name+" "+at+"/"+whole
	case p.operations > 0:
		n, whole := units.Count(p.last.Completed), units.Count(p.operations)
		at, brief = fmt.Sprintf("%s %s, %s of %s operations", p.name, at, n, whole), p.name+" "+n+"/"+whole
	default:
		at, brief = p.name+" "+at, p.name+" "+at
	}
	return statusPart{at, brief, 10}
}

// left estimates how long the phase will go on, in whole seconds; 0 if that is not known.
func (p *phaseStatus) left() time.Duration {
	var left time.Duration
	if p.duration > 0 {
		left = p.duration - p.elapsed()
	}
	if done := p.last.Completed; p.operations > 0 && done > 0 {
		rest := time.Duration(float64(p.elapsed()) / float64(done) * float64(max(p.operations-done, 0)))
		if p.duration == 0 || rest < left {
			left = rest
		}
	}
	return left.Round(time.Second)
}

// latest returns the latencies of an interval over all operations: response times if there are any, else service times.
func latest(ls []load.Latency) (all *hist.Histogram, kind string) {
	for _, kind = range []string{record.TagResponse, record.TagService} {
		all = new(hist.Histogram)
		for _, l := range ls {
			if l.Tag == kind && l.Hist != nil {
				if err := all.Merge(l.Hist); err != nil {
					return new(hist.Histogram), kind
				}
			}
		}
		if all.Count() > 0 {
			break
		}
	}
	return all, kind
}
