package result

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/record"
)

// quiet returns intervals of a second in which nothing happened.
func quiet(n int) []IntervalMarks {
	all := make([]IntervalMarks, n)
	for i := range all {
		all[i] = IntervalMarks{
			At: int64(i) * 1e9, Length: 1e9, P99: int64(time.Millisecond) + int64(i%3)*1000,
			Generator: record.GeneratorMarks{SchedMax: 20_000, Process: &record.ProcessMarks{Delay: new(int64(100_000))}},
			Servers:   []record.ProcessMarks{{PID: 1, Delay: new(int64(150_000))}, {PID: 2}},
		}
	}
	return all
}

// TestCoincidences: an interval is reported if its p99 stands out, and a mark that is long enough to matter does, too.
func TestCoincidences(t *testing.T) {
	const ms = int64(time.Millisecond)
	for name, c := range map[string]struct {
		change func(all []IntervalMarks)
		marks  []string // of the only interval reported; none: no interval is reported
		words  string
	}{
		"nothing":      {func([]IntervalMarks) {}, nil, ""},
		"slow alone":   {func(all []IntervalMarks) { all[12].P99 = 85 * ms }, nil, ""},
		"a mark alone": {func(all []IntervalMarks) { all[12].Servers[1].Stopped = 500 * ms }, nil, ""},
		"elsewhere":    {func(all []IntervalMarks) { all[12].P99 = 85 * ms; all[13].Servers[1].Stopped = 500 * ms }, nil, ""},
		"far too short": {func(all []IntervalMarks) {
			all[12].P99 = 85 * ms
			all[12].ServerGC = &record.GCMarks{Count: 1, Pause: 2 * ms}
		}, nil, ""},
		"delay": {func(all []IntervalMarks) { all[12].P99 = 85 * ms; *all[12].Servers[0].Delay = 600 * ms },
			[]string{MarkServerDelay}, "from 12 to 13 s: p99 85.0 ms, usually 1.00 ms; the server's process waited 600 ms for a processor"},
		"stopped": {func(all []IntervalMarks) { all[12].P99 = 500 * ms; all[12].Servers[1].Stopped = 500 * ms },
			[]string{MarkStopped}, "the server's process was stopped for 500 ms by a signal or a debugger"},
		"collections of both": {func(all []IntervalMarks) {
			all[12].P99 = 9 * ms
			all[12].ServerGC = &record.GCMarks{Count: 2, Pause: 8 * ms}
			all[12].Generator.GC = record.GCMarks{Count: 1, Pause: 5 * ms}
		}, []string{MarkOwnGC, MarkServerGC}, "tare's own garbage collector stopped it for 5.00 ms, and the server's garbage collector stopped it for 8.00 ms"},
		"tare itself": {func(all []IntervalMarks) {
			all[12].P99, all[12].Generator.SchedMax = 85*ms, 80*ms
			*all[12].Generator.Process.Delay = 300 * ms
		}, []string{MarkOwnDelay, MarkOwnSched}, "tare's own process waited 300 ms for a processor, and a goroutine of tare waited 80.0 ms until it ran"},
		"in the second before": {func(all []IntervalMarks) {
			all[12].P99 = 490 * ms
			all[11].Servers[1].Stopped, all[12].Servers[1].Stopped = 350*ms, 150*ms
		},
			[]string{MarkStopped}, "the server's process was stopped for 500 ms"},
		"long before": {func(all []IntervalMarks) { all[12].P99 = 490 * ms; all[10].Servers[1].Stopped = 500 * ms }, nil, ""},
		"disk":        {func(all []IntervalMarks) { all[12].P99 = 85 * ms; all[12].Servers[0].Majflt = 120 }, []string{MarkServerDisk}, "120 pages of the server's memory were read from a disk"},
		"a few pages": {func(all []IntervalMarks) { all[12].P99 = 85 * ms; all[12].Servers[0].Majflt = 9 }, nil, ""},
		"always so": {func(all []IntervalMarks) {
			all[12].P99 = 85 * ms
			for i := range all {
				*all[i].Servers[0].Delay = 400 * ms
			}
			*all[12].Servers[0].Delay = 600 * ms
		}, nil, ""},
		"few intervals": {func(all []IntervalMarks) {
			for i := range all[4:] {
				all[4+i].P99 = 0
			}
			all[2].P99, all[2].Servers[0].Stopped = 85*ms, 85*ms
		}, nil, ""},
		"not answered at all": {func(all []IntervalMarks) { all[12].P99, all[12].Servers[0].Stopped = 0, 1000*ms }, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			all := quiet(20)
			c.change(all)
			got := coincidences(all)
			if c.marks == nil {
				if len(got) > 0 {
					t.Errorf("%+v", got)
				}
				return
			}
			if len(got) != 1 || !slices.Equal(got[0].Marks, c.marks) || !strings.Contains(got[0].Text, c.words) || got[0].At != 12e9 || got[0].P99 != all[12].P99 {
				t.Errorf("%+v, want %v: %s", got, c.marks, c.words)
			}
		})
	}
}

