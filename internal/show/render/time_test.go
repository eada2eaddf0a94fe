package render

import (
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// timed is the result of two commands; each run of real has a run of vs beside it. Times are
// in ms.
func timed(real, vs []float64) *result.Result {
	b := result.NewBuilder()
	b.Add(&record.Run{
		Version: record.Version, Command: []string{"tare", "time", "--against", "./sort-seq 100", "--", "./sort-par", "100"}, Seed: 0x7f3a,
		Config: record.Config{Forks: len(real), Iterations: 1, Benchtime: "1x", Order: "interleaved", Threshold: 0.03, Correction: "none", Confidence: 0.95},
		Env:    record.Env{OS: "linux", Arch: "amd64", CPU: "AMD EPYC", Cores: 12, GOMAXPROCS: 12},
		Sides:  []record.Side{{Name: "sort-seq", Ref: "./sort-seq 100"}, {Name: "sort-par", Ref: "./sort-par 100"}},
	})
	for i, side := range []string{"sort-par", "sort-seq"} {
		b.Add(&record.Case{ID: i + 1, Name: "Command", Side: side, Mode: record.ModeN, N: 1, SingleShot: true, Units: result.TimeUnits()})
	}
	b.Add(&record.Overhead{Clock: 22, Loop: 0.3, Load: 0.9})
	for i := range real {
		for c, ms := range []float64{real[i], vs[i]} {
			id := 2*i + c + 1
			user, sys := ms*1e6*float64(11-10*c), float64(c)*1e6
			s := &record.Sample{Fork: id, Iter: 1, Phase: record.PhaseMeasure, Ns: int64(ms * 1e6), Ops: 1}
			for _, v := range []record.Value{
				{Unit: result.UnitReal, Value: ms * 1e6}, {Unit: result.UnitUser, Value: user}, {Unit: result.UnitSys, Value: sys},
				{Unit: result.UnitCPU, Value: user + sys}, {Unit: result.UnitCores, Value: (user + sys) / (ms * 1e6)},
				{Unit: result.UnitPeak, Value: float64(int64(2-c) << 30)}, {Unit: result.UnitMinor, Value: float64(100000 * (c + 1))},
				{Unit: result.UnitMajor}, {Unit: result.UnitVoluntary, Value: float64(7 + i%3)}, {Unit: result.UnitInvoluntary, Value: 12},
			} {
				s.V = append(s.V, v)
			}
			b.Add(s)
			b.Add(&record.Fork{ID: id, Case: c + 1, Round: i + 1, Purpose: record.PurposeTiming, State: record.StateOK, Wall: int64(ms * 1e6)})
		}
	}
	b.Add(&record.Overhead{Probe: 1.2e6})
	b.Add(&record.End{State: record.EndCompleted})
	return b.Result()
}

// timedOne is a command that was run once.
func timedOne(state string) *result.Result {
	b := result.NewBuilder()
	b.Add(&record.Run{Version: 1, Command: []string{"tare", "time", "--", "a"}, Sides: []record.Side{{Name: "a"}}, Config: record.Config{Confidence: 0.9}})
	b.Add(&record.Case{ID: 1, Name: "Command", Side: "a", SingleShot: true})
	b.Add(&record.Sample{Fork: 1, Iter: 1, Phase: record.PhaseMeasure, Ns: 5e6, Ops: 1, V: []record.Value{{Unit: result.UnitReal, Value: 5e6}}})
	b.Add(&record.Fork{ID: 1, Case: 1, Round: 1, Purpose: record.PurposeTiming, State: state, Why: "ended with status 3", Wall: 5e6})
	return b.Result()
}

// timedSmall is a command whose peak memory is only known to be below a bound.
func timedSmall() *result.Result {
	b := result.NewBuilder()
	b.Add(&record.Run{Version: 1, Command: []string{"tare", "time", "--", "a"}, Sides: []record.Side{{Name: "a"}}, Config: record.Config{Confidence: 0.9}})
	b.Add(&record.Case{ID: 1, Name: "Command", Side: "a", SingleShot: true, Units: result.TimeUnits()})
	for i := range 6 {
		b.Add(&record.Sample{Fork: i + 1, Iter: 1, Phase: record.PhaseMeasure, Ns: 5e6, Ops: 1, V: []record.Value{
			{Unit: result.UnitReal, Value: 5e6}, {Unit: result.UnitPeakBelow, Value: 2.25 * (1 << 20)},
		}})
		b.Add(&record.Fork{ID: i + 1, Case: 1, Round: i + 1, Purpose: record.PurposeTiming, State: record.StateOK, Wall: 5e6, MaxRSSBelow: 2.25 * (1 << 20)})
	}
	return b.Result()
}

// timedGo is a program that tare has built, beside a command.
func timedGo() *result.Result {
	b := result.NewBuilder()
	b.Add(&record.Run{Version: 1, Kind: record.KindTime, Command: []string{"tare", "time", "--against", "./a", "--", "go", "run", "./x"}, Sides: []record.Side{{Name: "a"}, {Name: "x"}}, Config: record.Config{Confidence: 0.95}})
	for i, side := range []string{"x", "a"} {
		b.Add(&record.Case{ID: i + 1, Name: "Command", Side: side, Mode: record.ModeN, N: 1, SingleShot: true, Units: result.TimeUnits()})
	}
	for i := range 16 {
		s := &record.Sample{Fork: i + 1, Iter: 1, Phase: record.PhaseMeasure, Ns: 5e8, Ops: 1, V: []record.Value{{Unit: result.UnitReal, Value: 5e8 + float64(i)*1e6}, {Unit: result.UnitCPU, Value: 6e8}}}
		if i%2 == 0 {
			for _, v := range []record.Value{
				{Unit: result.UnitAlloc, Value: 64e6 + 1000*float64(i)}, {Unit: result.UnitAllocs, Value: 1_000_123 + float64(i)}, {Unit: result.UnitGCCycles, Value: 17}, {Unit: result.UnitGCPause, Value: 1.2e6},
				{Unit: result.UnitGCCPU, Value: 31e6}, {Unit: result.UnitProcs, Value: 2}, {Unit: result.UnitTotals, Value: 85e3}, {Unit: result.UnitThreads, Value: 5},
			} {
				s.V = append(s.V, v)
			}
			for k, of := range result.ThreadTimes {
				for j, how := range result.ThreadSpreads {
					s.V = append(s.V, record.Value{Unit: result.UnitThread(of, how), Value: []float64{600e6, 1e6, 120e6, 400e6}[j] / float64(k+1)})
				}
			}
		}
		b.Add(s)
		b.Add(&record.Fork{ID: i + 1, Case: i%2 + 1, Round: i/2 + 1, Purpose: record.PurposeTiming, State: record.StateOK, Wall: 5e8})
	}
	b.Add(&record.End{State: record.EndCompleted})
	return b.Result()
}

var (
	fastRuns = []float64{863, 871, 860, 865, 858, 880, 862, 864, 867, 861}
	slowRuns = []float64{6841, 6850, 6839, 6845, 6900, 6838, 6842, 6844, 6850, 6835}
)

// timeCases are the golden files of tare time.
func timeCases() []testCase {
	narrow := look{"60.txt", Text, Options{UTF8: true, Width: 60}}
	return []testCase{
		{"time", timed(fastRuns, slowRuns), []look{text100(), verbose(), narrow}},
		{"time-few", timed(fastRuns[:3], slowRuns[:3]), []look{ascii()}},
		{"time-one", timedOne(record.StateOK), []look{text100()}},
		{"time-failed", timedOne(record.StateFailed), []look{text100()}},
		{"time-small", timedSmall(), []look{text100(), verbose()}},
		{"time-go", timedGo(), []look{text100(), verbose(), narrow}},
	}
}

// timeText is the text of a result about commands, within its columns.
func timeText(t *testing.T, s *result.Result, width int) string {
	t.Helper()
	var b strings.Builder
	if err := Write(&b, Text, s, Options{UTF8: true, Width: width}); err != nil {
		t.Fatal(err)
	}
	for l := range strings.Lines(b.String()) {
		if l = strings.TrimRight(l, "\n"); termtext.Width(l) > width || strings.HasSuffix(l, " ") {
			t.Errorf("%d columns: %q", termtext.Width(l), l)
		}
	}
	return b.String()
}

// TestTimeVerdicts: what is said of two commands by what was measured.
func TestTimeVerdicts(t *testing.T) {
	times := func(x float64) (out []float64) {
		for _, v := range fastRuns {
			out = append(out, x*v)
		}
		return out
	}
	wide := []float64{100, 900, 150, 800, 120, 870, 500, 300, 990, 130}
	for _, c := range []struct {
		real, vs []float64
		want     string
	}{
		{fastRuns, slowRuns, "sort-par is 7.93 × faster than sort-seq (7.89 … 7.96), for 1.39 × the CPU (1.38 … 1.39)\n"},
		{slowRuns, fastRuns, "sort-par is 7.93 × slower than sort-seq (7.89 … 7.96), for 87.1 × the CPU (86.7 … 87.4)\n"},
		{times(1.001), fastRuns, "sort-par takes as long as sort-seq: 1.001 × (0.995 … 1.007), for 11.0 × the CPU (10.9 … 11.1)\n"},
		{times(1.05), fastRuns, "sort-par is 1.050 × slower than sort-seq (1.044 … 1.056), for 11.5 × the CPU (11.5 … 11.6)\n"},
		{times(100), fastRuns, "sort-par is 100 × slower than sort-seq (99 … 101), for 1099 × the CPU (1092 … 1105)\n"},
		{wide, times(0.5), "inconclusive: sort-par takes "},
	} {
		if text := timeText(t, timed(c.real, c.vs), 100); !strings.Contains(text, "\n"+c.want) {
			t.Errorf("not there: %s\n%s", c.want, text)
		}
	}
	if text := timeText(t, timed(wide, times(0.5)), 100); !strings.Contains(text, "more runs would decide") {
		t.Error(text)
	}
	if text := timeText(t, timed([]float64{2, 2.1, 2.2, 2.3, 2.4, 2.5}, []float64{2, 2.1, 2.2, 2.3, 2.4, 2.5}), 80); !strings.Contains(text, "kernel's tick") {
		t.Error(text)
	}
}

// TestTimeNames: long names get lines of their own, and figures stay in their columns.
func TestTimeNames(t *testing.T) {
	s := timed(fastRuns, slowRuns)
	for i := range s.Results {
		s.Results[i].Side = strings.Repeat("x", 30) + s.Results[i].Side
	}
	for i := range s.Comparisons {
		s.Comparisons[i].Side, s.Comparisons[i].Base = s.Results[0].Side, s.Results[1].Side
	}
	var ends []int
	names := 0
	for l := range strings.Lines(timeText(t, s, 80)) {
		if i := strings.Index(l, " GiB"); i >= 0 {
			ends = append(ends, termtext.Width(l[:i]))
		}
		if strings.TrimSpace(l) == s.Results[0].Side {
			names++
		}
	}
	if len(ends) != 2 || ends[0] != ends[1] || names != 2 {
		t.Errorf("%v, %d", ends, names)
	}
}
