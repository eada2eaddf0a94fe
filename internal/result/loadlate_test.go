package result

import (
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/numbers/objective"
	"github.com/tarebench/tare/record"
)

// lateStep is a step of 1 s at 1000/s. values are how often a time in ns occurred.
type lateStep struct{ response, service, lateness map[time.Duration]int64 }

func (s lateStep) load() (*Load, []Latency) {
	of := func(kind string, values map[time.Duration]int64) Latency {
		var h hist.Histogram
		for v, n := range values {
			h.RecordN(int64(v), n)
		}
		return Latency{Name: "READ", Kind: kind, Percentiles: h.Percentiles(), Unit: "ns", hist: &h}
	}
	rows := []Latency{of(record.TagResponse, s.response), of(record.TagService, s.service), of(record.TagLateness, s.lateness)}
	return &Load{TargetRate: 1000, Achieved: 1000, Operations: 1000, Scheduled: 1000, Started: 1000, Wall: 1e9, Workers: 1, Lateness: &rows[2]}, rows
}

// TestLateGenerator: an objective that the load generator's own lateness kept from being met is undecided; a stall or a
// queue of the system is a miss, however busy the machine was.
func TestLateGenerator(t *testing.T) {
	const us, ms = time.Microsecond, time.Millisecond
	type values = map[time.Duration]int64
	quick := values{3 * us: 1000}
	for _, c := range []struct {
		name      string
		step      lateStep
		objective string
		undecided bool
		text      string // what the outcome says of the load generator; "" for nothing
	}{
		{"late for each", lateStep{values{5 * us: 950, 12 * ms: 50}, quick, values{2 * us: 950, 12 * ms: 50}},
			"p99<2ms", true, "; not trusted: service times meet it, and the load generator was late (p99 12"},
		{"late once, and others behind it", lateStep{values{5 * us: 950, 40 * ms: 50}, quick, values{2 * us: 50, 60 * ms: 1}},
			"p99<2ms", true, "service times meet it, and the load generator was late (up to 60"},
		{"the most", lateStep{values{5 * us: 999, 12 * ms: 1}, quick, values{2 * us: 999, 12 * ms: 1}}, "max<2ms", true, "service times meet it"},
		{"the mean", lateStep{values{2 * ms: 1000}, quick, values{2 * ms: 1000}}, "mean<1ms", true, "service times meet it"},
		{"the system stalls once", lateStep{values{5 * us: 900, 50 * ms: 100}, values{3 * us: 999, 100 * ms: 1}, values{2 * us: 900}}, "p99<2ms", false, ""},
		{"the system stalls, and the load generator is late for a moment", lateStep{values{5 * us: 900, 50 * ms: 100}, values{3 * us: 999, 100 * ms: 1}, values{2 * us: 890, 3 * ms: 10}},
			"p99<2ms", false, "; not trusted: the load generator was late (p99 3"},
		{"a queue", lateStep{values{500 * ms: 1000}, values{ms: 1000}, values{12 * ms: 3}}, "p50<2ms", false, "; not trusted: the load generator was late (up to 12"},
		{"the service misses it, too", lateStep{values{20 * ms: 1000}, values{10 * ms: 1000}, values{10 * ms: 1000}}, "p99<5ms", false, "; not trusted: the load generator was late (p99 10"},
		{"the service is what it is about", lateStep{values{20 * ms: 1000}, values{10 * ms: 1000}, values{10 * ms: 1000}}, "service p99<5ms", false, "; not trusted: the load generator was late (p99 10"},
		{"the service misses it by more", lateStep{values{200 * ms: 1000}, values{190 * ms: 1000}, values{10 * ms: 1000}}, "p99<50ms", false, ""},
		{"far from the bound", lateStep{values{5 * time.Second: 1000}, values{5 * ms: 1000}, values{10 * ms: 1000}}, "p99<1s", false, ""},
		{"met all the same", lateStep{values{12 * ms: 1000}, quick, values{12 * ms: 1000}}, "p99<20ms", false, ""},
	} {
		o, err := objective.Parse(c.objective)
		must(t, err)
		l, rows := c.step.load()
		out := judge([]objective.Objective{o}, l, rows)[0]
		if out.Undecided != c.undecided || !strings.Contains(out.Text, c.text) || c.text == "" && strings.Contains(out.Text, "late") {
			t.Errorf("%s: %+v", c.name, out)
		}
		l.Objectives = []Outcome{out}
		if l.judgeStep(); l.Undecided != c.undecided || l.Met != out.Met {
			t.Errorf("%s: the step is undecided: %v, met: %v", c.name, l.Undecided, l.Met)
		}
	}
}

// TestLateRate: a rate that was missed by what the load generator itself was late is undecided.
func TestLateRate(t *testing.T) {
	for _, c := range []struct {
		name              string
		oldest            time.Duration
		dropped, unfinish int64
		undecided         bool
	}{
		{"as old as the lateness", 15 * time.Millisecond, 0, 0, true},
		{"a backlog", time.Second, 0, 0, false},
		{"dropped", 15 * time.Millisecond, 20, 0, false},
		{"unanswered", 15 * time.Millisecond, 0, 20, false},
	} {
		l, _ := lateStep{lateness: map[time.Duration]int64{20 * time.Millisecond: 100}}.load()
		l.Missed, l.Unsent, l.UnsentOldest, l.Dropped, l.Unfinished = true, 20, int64(c.oldest), c.dropped, c.unfinish
		if l.judgeStep(); l.Undecided != c.undecided || l.Met {
			t.Errorf("%s: undecided: %v, met: %v", c.name, l.Undecided, l.Met)
		}
	}
}

// TestStalled: delays by the load generator are reported as its own, not as the system's.
func TestStalled(t *testing.T) {
	auto := &record.LoadConfig{AutoWorkers: 1000}
	rows := func(response, service int64) []Latency {
		a, b := Latency{Name: "READ", Kind: record.TagResponse}, Latency{Name: "READ", Kind: record.TagService}
		a.P99, b.Max = response, service
		return []Latency{a, b}
	}
	for _, test := range []struct {
		name string
		rows []Latency
		l    Load
		c    *record.LoadConfig
		want bool
	}{
		{"stalled", rows(21e6, 116e3), Load{Workers: 9}, auto, true},
		{"a slow answer", rows(21e6, 20e6), Load{Workers: 9}, auto, false},
		{"short", rows(1e6, 10e3), Load{Workers: 9}, auto, false},
		{"all workers were busy", rows(21e6, 116e3), Load{Workers: 1000}, auto, false},
		{"so many workers and no more", rows(21e6, 116e3), Load{Workers: 1}, &record.LoadConfig{Workers: 1}, false},
		{"some were never answered", rows(21e6, 116e3), Load{Workers: 9, Unfinished: 1}, auto, false},
		{"closed loop", rows(21e6, 116e3), Load{Workers: 9, ClosedLoop: true}, auto, false},
	} {
		if w := stalled(test.rows, &test.l, test.c); (w != nil) != test.want {
			t.Errorf("%s: %+v", test.name, w)
		}
	}
}
