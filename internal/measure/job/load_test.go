package job

import (
	"strings"
	"testing"
	"time"
)

// TestLoadValidate: every contradiction is named at once, and none of the defaults is one.
func TestLoadValidate(t *testing.T) {
	l := DefaultLoad()
	if err := l.Validate(); err != nil {
		t.Error(err)
	}
	l.Rate, l.Workers, l.Objectives, l.Search, l.Latency, l.Interval, l.Seed, l.OnLate, l.Pace, l.Slowest = "0", "x", []string{"p99"}, []string{"p9"}, "all", 0, "zz", "never", "gallop", -1
	err := l.Validate()
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"--rate and --search", "--workers", "--slo", "--search: ", "--latency", "--status-interval", "--seed", "--on-late", "--pace", "--slowest"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v: lacks %s", err, want)
		}
	}
}

// TestLoadContradictions: options that exclude each other are refused, typed or in a literal.
func TestLoadContradictions(t *testing.T) {
	sides := []string{"a=http://127.0.0.1:1", "b=http://127.0.0.1:2"}
	for _, c := range []struct {
		want   string
		change func(*Load)
	}{
		{"--rate and --rates contradict each other", func(l *Load) { l.Rate, l.Rates = "5", "1,2" }},
		{"--rate and --search contradict each other", func(l *Load) { l.Rate, l.Search = "5", []string{"p99<1s"} }},
		{"--most needs what is searched for", func(l *Load) { l.Most = "5" }},
		{"--precision needs what is searched for", func(l *Load) { l.Given = Given{"precision": true} }},
		{"--start 5 is above --most 1", func(l *Load) { l.Search, l.Start, l.Most = []string{"p99<1s"}, "5", "1" }},
		{"--start: \"x\" is not a rate", func(l *Load) { l.Search, l.Start = []string{"p99<1s"}, "x" }},
		{"--precision 0.001 is less than 1%", func(l *Load) { l.Search, l.Precision = []string{"p99<1s"}, 0.001 }},
		{"--operations: a step of", func(l *Load) { l.Rates, l.Operations = "1,2", 5 }},
		{"--rates is empty", func(l *Load) { l.Given = Given{"rates": true} }},
		{"--workload and --scenario contradict", func(l *Load) { l.Scenario, l.Workload = "s.yaml", "a" }},
		{"--property and --scenario contradict", func(l *Load) { l.Scenario, l.Properties = "s.yaml", []string{"a=b"} }},
		{"--db and the Go package ./x contradict", func(l *Load) { l.Package, l.DB = "./x", "mock" }},
		{"--scenario and the Go package ./x contradict", func(l *Load) { l.Package, l.Scenario = "./x", "s.yaml" }},
		{"--side is given 1 times", func(l *Load) { l.Sides = sides[:1] }},
		{"leave out --against and --serve", func(l *Load) { l.Sides, l.Serve = sides, "./x" }},
		{"--against HEAD needs --serve", func(l *Load) { l.Against = "HEAD" }},
		{"--starts needs --side", func(l *Load) { l.Starts = 7 }},
		{"--slo: sides are compared", func(l *Load) { l.Sides, l.Objectives = sides, []string{"p99<1s"} }},
		{"--search: sides are compared", func(l *Load) { l.Sides, l.Search = sides, []string{"p99<1s"} }},
		{"--steps: sides are compared", func(l *Load) { l.Sides, l.Steps = sides, "1:1s" }},
		{"--watch-vars are of one server", func(l *Load) { l.Sides, l.WatchVars = sides, "http://127.0.0.1:1" }},
		{"--threshold 0 is not above 0", func(l *Load) { l.Sides, l.Threshold = sides, 0 }},
		{"the run has no end", func(l *Load) { l.Duration = 0 }},
		{"nothing is late in a closed loop", func(l *Load) { l.OnLate = "skip=1ms" }},
		{"--workers auto needs a --rate", func(l *Load) { l.Workers = "auto" }},
		{"--records 0 is less than 1", func(l *Load) { l.Records = 0 }},
		{"--drain -1s is less than 0s", func(l *Load) { l.Drain = -time.Second }},
		{"--ready-timeout -1s is less than 0s", func(l *Load) { l.Serve, l.ReadyTimeout = "./x", -time.Second }},
		{"--watch-vars is empty", func(l *Load) { l.Given = Given{"watch-vars": true} }},
	} {
		l := DefaultLoad()
		c.change(&l)
		if err := l.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// TestLoadComplete: what was not given follows from what was, and neither what was given nor a literal changes.
func TestLoadComplete(t *testing.T) {
	for _, c := range []struct {
		name             string
		change           func(*Load)
		warmup, duration time.Duration
	}{
		{"plain", func(*Load) {}, 5 * time.Second, 10 * time.Second},
		{"search", func(l *Load) { l.Search = []string{"p99<1s"} }, 2 * time.Second, 10 * time.Second},
		{"rates", func(l *Load) { l.Rates = "1,2" }, 2 * time.Second, 10 * time.Second},
		{"rates, given", func(l *Load) { l.Rates, l.Given = "1,2", Given{"warmup-duration": true} }, 5 * time.Second, 10 * time.Second},
		{"sides", func(l *Load) { l.Against = "HEAD" }, time.Second, time.Minute},
		{"sides, literal", func(l *Load) { l.Against, l.Warmup, l.Duration = "HEAD", 0, time.Hour }, 0, time.Hour},
		{"operations", func(l *Load) { l.Operations, l.Given = 5, Given{"operations": true} }, 5 * time.Second, 0},
	} {
		l := DefaultLoad()
		c.change(&l)
		if l.Complete(); l.Warmup != c.warmup || l.Duration != c.duration {
			t.Errorf("%s: warm-up %s, duration %s", c.name, l.Warmup, l.Duration)
		}
	}
}