// TestChanceCoincidences: few intervals are reported if latencies and marks are independent.
func TestChanceCoincidences(t *testing.T) {
	reported, n := 0, 0
	state := uint64(1)
	next := func() int64 { // SplitMix64
		state += 0x9e3779b97f4a7c15
		z := (state ^ state>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return int64((z ^ z>>31) % 1000)
	}
	for range 200 {
		all := quiet(60)
		for i := range all {
			n++
			if next() < 30 {
				all[i].P99 = 50e6
			}
			if next() < 30 {
				all[i].Servers[0].Stopped = 60e6
			}
		}
		reported += len(coincidences(all))
	}
	if share := float64(reported) / float64(n); share > 0.003 { // 0.03 × 0.03, and where fewer than 3 of 60 stand out
		t.Errorf("%.2f %% of intervals are reported of by chance", 100*share)
	}
}

// markedRecord is a run of 8 seconds whose server was stopped in the sixth. It lists slow operations.
func markedRecord(t *testing.T) []record.Line {
	r := newLoadRecord(t, record.LoadConfig{
		DB: "http", Name: "http at http://127.0.0.1:8080/x", Arrivals: "constant 100/s", Rate: 100, Workers: 1, AutoWorkers: 100, Duration: 8 * time.Second, OnLate: "catch-up", Kinds: []string{"GET", "GET/first-byte"},
	}, "--db", "http://127.0.0.1:8080/x", "--rate", "100", "--watch-pid", "4711")
	get, first := [2]string{"GET", record.TagResponse}, [2]string{"GET/first-byte", record.TagResponse}
	start := r.now
	var last record.Load
	for i := range int64(8) {
		v := latencies{}
		for k := range int64(100) {
			x := 1_000_000 + k*5000
			if i == 5 && k < 50 {
				x = 500_000_000 - k*10_000_000
			}
			v[get], v[first] = append(v[get], x), append(v[first], x-200_000)
		}
		v[[2]string{"GET", record.TagService}] = v[get]
		done := 100 * (i + 1)
		last = record.Load{Phase: record.LoadRun, Iter: int(i + 1), Length: 1e9, TargetRate: 100, Achieved: 100, Scheduled: done, Started: done, Completed: done, Workers: 51, CPU: 5e7 * (i + 1), BacklogMax: 3}
		m := &record.Marks{
			Phase: record.LoadRun, Iter: last.Iter, Start: r.now, Length: 1e9,
			Generator: record.GeneratorMarks{GC: record.GCMarks{Count: i % 2, Pause: i % 2 * 200_000, Max: i % 2 * 200_000}, SchedP99: 10_000, SchedMax: 300_000, Process: &record.ProcessMarks{PID: 7, CPU: 5e7, Delay: new(int64(2_000_000)), RSS: 20 << 20}},
			Servers:   []record.ProcessMarks{{PID: 4711, CPU: 40_000_000, Delay: new(int64(1_000_000 + i)), RSS: 31<<20 + i, Minflt: 10, Majflt: i / 7}},
			ServerGC:  &record.GCMarks{Count: 1, Pause: 80_000, Max: 80_000},
		}
		if i == 5 {
			m.Servers[0].Stopped = 500_000_000
		}
		at := len(r.lines) + 1
		r.interval(last, [][2]string{get, {"GET", record.TagService}, first}, v)
		r.lines = slices.Insert(r.lines, at, record.Line(m))
	}
	for k := range int64(7) {
		due := 5_000_000_000 + k*10_000_000
		o := record.SlowOperation{Name: "GET", K: uint64(500 + k), Due: due, Start: due + 1200, End: 5_500_000_000, Key: "/x?a=b|<c>\x1b[31m", Part: "GET/first-byte", PartTime: 499_000_000 - k*10_000_000}
		if k == 2 {
			o.Class, o.Status = "server", "503"
		}
		last.Slowest = append(last.Slowest, o)
	}
	last.Slowest[6].Unanswered = true
	r.whole(last, start)
	return r.end()
}

// TestMarksRead: marks belong to the interval in front of them, whatever else comes.
func TestMarksRead(t *testing.T) {
	s := summaryOf(t, "marked")
	l := s.Load
	if len(l.Marks) != 8 || len(l.Coincidences) != 1 || len(l.Slowest) != 7 || l.Server == nil {
		t.Fatalf("%d marks, %+v, %+v", len(l.Marks), l.Coincidences, l.Server)
	}
	for i, m := range l.Marks {
		if m.At != int64(i)*1e9 || m.P99 == 0 || *m.Servers[0].Delay != int64(1_000_000+i) || m.Pair != 0 {
			t.Errorf("interval %d: %+v", i, m)
		}
	}
	if c := l.Coincidences[0]; c.At != 5e9 || !slices.Equal(c.Marks, []string{MarkStopped}) {
		t.Errorf("%+v", c)
	}
	if u := l.Server; u.Stopped != 500_000_000 || u.GCs != 8 || u.Pause != 640_000 || u.Majflt != 1 || u.RSS != 31<<20+7 || u.Cores != 0.04 || u.Unknown {
		t.Errorf("%+v", u)
	}
	lines := markedRecord(t)
	stray := &record.Marks{Phase: record.LoadRun, Iter: 99, Start: 5}
	lines = append([]record.Line{lines[0], stray}, lines[1:]...)
	b := NewBuilder()
	for _, l := range lines {
		b.Add(l)
	}
	b.Add(stray)
	if got := b.Result().Load; len(got.Marks) != 8 {
		t.Errorf("%d marks with stray lines", len(got.Marks))
	}
}

// TestSideMarks: windows of a side have theirs, with times since its first window.
func TestSideMarks(t *testing.T) {
	b := NewBuilder()
	b.Add(&record.Run{Kind: record.KindLoad, Sides: []record.Side{{Name: "old"}, {Name: "new"}}, Config: record.Config{Load: &record.LoadConfig{}}})
	h := hist.New(hist.Config{})
	h.RecordN(1e6, 100)
	data, err := h.Encode()
	must(t, err)
	for i := range int64(8) {
		w := &record.LoadWindow{Side: []string{"old", "new"}[i%2], Pair: int(i/2) + 1}
		at := 7e9 + i*1e9
		l := record.Load{Phase: record.LoadRun, Iter: 1, Start: at, Length: 1e9, TargetRate: 100, Achieved: 100, Scheduled: 100, Started: 100, Completed: 100, Window: w}
		b.Add(&l)
		b.Add(&record.Marks{Phase: record.LoadRun, Iter: 1, Start: at, Length: 1e9, Servers: []record.ProcessMarks{{PID: 5, CPU: 1e8}}, Window: w})
		b.Add(&record.Hist{Name: "GET", Tag: record.TagResponse, Iter: 1, Start: at, Length: 1e9, Unit: "ns", Data: data})
		whole := l
		whole.Final, whole.Iter = true, 0
		whole.Slowest = []record.SlowOperation{{Name: "GET", Due: 3, Start: 4, End: 10 + i}}
		b.Add(&whole)
	}
	r := b.Result()
	if r.LoadPairs == nil {
		t.Fatal("no pairs")
	}
	for i := range r.LoadPairs.Sides {
		l := &r.LoadPairs.Sides[i].Load
		if len(l.Marks) != 4 || len(l.Slowest) != 1 || l.Server == nil || l.Server.Cores != 0.1 {
			t.Fatalf("side %d: %+v", i, l)
		}
		if m := l.Marks[3]; m.At != 6e9 || m.Pair != 4 || m.P99 == 0 {
			t.Errorf("side %d: %+v", i, m)
		}
		if o := l.Slowest[0]; o.Due != 6e9+3 || o.End != 6e9+10+6+int64(i) {
			t.Errorf("side %d: %+v", i, o)
		}
	}
}
