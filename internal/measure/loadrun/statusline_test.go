package loadrun

import (
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/record"
)

// interval is the n-th second of a run of 1000/s, of which so many failed so far.
func interval(n, failed int64) *load.Interval {
	var response, service hist.Histogram
	response.RecordN(1_200_000, 90)
	response.RecordN(4_170_000, 10)
	service.RecordN(900_000, 100)
	return &load.Interval{
		Load: record.Load{
			Phase: record.LoadRun, Iter: int(n), Start: 1e12 + (n-1)*1e9, Length: 1e9, TargetRate: 1000, Achieved: 998, Completed: 998 * n,
			Errors: map[string]int64{"timeout": failed, load.ClassNotFound: 7},
		},
		Latencies: []load.Latency{{Kind: "READ", Tag: record.TagService, Hist: &service}, {Kind: "READ", Tag: record.TagResponse, Hist: &response}},
		First:     map[string]string{"timeout": "i/o timeout"},
	}
}

func TestStatusLine(t *testing.T) {
	p := newPhaseStatus(&load.Config{Phase: record.LoadRun, Duration: time.Minute})
	for n := range int64(12) {
		i := interval(n+1, max(n-10, 0)*8)
		i.Unsent = n
		p.add(i)
	}
	for width, want := range map[int]string{
		200: "run 12s of 1m · 48s left · target 1000/s, achieved 998/s · OK 990/s · response p50 1.20 ms · p99 4.17 ms · backlog 11 · errors 8",
		80:  "run 12s/1m · 48s left · 998 of 1000/s · p50 1.20ms · p99 4.17ms · errors 8",
		40:  "run 12s/1m · 998 of 1000/s · p99 4.17ms",
		20:  "run 12s/1m",
		5:   "run 12s/1m",
	} {
		got := p.line(width)
		if got != want || width > 10 && termtext.Width(got) > width {
			t.Errorf("%d columns: %q, want %q", width, got, want)
		}
	}
}

// TestStatusOfPhases: what is counted depends on what ends the phase.
func TestStatusOfPhases(t *testing.T) {
	for _, c := range []struct {
		config load.Config
		change func(*load.Interval)
		want   string
	}{
		{load.Config{Phase: record.LoadInsert, Operations: 5000}, func(i *load.Interval) { i.TargetRate, i.Latencies = 0, i.Latencies[:1] }, "inserting 1s, 998 of 5000 operations · 4s left · achieved 998/s · OK 998/s · service p50 900 µs · p99 900 µs"},
		{load.Config{Phase: record.LoadWarmup, Duration: 5 * time.Second}, func(i *load.Interval) { i.Latencies = nil }, "warm-up 1s of 5s · 4s left · target 1000/s, achieved 998/s · OK 998/s"},
		{load.Config{Phase: record.LoadRun, Duration: time.Second, Operations: 1e6}, func(i *load.Interval) { i.Length, i.Dropped, i.Latencies = 2e9, 3, nil }, "run 1s of 1s · target 1000/s, achieved 998/s · OK 998/s · dropped 3"},
	} {
		p, i := newPhaseStatus(&c.config), interval(1, 0)
		c.change(i)
		p.add(i)
		got := p.line(200)
		if p50, _, ok := strings.Cut(got, "service p50 "); ok { // a bucket of the histogram
			got = p50 + "service p50 900 µs · p99 900 µs"
		}
		if got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// TestFirstErrorStays: the first error of a class is a line of its own, once, and what is not found is none.
func TestFirstErrorStays(t *testing.T) {
	for mode, want := range map[string]int{"plain": 1, "none": 0} {
		var out strings.Builder
		progress, err := session.NewProgress(&out, mode)
		if err != nil {
			t.Fatal(err)
		}
		s := NewStatus(&out, progress)
		s.begin(&load.Config{Phase: record.LoadRun, Duration: time.Minute}, (&Plan{}).Redact)
		for n := range int64(3) {
			s.show(interval(n+1, n))
		}
		if got := strings.Count(out.String(), "tare: run: first timeout: i/o timeout\n"); got != want || strings.Contains(out.String(), "not_found") {
			t.Errorf("%s: %q", mode, out.String())
		}
	}
}
