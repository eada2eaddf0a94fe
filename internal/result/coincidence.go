package result

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/units"
)

// Coincidence is a slow interval of a run in which something else happened, too. That the one caused the other does not
// follow.
type Coincidence struct {
	At    int64    `json:"at_ns"` // when the interval began, since the beginning of the phase
	P99   int64    `json:"p99_ns"`
	Usual int64    `json:"usual_p99_ns"` // the median over all intervals
	Marks []string `json:"marks"`        // MarkStopped …
	Text  string   `json:"text"`         // one sentence
}

// Marks of a Coincidence.
const (
	MarkStopped     = "server-stopped"  // by a signal or a debugger
	MarkServerDelay = "server-delay"    // the server's threads waited for a processor
	MarkServerGC    = "server-gc"       // its goroutines were stopped by the collector
	MarkServerDisk  = "server-disk"     // it waited for its memory to be read from a disk
	MarkOwnDelay    = "generator-delay" // tare's own threads waited for a processor
	MarkOwnGC       = "generator-gc"
	MarkOwnSched    = "generator-sched" // goroutines of tare waited until they ran
)

// mark is something that may happen in an interval.
type mark struct {
	name  string
	of    func(m *IntervalMarks) int64 // ns, or a number
	words string                       // with the time, or the number
	count bool                         // it is a number; fewer than leastCount do not matter
}

const leastCount = 10

// loadMarks are those of tare itself first: they take the blame before the server's.
var loadMarks = []mark{
	{name: MarkOwnDelay, of: ownDelay, words: "tare's own process waited %s for a processor"},
	{name: MarkOwnSched, of: func(m *IntervalMarks) int64 { return m.Generator.SchedMax }, words: "a goroutine of tare waited %s until it ran"},
	{name: MarkOwnGC, of: func(m *IntervalMarks) int64 { return m.Generator.GC.Pause }, words: "tare's own garbage collector stopped it for %s"},
	{name: MarkStopped, of: func(m *IntervalMarks) int64 { return sumServers(m, stoppedOf) }, words: "the server's process was stopped for %s by a signal or a debugger"},
	{name: MarkServerDelay, of: func(m *IntervalMarks) int64 { return sumServers(m, delayOf) }, words: "the server's process waited %s for a processor"},
	{name: MarkServerGC, of: serverPause, words: "the server's garbage collector stopped it for %s"},
	{name: MarkServerDisk, of: func(m *IntervalMarks) int64 { return sumServers(m, majorOf) }, words: "%s of the server's memory were read from a disk", count: true},
}

// fewMarked is the number of intervals below which none is called slow.
const fewMarked = 5

// outstanding is how many times its median a figure must exceed to stand out.
const outstanding = 2

// coincidences returns the slow intervals in which a mark stands out, in their order. An interval is slow if its p99 is
// among the highest 5 % and more than twice the median. A mark stands out by the same rule, in the interval, or in
// the one before if operations take so long. A mark that is a time must also be at least half of what the p99 exceeds
// its median by: a shorter time does not explain the latency.
func coincidences(all []IntervalMarks) (out []Coincidence) {
	var answered []IntervalMarks
	for _, m := range all {
		if m.P99 > 0 {
			answered = append(answered, m)
		}
	}
	if len(answered) < fewMarked {
		return nil
	}
	p99 := newRange(answered, func(m *IntervalMarks) int64 { return m.P99 })
	var of []markRange
	for i := range loadMarks {
		of = append(of, newRange(answered, loadMarks[i].of))
	}
	for i := range answered {
		m := &answered[i]
		if !p99.standsOut(m.P99) {
			continue
		}
		c := Coincidence{At: m.At, P99: m.P99, Usual: p99.median}
		var words []string
		from := m.At
		for k := range loadMarks {
			x := loadMarks[k].of(m)
			most := x
			if before := reachesBack(answered, i); before != nil {
				x, most, from = x+loadMarks[k].of(before), max(x, loadMarks[k].of(before)), before.At
			}
			least := (m.P99 - p99.median) / 2
			if loadMarks[k].count {
				least = leastCount
			}
			if of[k].standsOut(most) && x >= least {
				c.Marks, words = append(c.Marks, loadMarks[k].name), append(words, loadMarks[k].say(x))
			}
		}
		if len(words) > 0 {
			c.Text = fmt.Sprintf("from %s to %s s: p99 %s, usually %s; %s", seconds(from), seconds(m.At+m.Length), units.Time(m.P99), units.Time(p99.median), strings.Join(words, ", and "))
			out = append(out, c)
		}
	}
	return out
}

// seconds returns a time with tenths of a second, if it has some.
func seconds(ns int64) string { return units.Plain(float64(ns/1e8) / 10) }

// reachesBack returns the interval before interval i if a good part of the slow operations that were answered in i
// began in it; else nil.
func reachesBack(all []IntervalMarks, i int) *IntervalMarks {
	if i == 0 || all[i].P99 < all[i].Length/10 || all[i].At-all[i-1].At > 2*all[i-1].Length {
		return nil
	}
	return &all[i-1]
}

func (k *mark) say(x int64) string {
	text := units.Time(x)
	if k.count {
		text = units.Plural(x, "page")
	}
	return fmt.Sprintf(k.words, text)
}

// markRange says what values of a figure are usual over the intervals, and which are among the highest 5 %.
type markRange struct{ median, high int64 }

func newRange(all []IntervalMarks, of func(*IntervalMarks) int64) markRange {
	var values []int64
	for i := range all {
		values = append(values, of(&all[i]))
	}
	slices.Sort(values)
	n := len(values)
	return markRange{median: values[(n-1)/2], high: values[n-max(n/20, 1)]}
}

func (s *markRange) standsOut(x int64) bool { return x > 0 && x >= s.high && x > outstanding*s.median }

func ownDelay(m *IntervalMarks) int64 {
	if p := m.Generator.Process; p != nil && p.Delay != nil {
		return *p.Delay
	}
	return 0
}

func serverPause(m *IntervalMarks) int64 {
	if m.ServerGC == nil {
		return 0
	}
	return m.ServerGC.Pause
}
