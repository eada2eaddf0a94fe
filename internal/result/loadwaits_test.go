package result

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/record"
)

// deadRecord is the record of a run at 500/s whose system answers within 1 ms for the first seconds, and then
// no more. Of those due after that half are in flight at the end and half were never sent.
func deadRecord(t *testing.T, slo string) []record.Line {
	const rate, alive, dead = 500, 6, 2
	r := newLoadRecord(t, record.LoadConfig{DB: "redis", Workload: "c", Arrivals: "constant 500/s", Rate: rate, Workers: 1, AutoWorkers: 1000, Duration: (alive + dead) * time.Second, Drain: 5 * time.Second, Kinds: []string{"READ"}})
	r.add(attach(AttachSLO, slo))
	start := r.now
	var last record.Load
	for i := range alive {
		v := latencies{}
		for range rate {
			v[readResponse] = append(v[readResponse], 1e6)
			v[readService] = append(v[readService], 1e6)
		}
		n := int64(rate * (i + 1))
		last = record.Load{Phase: record.LoadRun, Iter: i + 1, Length: 1e9, TargetRate: rate, Scheduled: n, Started: n, Completed: n, Workers: rate}
		r.interval(last, [][2]string{readResponse, readService}, v)
	}
	v := latencies{}
	waited, sent := [2]string{"READ", record.TagUnanswered}, [2]string{"READ", record.TagUnansweredService}
	for k := range int64(rate * dead) {
		if age := (dead*rate - k) * 2e6; k < rate*dead/2 {
			v[waited], v[sent] = append(v[waited], age+5e9), append(v[sent], age+5e9)
		} else {
			v[waited] = append(v[waited], age)
		}
	}
	last.Iter, last.Length, last.Unfinished, last.Unsent = alive+1, (dead+5)*1e9, rate, rate
	last.Scheduled, last.Started = rate*(alive+dead), rate*(alive+1)
	last.UnfinishedOldest, last.UnsentOldest = 7e9, 1e9
	r.interval(last, [][2]string{waited, sent}, v)
	last.Achieved = rate * alive / (alive + dead)
	r.whole(last, start)
	return r.end()
}

// TestDead: operations that were never answered are in the percentiles as lower bounds, miss
// every objective, and the rate.
func TestDead(t *testing.T) {
	text := written(t, deadRecord(t, "p50<2ms\np90<100ms\np99<10ms\nservice p99<1s\nmax<1s\nmean<10ms\nerrors<20%\nerrors<40%\nrate>=95%"))
	s, err := Read(bytes.NewReader(text), "dead")
	must(t, err)
	if l := s.Load; !l.Missed {
		t.Errorf("the rate counts as achieved: %s", l.Verdict)
	}
	at := slices.IndexFunc(s.Latencies, func(l Latency) bool { return l.Kind == record.TagResponse })
	r := &s.Latencies[at]
	if want := []string{"mean", "p90", "p99", "p99.9", "p99.99", "max"}; !slices.Equal(r.AtLeast, want) || r.Unanswered != 1000 {
		t.Errorf("%d unanswered, %q are lower bounds; want 1000 and %q", r.Unanswered, r.AtLeast, want)
	}
	// Of 4000 the last 500 have waited from 6 to 7 s, and p99 leaves 40 above.
	if r.P50 > 1.01e6 || r.P99 < 6.85e9 || r.P99 > 6.95e9 || r.Max < 6.99e9 || r.Max > 7.01e9 || r.Count != 3000 {
		t.Errorf("%+v", r.Percentiles)
	}
	if x, ok := r.At(99); !ok || x != r.P99 {
		t.Errorf("At(99) is %d, P99 %d", x, r.P99)
	}
	var met []bool
	for _, o := range s.Objectives {
		met = append(met, o.Met)
	}
	if want := []bool{true, false, false, false, false, false, false, true, false}; !slices.Equal(met, want) {
		t.Errorf("met %v, want %v: %+v", met, want, s.Objectives)
	}
	if at := slices.IndexFunc(s.Latencies, func(l Latency) bool { return l.Kind == record.TagUnanswered && l.Count == 1000 }); at < 0 {
		t.Error("the waits are not among the latencies")
	}
}

