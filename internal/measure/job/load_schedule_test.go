package job

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/load"
)

// TestSchedule: what the flags make of it, and what contradicts.
func TestSchedule(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "trace")
	if err := os.WriteFile(trace, []byte("0\n1ms\n2ms\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		l    Load
		want string // the schedule, or part of the error
	}{
		{Load{Duration: 10 * time.Second}, "closed loop"},
		{Load{Duration: 10 * time.Second, Rate: "5000/s"}, "constant 5000/s"},
		{Load{Duration: 10 * time.Second, Rate: "5000/s", Arrivals: "constant"}, "constant 5000/s"},
		{Load{Duration: 10 * time.Second, Rate: "100..200"}, "ramp from 100/s to 200/s over 10s"},
		{Load{Duration: 10 * time.Second, Rate: "100..200", Ramp: time.Second, Arrivals: "ramp"}, "ramp from 100/s to 200/s over 1s"},
		{Load{Duration: 10 * time.Second, Steps: "100/s:1s,2k:2s", Arrivals: "steps"}, "steps 100/s for 1s, then 2000/s for 2s"},
		{Load{Duration: 10 * time.Second, Replay: trace}, "replay of 3 due times"},
		{Load{Duration: 10 * time.Second, Rate: "5", Steps: "1:1s"}, "--rate and --steps contradict each other"},
		{Load{Duration: 10 * time.Second, Rate: "5", Replay: trace, Steps: "1:1s"}, "--replay and --rate and --steps contradict"},
		{Load{Duration: 10 * time.Second, Rate: "5", Ramp: time.Second}, "--ramp is the time of a --rate A..B"},
		{Load{Duration: 10 * time.Second, Arrivals: "poisson"}, "--arrivals poisson needs a --rate"},
		{Load{Duration: 10 * time.Second, Replay: trace, Arrivals: "poisson"}, "contradict"},
		{Load{Duration: 10 * time.Second, Rate: "5", Arrivals: "ramp"}, "--arrivals ramp needs --rate 1000..5000"},
		{Load{Duration: 10 * time.Second, Arrivals: "replay"}, "--arrivals replay needs --replay FILE"},
		{Load{Duration: 10 * time.Second, Arrivals: "constant"}, "--arrivals constant needs --rate 5000/s"},
		{Load{Duration: 10 * time.Second, Arrivals: "sometimes"}, `"sometimes" is none of constant, poisson`},
		{Load{Duration: 10 * time.Second, Rate: "1..x"}, `--rate: "x" is not a rate`},
		{Load{Duration: 10 * time.Second, Steps: "1:0s"}, `"0s" is not a time above 0`},
		{Load{Duration: 10 * time.Second, Steps: "1:1s,"}, `--steps: "" is not a rate and a time`},
		{Load{Duration: 10 * time.Second, Replay: "nowhere"}, "--replay: open nowhere"},
	} {
		s, err := c.l.Schedule()
		got := s.String()
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%+v: %s; want %s", c.l, got, c.want)
		}
	}
	poisson, err := (&Load{Steps: "5:1s", Arrivals: "poisson"}).Schedule()
	if err != nil || !poisson.Poisson {
		t.Errorf("%+v, %v", poisson, err)
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

// TestLengthOf: what is due at the end of a replay is due within it.
func TestLengthOf(t *testing.T) {
	for _, c := range []struct {
		s    load.Schedule
		want time.Duration
	}{
		{load.Schedule{Rate: 50, To: 150, Over: time.Second}, 0},
		{load.Schedule{Steps: []load.Step{{Rate: 10, For: time.Second}, {Rate: 30, For: 2 * time.Second}}}, 3 * time.Second},
		{load.Schedule{Times: []time.Duration{0, time.Second, 2 * time.Second}}, 2*time.Second + time.Millisecond},
		{load.Schedule{Times: []time.Duration{0, 0}}, time.Millisecond},
	} {
		if got := lengthOf(c.s); got != c.want {
			t.Errorf("%+v lasts %s, want %s", c.s, got, c.want)
		}
	}
}
