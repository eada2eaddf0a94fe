package loadrun

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/load"
)

func TestParseRate(t *testing.T) {
	for s, want := range map[string]float64{
		"5000": 5000, "5000/s": 5000, "5/10s": 0.5, "300/m": 5, "1/h": 1.0 / 3600, "5k": 5000, "2.5k/s": 2500, "1M/s": 1e6, " 7 ": 7, "1/ms": 1000, "0.5": 0.5, "1e3/s": 1000,
	} {
		if got, err := ParseRate(s); err != nil || math.Abs(got-want) > 1e-12*want {
			t.Errorf("%q is %v, %v; want %v", s, got, err, want)
		}
	}
	for _, s := range []string{"", "x", "/s", "5/", "5/x", "0", "-1", "0/s", "1e30", "2000M", "NaN", "Inf", "5/0s", "5/-1s", "5000s", "1..2"} {
		if got, err := ParseRate(s); err == nil {
			t.Errorf("%q is taken for %v", s, got)
		} else if !strings.Contains(err.Error(), fmt.Sprintf("%q", s)) {
			t.Errorf("%q: the error does not name it: %v", s, err)
		}
	}
}

func FuzzParseRate(f *testing.F) {
	f.Add("5k/10s")
	f.Fuzz(func(t *testing.T, s string) {
		if r, err := ParseRate(s); err == nil && !(r > 0 && r <= 1e9) {
			t.Errorf("%q is %v", s, r)
		}
	})
}

// TestSchedule: what the flags make of it, and what contradicts.
func TestSchedule(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "trace")
	if err := os.WriteFile(trace, []byte("0\n1ms\n2ms\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		f    Options
		want string // the schedule, or part of the error
	}{
		{Options{}, "closed loop"},
		{Options{Rate: "5000/s"}, "constant 5000/s"},
		{Options{Rate: "5000/s", Arrivals: "constant"}, "constant 5000/s"},
		{Options{Rate: "100..200"}, "ramp from 100/s to 200/s over 10s"},
		{Options{Rate: "100..200", Ramp: time.Second, Arrivals: "ramp"}, "ramp from 100/s to 200/s over 1s"},
		{Options{Steps: "100/s:1s,2k:2s", Arrivals: "steps"}, "steps 100/s for 1s, then 2000/s for 2s"},
		{Options{Replay: trace}, "replay of 3 due times"},
		{Options{Rate: "5", Steps: "1:1s"}, "--rate and --steps contradict each other"},
		{Options{Rate: "5", Replay: trace, Steps: "1:1s"}, "--rate and --steps and --replay contradict"},
		{Options{Rate: "5", Ramp: time.Second}, "--ramp is the time of a --rate A..B"},
		{Options{Arrivals: "poisson"}, "--arrivals poisson needs a --rate"},
		{Options{Replay: trace, Arrivals: "poisson"}, "contradict"},
		{Options{Rate: "5", Arrivals: "ramp"}, "--arrivals ramp needs --rate 1000..5000"},
		{Options{Arrivals: "replay"}, "--arrivals replay needs --replay FILE"},
		{Options{Arrivals: "constant"}, "--arrivals constant needs --rate 5000/s"},
		{Options{Arrivals: "sometimes"}, `"sometimes" is none of constant, poisson`},
		{Options{Rate: "1..x"}, `--rate: "x" is not a rate`},
		{Options{Steps: "1:0s"}, `"0s" is not a time above 0`},
		{Options{Steps: "1:1s,"}, `--steps: "" is not a rate and a time`},
		{Options{Replay: "nowhere"}, "--replay: open nowhere"},
	} {
		s, err := c.f.schedule(10 * time.Second)
		got := s.String()
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%+v: %s; want %s", c.f, got, c.want)
		}
	}
	poisson, err := (&Options{Steps: "5:1s", Arrivals: "poisson"}).schedule(time.Second)
	if err != nil || !poisson.Poisson {
		t.Errorf("%+v, %v", poisson, err)
	}
}

// TestWarmupSchedule: the warm-up has the rate with which the run begins.
func TestWarmupSchedule(t *testing.T) {
	for _, c := range []struct {
		s      load.Schedule
		rate   float64
		length time.Duration
		due    int64
	}{
		{load.Schedule{}, 0, 0, 0},
		{load.Schedule{Rate: 50}, 50, 0, 100},
		{load.Schedule{Rate: 50, To: 150, Over: time.Second}, 50, 0, 250},
		{load.Schedule{Rate: 50, To: 150, Over: 4 * time.Second}, 50, 0, 150},
		{load.Schedule{Steps: []load.Step{{Rate: 10, For: time.Second}, {Rate: 30, For: 2 * time.Second}}}, 10, 3 * time.Second, 70},
		{load.Schedule{Steps: []load.Step{{To: 30, Ramp: true, For: 2 * time.Second}, {Rate: 30, For: time.Second}}}, 15, 3 * time.Second, 60},
		{load.Schedule{Times: []time.Duration{0, time.Second, 2 * time.Second}}, 1.5, 2*time.Second + time.Millisecond, 3},
		{load.Schedule{Times: []time.Duration{0, 0}}, 0, time.Millisecond, 2},
	} {
		if got := warmupSchedule(c.s); got.Rate != c.rate || got.Over != 0 || len(got.Steps)+len(got.Times) > 0 {
			t.Errorf("%+v: warm-up %+v", c.s, got)
		}
		if got := lengthOf(c.s); got != c.length {
			t.Errorf("%+v lasts %s, want %s", c.s, got, c.length)
		}
		if got := due(c.s, 2*time.Second); got != c.due {
			t.Errorf("%+v: %d are due, want %d", c.s, got, c.due)
		}
	}
}

