package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/attached"
	"github.com/tarebench/tare/record"
)

// waitsOfForks are the waits of forks of 10 operations: for a lock, a system call, a channel, workers, and others that
// make a long list.
func waitsOfForks(line int, lock int64, more int) *result.Waits {
	var forks []*record.Waits
	for i := range int64(3) {
		w := &record.Waits{Windows: 1, Ops: 10, Wall: 300_000 + 10*lock, Traced: 1, OwnRunning: 50_000 + i}
		add := func(cause, fn, op, by string, count, ns, own int64) {
			s := record.WaitSite{
				WaitCause: record.WaitCause{Cause: cause, Count: count, Time: ns, Own: own},
				At:        record.WaitPlace{Func: fn, File: "/src/queue/cache.go", Line: line, Op: op}, Path: []string{"example.com/queue.BenchmarkPing", "testing.(*B).launch"},
			}
			if by != "" {
				s.By = &record.WaitPlace{Func: by, File: "/src/queue/cache.go", Line: line + 9}
			}
			w.Sites = append(w.Sites, s)
		}
		add(record.WaitLock, "example.com/queue.(*cache).get", "sync.(*Mutex).Lock", "example.com/queue.(*cache).put", 10, 10*lock+i, 0)
		add(record.WaitSyscall, "example.com/queue.save", "syscall.fsync", "", 10, 40_000+i, 40_000)
		add(record.WaitReceive, "example.com/queue.BenchmarkPing", "", "example.com/queue.worker", 5, 10_000+i, 10_000)
		add(record.WaitWorkers, "example.com/queue.BenchmarkPing", "sync.(*WaitGroup).Wait", "example.com/queue.worker", 10, 190_000+10*lock+i, 190_000+10*lock)
		for j := range int64(more) {
			add(record.WaitSleep, fmt.Sprintf("example.com/queue/internal/workers.nap%d\n", j), "time.Sleep", "", 1, 5_000+j, 0)
		}
		sum := map[string]int{}
		for _, s := range w.Sites {
			if _, ok := sum[s.Cause]; !ok {
				sum[s.Cause] = len(w.Causes)
				w.Causes = append(w.Causes, record.WaitCause{Cause: s.Cause})
			}
			c := &w.Causes[sum[s.Cause]]
			c.Count, c.Time, c.Own = c.Count+s.Count, c.Time+s.Time, c.Own+s.Own
		}
		w.Causes = append(w.Causes, record.WaitCause{Cause: record.WaitRunnable, Count: 30, Time: 9_000 + i, Own: 8_000})
		w.Rest = w.Wall - w.OwnRunning
		for _, c := range w.Causes {
			w.Rest -= c.Own
		}
		forks = append(forks, w)
	}
	return attached.MeanWaits(forks)
}

func waitCases() []testCase {
	narrow := look{"60.txt", Text, Options{UTF8: true, Width: 60}}
	wide := look{"160.txt", Text, Options{UTF8: true, Width: 160}}
	return []testCase{
		{"waits", waitSummary(), []look{text100(), verbose(), ascii(), narrow, wide, asMarkdown()}},
		{"waits-sides", waitSides(), []look{text100(), verbose(), narrow, wide, asMarkdown()}},
	}
}

// waitSummary has a benchmark that waits, and one with more sites than are shown.
func waitSummary() *result.Result {
	a := goroutineSummary().Results[0]
	a.Goroutines, a.Waits = nil, waitsOfForks(31, 12_000, 0)
	b := a
	b.Case, b.Name, b.Waits = 2, "Hostile\x1b[31m/many", waitsOfForks(31, 12_000, 9)
	b.Waits.Traced = 0.437
	return newSummary(a, b)
}

// waitSides has a benchmark that waits longer for a lock on the second side, and one that waits alike.
func waitSides() *result.Result {
	s := compared()
	for i := range s.Results {
		r := &s.Results[i]
		lock := int64(12_000)
		if r.Side != s.Comparisons[0].Base && r.Name == s.Comparisons[0].Name {
			lock = 55_000
		}
		r.Waits = waitsOfForks(31+i, lock, 0)
	}
	return s
}

// TestNoWaits: without traces there is no block.
func TestNoWaits(t *testing.T) {
	with, without := waitSummary(), waitSummary()
	for i := range without.Results {
		without.Results[i].Waits = nil
	}
	if a, b := textOf(t, with), textOf(t, without); !strings.Contains(a, "waits of Ping") || strings.Contains(b, "waits") || strings.Contains(b, "ended by") {
		t.Errorf("with\n%s\nwithout\n%s", a, b)
	}
}

// TestWallTime: the parts of the wall time that are shown add up to it.
func TestWallTime(t *testing.T) {
	w := waitsOfForks(31, 12_000, 3)
	_, ns := wallParts(w)
	sum := 0.0
	for _, x := range ns {
		sum += x
	}
	if d := sum - float64(w.Wall); d > 1e-6 || d < -1e-6 {
		t.Errorf("%v of %v ns", sum, w.Wall)
	}
	if got, want := wallTime(w), "42.0 µs/op = 5.00 µs running + 800 ns waiting for a P + 4.00 µs system calls + 1.00 µs channel receive + 31.0 µs workers + 200 ns rest"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
