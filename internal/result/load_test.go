package result

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/record"
)

// written is a record as a file.
func written(t *testing.T, lines []record.Line) []byte {
	t.Helper()
	var b bytes.Buffer
	w := record.NewWriter(&b)
	for _, l := range lines {
		must(t, w.Write(l))
	}
	return b.Bytes()
}

// TestLoadGolden keeps the records and the summaries that package render shows.
func TestLoadGolden(t *testing.T) {
	records := loadRecords(t)
	for _, name := range slices.Sorted(maps.Keys(records)) {
		t.Run(name, func(t *testing.T) {
			text := written(t, records[name])
			golden(t, "load-"+name+".jsonl", text)
			s, err := Read(bytes.NewReader(text), name)
			must(t, err)
			got, err := json.MarshalIndent(s, "", "  ")
			must(t, err)
			golden(t, "load-"+name+".json", append(got, '\n'))
		})
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		must(t, os.WriteFile(path, got, 0o666))
		return
	}
	want, err := os.ReadFile(path)
	must(t, err)
	if !bytes.Equal(got, want) {
		must(t, os.WriteFile(path+".got", got, 0o666))
		t.Errorf("differs from the golden file: diff internal/result/%s internal/result/%s.got", path, path)
	} else {
		os.Remove(path + ".got")
	}
}

func summaryOf(t *testing.T, name string) *Result {
	t.Helper()
	s, err := Read(bytes.NewReader(written(t, loadRecords(t)[name])), name)
	must(t, err)
	return s
}

// TestLoadTruth: 4 ms a call at 1000/s on one worker for a minute is the growth
// of a queue, and its percentiles are those of the arithmetic.
func TestLoadTruth(t *testing.T) {
	s := summaryOf(t, "overload")
	l := s.Load
	if !l.Missed || !strings.HasPrefix(l.Verdict, "target 1000/s, achieved 239/s: the latencies are the growth of a queue") {
		t.Errorf("%v %s", l.Missed, l.Verdict)
	}
	if l.Scheduled != 60000 || l.Started != l.Scheduled-l.Dropped-l.Unsent || l.Operations != l.Started-l.Unfinished {
		t.Errorf("%+v", l)
	}
	const service, period = 4.18e6, 1e6
	last := float64(l.Operations - 1)
	r := s.Latencies[0]
	if want := service + last*(service-period); math.Abs(float64(r.Max)/want-1) > 0.001 || r.Kind != record.TagResponse || r.Count != l.Operations {
		t.Errorf("max %d, want %.0f; %+v", r.Max, want, r)
	}
	if want := service + math.Ceil(0.99*(last+1)-1)*(service-period); math.Abs(float64(r.P99)/want-1) > 0.001 {
		t.Errorf("p99 %d, want %.0f", r.P99, want)
	}
	if len(s.Phases) != 1 || s.Phases[0].Phase != record.LoadWarmup || s.Phases[0].Scheduled != 5000 || s.Phases[0].Latencies[0].Count == r.Count {
		t.Errorf("%+v", s.Phases)
	}
}

// TestLoadCut: the result of a run that was killed is that of the intervals
// whose lines are whole, wherever it was cut.
func TestLoadCut(t *testing.T) {
	text := written(t, loadRecords(t)["overload"])
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		cut := rng.IntN(len(text))
		s, _ := Read(bytes.NewReader(text[:cut]), "cut") // the error is the cut
		if s.Load == nil {
			continue
		}
		if !s.Load.Partial && cut < len(text)-500 {
			t.Errorf("cut at %d of %d: not partial", cut, len(text))
		}
		for _, r := range s.Latencies {
			if r.Count != s.Load.Operations {
				t.Errorf("cut at %d: %d values of %s for %d operations", cut, r.Count, r.Kind, s.Load.Operations)
			}
		}
	}
}

// TestLoadOrder: histograms stand before or behind the line of their interval.
func TestLoadOrder(t *testing.T) {
	s := summaryOf(t, "dropped")
	if len(s.Latencies) != 2 || s.Latencies[0].Count != 60 || s.Latencies[1].Count != 60 {
		t.Errorf("%+v", s.Latencies)
	}
}