func TestParseOnLate(t *testing.T) {
	for s, want := range map[string]load.Config{
		"catch-up": {OnLate: load.LateCatchUp},
		"limit":    {OnLate: load.LateLimit},
		"limit=3x": {OnLate: load.LateLimit, Limit: 3},
		"skip=1ms": {OnLate: load.LateSkip, Skip: time.Millisecond},
		"fail=1s":  {OnLate: load.LateFail, Skip: time.Second},
	} {
		var got load.Config
		if err := parseOnLate(s, &got); err != nil || got.OnLate != want.OnLate || got.Limit != want.Limit || got.Skip != want.Skip {
			t.Errorf("%s: %+v, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "catchup", "catch-up=1", "limit=1x", "limit=", "limit=NaN", "skip", "skip=0s", "skip=-1s", "fail=1", "skip=x"} {
		if err := parseOnLate(s, &load.Config{}); err == nil || !strings.Contains(err.Error(), s) {
			t.Errorf("%q: %v", s, err)
		}
	}
}

// TestSearch lets searches find the capacity of systems that they know nothing of.
func TestSearch(t *testing.T) {
	for _, capacity := range []float64{0.3, 7, 137, 999, 1000, 1001, 54321, 5e8} {
		for _, start := range []float64{1, 1000, 1e6} {
			s := &bisection{start: start, most: 1e9, precision: 0.05}
			steps := 0
			for rate, more := s.next(); more; rate, more = s.next() {
				s.add(rate, rate <= capacity)
				steps++
			}
			met, times, missed := s.bracket()
			if met > capacity || missed <= capacity || missed/met > 1.06 || times < 2 || steps > 45 {
				t.Errorf("capacity %v from %v: %v (%d times) … %v in %d steps", capacity, start, met, times, missed, steps)
			}
		}
	}
}

// TestSearchEnds: a search ends whatever is answered, and at its bounds.
func TestSearchEnds(t *testing.T) {
	run := func(s *bisection, met func(n int, rate float64) bool) (rates []float64) {
		for rate, more := s.next(); more; rate, more = s.next() {
			s.add(rate, met(len(rates), rate))
			if rates = append(rates, rate); len(rates) > maxSteps {
				t.Fatal("it does not end")
			}
		}
		return rates
	}
	if got := run(&bisection{start: 100, most: 1000, precision: 0.05}, func(int, float64) bool { return true }); fmt.Sprint(got) != "[100 200 400 800 1000 1000]" {
		t.Errorf("everything is met: %v", got)
	}
	if got := run(&bisection{start: 1, most: 1000, precision: 0.05}, func(int, float64) bool { return false }); fmt.Sprint(got) != "[1 0.5 0.25 0.125]" {
		t.Errorf("nothing is met: %v", got)
	}
	if got := run(&bisection{start: 100, most: 1000, precision: 0.5}, func(n int, _ float64) bool { return n == 0 }); fmt.Sprint(got[:4]) != "[100 200 141 100]" {
		t.Errorf("only the first was met: %v", got)
	}
	run(&bisection{start: 100, most: 1e9, precision: 0.01}, func(n int, _ float64) bool { return n%3 != 0 })
}

// TestSearchUndecided: a rate at which the objectives are undecided is tried again and does not count as missed. The third
// undecided try in a row ends the search.
func TestSearchUndecided(t *testing.T) {
	s := &bisection{start: 100, most: 1000, precision: 0.05}
	var rates []float64
	for rate, more := s.next(); more; rate, more = s.next() {
		if n := len(rates); n == 1 || n > 3 {
			s.addUndecided(rate)
		} else {
			s.add(rate, true)
		}
		rates = append(rates, rate)
	}
	if fmt.Sprint(rates) != "[100 200 200 400 800 800 800]" {
		t.Error(rates)
	}
	if met, _, missed := s.bracket(); met != 400 || missed != 0 {
		t.Errorf("met %v, missed %v", met, missed)
	}
}

func TestParseRates(t *testing.T) {
	for s, want := range map[string]string{
		"1000,2k,5/10s": "[1000 2000 0.5]", "1000..5000/5": "[1000 2000 3000 4000 5000]", "10..1/2": "[10 1]", "1..2/4": "[1 1.33 1.67 2]",
	} {
		if got, err := ParseRates(s); err != nil || fmt.Sprint(got) != want {
			t.Errorf("%s: %v, %v; want %s", s, got, err, want)
		}
	}
	for _, s := range []string{"", "1,", "x", "1..2", "1..2/1", "1..2/x", "1..1/5", "..2/3", "1..2/100000"} {
		if got, err := ParseRates(s); err == nil {
			t.Errorf("%q: %v", s, got)
		}
	}
}
