package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/result"
)

func goroutineCases() []testCase {
	narrow := look{"60.txt", Text, Options{UTF8: true, Width: 60}}
	wide := look{"160.txt", Text, Options{UTF8: true, Width: 160}}
	return []testCase{
		{"goroutines", goroutineSummary(), []look{text100(), verbose(), ascii(), narrow, wide, {"json", JSON, Options{}}}},
	}
}

// goroutineSummary has one benchmark whose goroutines are few, and one that has many
// kinds of them, was traced in part and is hostile to terminals.
func goroutineSummary() *result.Result {
	few := result.Benchmark{
		Case: 1, Pkg: "example.com/queue", Name: "Ping", Unit: "ns/op", Procs: 2, Forks: 3,
		Interval: result.Interval{Median: 270, Lo: 260, Hi: 283}, Confidence: 0.978, Values: []result.Number{260, 270, 283},
		Metrics: result.Metrics{{Unit: "sched-running-ns/op", Interval: result.Interval{Median: 459, Lo: 440, Hi: 470}, Values: []result.Number{440, 459, 470}}},
		Goroutines: &result.Goroutines{Forks: 10, Traced: 1, CPUShare: 0.912, Groups: []result.GoroutineGroup{
			{Func: "testing.(*B).launch", Count: 1, Running: 230, RunningMin: 7.89e6, RunningAvg: 7.89e6, RunningMax: 7.89e6, Slices: 1, Runnable: 215, Blocked: 240},
			{Func: "example.com/queue.BenchmarkPing.func1", Count: 4, Running: 229, RunningMin: 1.2e6, RunningAvg: 2.02e6, RunningMax: 3.1e6, Slices: 1, Runnable: 218, Blocked: 2400, Syscall: 0.4},
			{Func: "runtime.bgscavenge", Count: 0},
		}},
	}
	many := few
	many.Case, many.Name = 2, "Hostile\x1b[31m/many"
	many.Goroutines = &result.Goroutines{Forks: 1, Traced: 0.437}
	for i := range 9 {
		many.Goroutines.Groups = append(many.Goroutines.Groups, result.GoroutineGroup{
			Func: fmt.Sprintf("example.com/queue/internal/workers.(*pool).work%d\n", i), Count: 1000.5, Running: result.Number(90_000 - 10_000*i),
			RunningMin: 512, RunningAvg: 90_000, RunningMax: 2.5e9, Slices: 0.001, Runnable: 3, Blocked: 4e6,
		})
	}
	many.Goroutines.Groups = append(many.Goroutines.Groups, result.GoroutineGroup{Count: 12, Running: 1})
	return newSummary(few, many)
}

// TestNoGoroutines: without traces there is no block.
func TestNoGoroutines(t *testing.T) {
	with, without := goroutineSummary(), goroutineSummary()
	for i := range without.Results {
		without.Results[i].Goroutines = nil
	}
	if a, b := textOf(t, with), textOf(t, without); !strings.Contains(a, "goroutines of Ping") || strings.Contains(b, "goroutine") || strings.Contains(b, "running: on a P") {
		t.Errorf("with\n%s\nwithout\n%s", a, b)
	}
}

// TestCPUShare: a share above 1 is nothing to scale by.
func TestCPUShare(t *testing.T) {
	for share, want := range map[float64]string{
		0:    "",
		0.91: "is 0.91 of all running: scale by that for an estimate",
		1.02: "is 1.02 of all running: scale by that for an estimate",
		6.4:  "is 6.40 times all running: the rest went outside of goroutines, to the scheduler and the tracer",
	} {
		s := goroutineSummary()
		s.Results[0].Goroutines.CPUShare = result.Number(share)
		text := strings.Join(strings.Fields(textOf(t, s)), " ")
		if has := strings.Contains(text, "CPU time of the process"); has != (want != "") || !strings.Contains(text, want) {
			t.Errorf("%v: want %q in\n%s", share, want, text)
		}
	}
}

func textOf(t *testing.T, s *result.Result) string {
	t.Helper()
	var b strings.Builder
	if err := Write(&b, Text, s, Options{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
