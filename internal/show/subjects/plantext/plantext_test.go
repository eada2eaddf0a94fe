package plantext

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/show/textpage"
	"github.com/tarebench/tare/record"
)

// TestWrite: the plan names each benchmark, what failed, and the sum of the times.
func TestWrite(t *testing.T) {
	p := &Plan{
		Run: &record.Run{Seed: 7, Config: record.Config{Forks: 80, Order: "interleaved", Precision: 0.01, Confidence: 0.95}},
		Cases: []*record.Case{
			{Pkg: "example.org/x", Name: "Sort", Procs: 2, Mode: record.ModeN, N: 1000, Wall: int64(150 * time.Millisecond)},
			{Pkg: "example.org/x", Name: "Par", Procs: 2, Mode: record.ModeTime, N: 5, Wall: int64(time.Second)},
		},
		Lost: []string{"example.org/x Bad: fails: exit 1"}, Preparing: time.Second, Measuring: 90 * time.Second,
	}
	var b strings.Builder
	if err := Write(&b, p, textpage.Options{Width: 100, UTF8: true}); err != nil {
		t.Fatal(err)
	}
	want := `benchmark           procs  mode     N   fork
example.org/x Sort      2     N  1000  150ms
example.org/x Par       2  time     –     1s
example.org/x Bad: fails: exit 1

at most 80 rounds of 2 benchmarks, interleaved, seed 7, checked after 10, 20, 40, 80 rounds
forks 1m30s + build and calibration 1s = 1m31s
`
	if b.String() != want {
		t.Errorf("%s\nwant\n%s", b.String(), want)
	}
}

// TestBudget: where the budget does not hold all rounds, the plan says how many it holds; the time is theirs.
func TestBudget(t *testing.T) {
	for measuring, want := range map[time.Duration]string{
		3 * time.Second:  "20 rounds of 1 benchmark, interleaved, seed 7\n--budget 5s holds about 1 round\nforks 3s + build",
		10 * time.Second: "20 rounds of 1 benchmark, interleaved, seed 7\n--budget 5s holds about 5 rounds\nforks 10s + build",
		41 * time.Second: "20 rounds of 1 benchmark, interleaved, seed 7\nforks 41s + build",
	} {
		p := &Plan{
			Run:       &record.Run{Seed: 7, Config: record.Config{Forks: 20, Order: "interleaved", Budget: 5 * time.Second}},
			Cases:     []*record.Case{{Pkg: "x", Name: "Sort", Mode: record.ModeN, N: 1, Wall: int64(2 * time.Second)}},
			Preparing: time.Second, Measuring: measuring,
		}
		var b strings.Builder
		if err := Write(&b, p, textpage.Options{Width: 100, UTF8: true}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), want) {
			t.Errorf("%s\nlacks\n%s", b.String(), want)
		}
	}
}

// TestIterations: where benchmarks choose how their forks iterate, the plan says what they chose, and why.
func TestIterations(t *testing.T) {
	p := &Plan{
		Run: &record.Run{Seed: 7, Config: record.Config{Forks: 20, Warmup: 1, Iterations: 2, Time: 50 * time.Millisecond, ShortIterations: true, Order: "interleaved"}},
		Cases: []*record.Case{
			{Pkg: "x", Name: "Hash", Mode: record.ModeN, N: 1000, Iterations: 8, Time: 12500 * time.Microsecond},
			{Pkg: "x", Name: "Sort", Mode: record.ModeN, N: 10, Long: "few operations"},
			{Pkg: "x", Name: "Copy", Mode: record.ModeN, N: 1000, Iterations: 8, Time: 12500 * time.Microsecond},
			{Pkg: "x", Name: "Cold", Mode: record.ModeN, N: 1, SingleShot: true},
		},
	}
	var b strings.Builder
	if err := Write(&b, p, textpage.Options{Width: 100, UTF8: true}); err != nil {
		t.Fatal(err)
	}
	want := "\nforks of (1+8) × 12.5ms: Hash, Copy\nforks of (1+2) × 50ms, because of few operations: Sort\n"
	if !strings.Contains(b.String(), want) || strings.Contains(b.String(), ": Cold") {
		t.Errorf("%s\nlacks\n%s", b.String(), want)
	}
}

// TestHostile: names and what failed benchmarks said are no commands to a terminal, and have no secrets, in any form.
func TestHostile(t *testing.T) {
	const name = "Get/http://u:HUNTER@h?sig=HUNTER"
	c := &record.Case{Pkg: "x\x1b[2J", Name: name + "\u009b", Mode: record.ModeN, N: 1, Iterations: 8}
	p := &Plan{Run: &record.Run{Config: record.Config{ShortIterations: true}}, Cases: []*record.Case{c}, Lost: []string{name + ": fails: \x1b]0;x\x07\r\n\u202e"}}
	var b strings.Builder
	if err := errors.Join(Write(&b, p, textpage.Options{Width: 200, UTF8: true}), WriteJSON(&b, p)); err != nil {
		t.Fatal(err)
	}
	l := NewLister(&b)
	l.Add(c)
	if err := l.Close(p.Lost); err != nil {
		t.Fatal(err)
	}
	if shown := b.String(); strings.Contains(shown, "HUNTER") || strings.ContainsAny(shown, "\x1b\x07\u009b\u202e\r") || strings.Count(shown, "u:***@h?sig=***") < 7 {
		t.Errorf("%q", shown)
	}
}