// TestLoadDropped: what was dropped is slower than any bound.
func TestLoadDropped(t *testing.T) {
	s := summaryOf(t, "dropped")
	if o := s.Objectives[0]; o.Met || !math.IsInf(float64(o.Value), 1) {
		t.Errorf("%+v: 40 of 100 had no answer", o)
	}
	if !strings.Contains(s.Load.Verdict, "39 % of the operations were dropped") {
		t.Error(s.Load.Verdict)
	}
}

func TestLoadVerdict(t *testing.T) {
	open := record.LoadConfig{Rate: 1000, Duration: time.Second}
	for _, c := range []struct {
		name   string
		l      Load
		c      record.LoadConfig
		missed bool
		want   string
	}{
		{"kept", Load{Phase: "run", TargetRate: 1000, Achieved: 999.9, Scheduled: 1000, Started: 1000, Operations: 999, Unfinished: 1, Workers: 4}, open, false, "target 1000/s, achieved 1000/s"},
		{"few operations, one under way", Load{Phase: "run", TargetRate: 10, Achieved: 9, Scheduled: 10, Started: 10, Operations: 9, Unfinished: 1, Workers: 1}, open, false, "target 10/s, achieved 9/s"},
		{"queue", Load{Phase: "run", TargetRate: 1000, Achieved: 239, Scheduled: 1000, Started: 240, Operations: 239, Unfinished: 1, Unsent: 760, Workers: 1}, open, true, "growth of a queue"},
		{"hung", Load{Phase: "run", TargetRate: 1000, Achieved: 500, Scheduled: 1000, Started: 1000, Operations: 500, Unfinished: 500, Workers: 100}, open, true, "500 operations had no answer"},
		{"dead", Load{Phase: "run", TargetRate: 1000, Scheduled: 1000, Started: 10, Unfinished: 10, Unsent: 990, Workers: 10}, open, true, "nothing was answered"},
		{"so many operations, slower than due", Load{Phase: "run", TargetRate: 1000, Achieved: 239, Wall: 20.93e9, Scheduled: 5000, Started: 5000, Operations: 5000, Workers: 1}, record.LoadConfig{Rate: 1000, Operations: 5000}, true, "target 1000/s, achieved 239/s: the latencies"},
		{"so many operations, in time", Load{Phase: "run", TargetRate: 1000, Achieved: 999, Wall: 5.004e9, Scheduled: 5000, Started: 5000, Operations: 5000, Workers: 1}, record.LoadConfig{Rate: 1000, Operations: 5000}, false, "achieved 999/s"},
		{"cut off", Load{Phase: "run", Partial: true, TargetRate: 1000, Achieved: 1000, Wall: 3e9, Scheduled: 1000, Started: 1000, Operations: 1000, Workers: 1}, record.LoadConfig{Rate: 1000, Operations: 5000}, false, "achieved"},
		{"closed", Load{Phase: "run", ClosedLoop: true, Achieved: 2.741e6, Workers: 2}, record.LoadConfig{}, false, "closed loop, 2 workers: 2.74 M/s. Service times only"},
		{"each worker holds one", Load{Phase: "run", TargetRate: 500, Achieved: 178, Wall: 2e9, Scheduled: 1000, Started: 1000, Operations: 357, Unfinished: 643, UnfinishedOldest: 8.2e9, Workers: 1000, patience: 5e9}, open, true, "643 operations had no answer"},
		{"cut off, each worker holds one", Load{Phase: "run", TargetRate: 500, Achieved: 500, Wall: 1e9, Scheduled: 500, Started: 500, Operations: 490, Unfinished: 10, UnfinishedOldest: 2e7, Workers: 10, patience: 5e9}, open, false, "achieved 500/s"},
		{"never sent, many workers", Load{Phase: "run", TargetRate: 500, Achieved: 480, Wall: 2e9, Scheduled: 1000, Started: 960, Operations: 960, Unsent: 40, UnsentOldest: 8e7, Workers: 1000}, open, true, "growth of a queue"},
		{"the last one was late", Load{Phase: "run", TargetRate: 50, Achieved: 49, Wall: 1e9, Scheduled: 50, Started: 49, Operations: 49, Unsent: 1, UnsentOldest: 2e6, Workers: 1}, open, false, "achieved 49"},
		{"dead for a while", Load{Phase: "run", TargetRate: 500, Achieved: 500, Wall: 8e9, Scheduled: 4000, Started: 4000, Operations: 4000, Workers: 10, silence: silence{2e9, 1000}}, open, true, "target 500/s, achieved 500/s: nearly nothing was answered for at least 2.0 s of 8.0 s, in which 1000 operations were due"},
		{"this machine stood still", Load{Phase: "run", TargetRate: 500, Achieved: 500, Wall: 8e9, Scheduled: 4000, Started: 4000, Operations: 4000, Workers: 10, silence: silence{2e9, 1000}, Lateness: &Latency{Percentiles: hist.Percentiles{Max: 1.9e9}}}, open, true, "this machine may be the cause"},
		{"a moment of silence", Load{Phase: "run", TargetRate: 500, Achieved: 500, Wall: 8e9, Scheduled: 4000, Started: 4000, Operations: 4000, Workers: 10, silence: silence{0.89e9, 445}}, open, false, "achieved 500/s"},
		{"a quarter failed", Load{Phase: "run", TargetRate: 500, Achieved: 500, Wall: 8e9, Scheduled: 4000, Started: 4000, Operations: 4000, Errors: 1000, Workers: 10}, open, true, "target 500/s, achieved 500/s, 375/s of it without an error"},
		{"a few dropped", Load{Phase: "run", TargetRate: 1000, Achieved: 996, Scheduled: 1000, Started: 996, Operations: 996, Dropped: 4, Workers: 1}, open, false, "; 0.4 % of the operations were dropped"},
	} {
		missed, words := verdict(&c.l, &c.c, 0)
		if missed != c.missed || !strings.Contains(words, c.want) {
			t.Errorf("%s: %v, %q; want %v, %q", c.name, missed, words, c.missed, c.want)
		}
	}
}