// TestSilence: a server that was dead in the middle and caught up did not sustain the rate.
func TestSilence(t *testing.T) {
	for _, test := range []struct {
		name   string
		counts []int64 // answered in each second, of 500 due
		errs   bool    // the last answers are errors
		want   time.Duration
	}{
		{"even", []int64{500, 500, 500, 500}, false, 0},
		{"dead for two", []int64{500, 0, 20, 1480}, false, 2 * time.Second},
		{"dead at the end", []int64{500, 500, 0, 0}, false, 2 * time.Second},
		{"errors only", []int64{500, 500, 500, 500}, true, time.Second},
	} {
		var s silences
		var before record.Load
		for i, n := range test.counts {
			now := before
			now.TargetRate, now.Scheduled, now.Completed = 500, before.Scheduled+500, before.Completed+n
			if test.errs && i == len(test.counts)-1 {
				now.Errors = map[string]int64{"timeout": n, classNotFound: 7}
			}
			s.add(&now, &before)
			before = now
		}
		if got := time.Duration(s.longest.length); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// outageRecord is the record of a run of 8 s at 500/s, in one or more intervals, whose system answers nothing from
// 2.5 s to 4.5 s, and then all that had fallen due. The load generator saw it if seen.
func outageRecord(t *testing.T, rate float64, interval time.Duration, seen bool) []record.Line {
	r := newLoadRecord(t, record.LoadConfig{DB: "redis", Workload: "c", Rate: rate, Workers: 1, AutoWorkers: 1000, Duration: 8 * time.Second, Drain: 5 * time.Second, Kinds: []string{"READ"}})
	start := r.now
	const begin, end = 2.5, 4.5
	answered := func(s float64) int64 {
		if s > begin && s < end {
			s = begin
		}
		return int64(500 * s)
	}
	var last record.Load
	for i, before := 1, 0.0; before < 7.9; i++ {
		now := float64(i) * interval.Seconds()
		n := answered(now) - answered(before)
		last = record.Load{Phase: record.LoadRun, Iter: i, Length: int64(interval), TargetRate: rate, Scheduled: int64(500 * now), Started: int64(500 * now), Completed: answered(now), Workers: 500}
		if last.Unfinished = last.Started - last.Completed; last.Unfinished > 0 {
			last.UnfinishedOldest = int64((now - begin) * 1e9)
		}
		if rate == 0 {
			last.Scheduled, last.Started, last.Unfinished = last.Completed, last.Completed, 0
		}
		if seen && now > begin {
			last.Silence, last.SilenceDue = 1.95e9, int64(rate*1.95)
		}
		v := latencies{}
		for range n {
			v[readResponse], v[readService] = append(v[readResponse], 1e6), append(v[readService], 1e6)
		}
		r.interval(last, [][2]string{readResponse, readService}, v)
		before = now
	}
	r.whole(last, start)
	return r.end()
}

// TestOutage: a system that was dead for 2 of 8 s did not sustain the rate, even if it caught up: with intervals that
// are a moment too short, with one interval for all, and in a closed loop.
func TestOutage(t *testing.T) {
	for _, c := range []struct {
		name     string
		rate     float64
		interval time.Duration
		seen     bool
		want     string
	}{
		{"jitter", 500, 999_800 * time.Microsecond, false, "nearly nothing was answered for at least 1.0 s of 8.0 s, in which 500 operations were due"},
		{"long interval", 500, 8 * time.Second, true, "nearly nothing was answered for at least 1.9 s of 8.0 s, in which 975 operations were due"},
		{"closed loop", 0, time.Second, true, "closed loop, 500 workers: 500/s; nearly nothing was answered for at least 1.9 s of 8.0 s. Service"},
	} {
		s, err := Read(bytes.NewReader(written(t, outageRecord(t, c.rate, c.interval, c.seen))), c.name)
		must(t, err)
		if l := s.Load; l.Missed != (c.rate > 0) || !strings.Contains(l.Verdict, c.want) {
			t.Errorf("%s: missed %v: %s", c.name, l.Missed, l.Verdict)
		}
	}
}

// TestShortSilence: a silence of 1 % of a run is said, and the rate still counts as achieved.
func TestShortSilence(t *testing.T) {
	l := &Load{TargetRate: 500, Achieved: 500, Scheduled: 1e6, Started: 1e6, Operations: 1e6, Wall: 2000e9, silence: silence{3e9, 1500}}
	missed, words := verdict(l, &record.LoadConfig{}, 1e6)
	if want := "nearly nothing was answered for at least 3.0 s of"; missed || !strings.Contains(words, want) {
		t.Errorf("missed %v: %s", missed, words)
	}
}

// hangingRecord is the record of a run, or a step of a search, in which each READ takes 1 ms, and no UPDATE is answered
// or all of them fail.
func hangingRecord(t *testing.T, fails, search bool) []record.Line {
	r := newLoadRecord(t, record.LoadConfig{DB: "redis", Workload: "a", Rate: 100, Workers: 1, AutoWorkers: 1000, Duration: 10 * time.Second, Drain: 5 * time.Second, Kinds: []string{"READ", "UPDATE"}})
	r.add(attach(AttachSLO, "p99<10ms\nmean<10ms\nmax<10s\nservice p50<10ms\nREAD p99<10ms\nUPDATE p99<10ms"))
	if search {
		r.add(attach(AttachSteps, SteppedSearch))
	}
	start, v := r.now, latencies{}
	l := record.Load{Phase: record.LoadRun, Iter: 1, Length: 10e9, TargetRate: 100, Scheduled: 1000, Started: 1000, Completed: 995, Unfinished: 5, UnfinishedOldest: 14e9, Workers: 10}
	order := [][2]string{readResponse, readService}
	for range 995 {
		v[readResponse], v[readService] = append(v[readResponse], 1e6), append(v[readService], 1e6)
	}
	if fails {
		failed := [2]string{"UPDATE", record.TagFailed}
		order, v[failed] = append(order, failed), []int64{1e6, 1e6, 1e6, 1e6, 1e6}
		l.Completed, l.Unfinished, l.UnfinishedOldest, l.Errors = 1000, 0, 0, map[string]int64{"server": 5}
	} else {
		waited, sent := [2]string{"UPDATE", record.TagUnanswered}, [2]string{"UPDATE", record.TagUnansweredService}
		order = append(order, waited, sent)
		v[waited] = []int64{14e9, 12e9, 11e9, 9e9, 8e9}
		v[sent] = v[waited]
	}
	r.interval(l, order, v)
	r.whole(l, start)
	return r.end()
}

// TestNeverAnswered: an operation that is never answered, or always fails, meets no objective, however well others
// do, and has figures of its own.
func TestNeverAnswered(t *testing.T) {
	for _, fails := range []bool{false, true} {
		for _, search := range []bool{false, true} {
			s, err := Read(bytes.NewReader(written(t, hangingRecord(t, fails, search))), "hanging")
			must(t, err)
			rows, judged := s.Latencies, s.Objectives
			if search {
				rows, judged = s.Steps[0].Latencies, s.Steps[0].Objectives
			}
			if len(judged) != 6 {
				t.Fatalf("%d objectives were judged", len(judged))
			}
			for _, o := range judged {
				if read := strings.HasPrefix(o.Objective, "READ"); o.Met != read || !read && o.Name != "UPDATE" {
					t.Errorf("fails %v, search %v: %+v", fails, search, o)
				}
			}
			at := slices.IndexFunc(rows, func(l Latency) bool { return l.Name == "UPDATE" && l.Kind == record.TagResponse })
			if fails != (at < 0) {
				t.Fatalf("fails %v: rows %+v", fails, rows)
			}
			if !fails {
				r := &rows[at]
				if !r.IsAtLeast("p50") || !r.IsAtLeast("min") || r.P50 < 10.9e9 || r.P50 > 11.1e9 || r.Min < 7.9e9 || r.Min > 8e9 || r.Count != 0 || r.Unanswered != 5 {
					t.Errorf("%+v", r)
				}
			}
		}
	}
}