func TestUnresolvable(t *testing.T) {
	s := summaryOf(t, "steady")
	if l := s.Load; l.Floor < 5000 || l.Floor > 5300 { // p99 of 300 … 5200 ns
		t.Errorf("floor %d", l.Floor)
	}
	for _, w := range s.Warnings {
		if w.Code == diagnosis.NotResolvable {
			t.Errorf("200 µs are resolvable: %+v", w)
		}
	}
	text := func(rows []Latency, l *Load) (all []string) {
		for _, w := range unresolvable(rows, l) {
			all = append(all, w.Text)
		}
		return all
	}
	late := func(ns int64) *Latency { return &Latency{Percentiles: hist.Percentiles{P99: ns}} }
	for _, c := range []struct {
		rows []Latency
		load *Load
		want string
	}{
		{s.Latencies, &Load{Lateness: late(300_000), Floor: 300_000, clock: 20}, // service time counts from sending
			"[READ response, UPDATE response: figures below 300 µs are not resolvable: the load generator began operations up to that late (p99)]"},
		{summaryOf(t, "closed").Latencies, &Load{clock: 100}, "[READ service: figures below 100 ns are not resolvable: reading the clock takes as long]"},
		{summaryOf(t, "closed").Latencies, &Load{clock: 10}, "[]"},
	} {
		if got := fmt.Sprint(text(c.rows, c.load)); got != c.want {
			t.Errorf("%s; want %s", got, c.want)
		}
	}
}

// TestCorrected: of a worker that stalls for 10 intervals, nine more operations
// would have waited.
func TestCorrected(t *testing.T) {
	s := summaryOf(t, "closed")
	l := s.Latencies[0]
	if _, ok := l.Corrected(0); ok {
		t.Error("corrected by nothing")
	}
	c, ok := l.Corrected(10)
	if !ok || c.Kind != KindCorrected || c.Count <= l.Count || l.Kind != record.TagService {
		t.Errorf("%+v", c)
	}
	r := summaryOf(t, "overload").Latencies[0]
	if _, ok := r.Corrected(10); ok {
		t.Error("a response time was corrected")
	}
	if got := (&Load{Workers: 2, TargetRate: 1000}).Expected(); got != 2e6 {
		t.Errorf("expected interval %d", got)
	}
}
