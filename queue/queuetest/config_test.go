package queuetest

import (
	"strings"
	"testing"
	"time"
)

func TestConfig(t *testing.T) {
	queue := func(n int) Queue[int64] { return newRing[int64](n, "") }
	for _, c := range []struct {
		name   string
		config Config
		says   []string
	}{
		{"least", Config{New: queue}, nil},
		{"nothing", Config{}, []string{"New is nil"}},
		{"roles", Config{New: queue, Producers: 2, Consumers: -1}, []string{"Producers is 2", "Consumers is -1"}},
		{"falsehood", Config{New: queue, SpuriousFull: 3, SpuriousEmpty: -1}, []string{"SpuriousFull is 3", "SpuriousEmpty is -1"}},
		{"numbers", Config{New: queue, Capacities: []int{2, 0}, Unflushed: -1, Budget: -1}, []string{"capacity of 0", "Unflushed is -1", "Budget is -1ns"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := c.config.Validate()
			if len(c.says) == 0 && err != nil {
				t.Error(err)
			}
			for _, says := range c.says {
				if err == nil || !strings.Contains(err.Error(), says) {
					t.Errorf("got %v, want something with %q", err, says)
				}
			}
			if len(c.says) > 0 && Checks()[0].Run(c.config) == nil {
				t.Error("a check ran with it")
			}
		})
	}
}

func TestBudget(t *testing.T) {
	queue := func(n int) Queue[int64] { return newRing[int64](n, "") }
	for _, b := range []struct {
		stress string
		own    time.Duration
		want   time.Duration // 0 is an error
	}{
		{"", 0, defaultBudget},
		{"30s", 0, 30 * time.Second},
		{"30s", time.Second, time.Second},
		{"long", 0, 0},
		{"-1s", 0, 0},
	} {
		t.Setenv("TARE_STRESS", b.stress)
		c, err := Config{New: queue, Budget: b.own}.withDefaults()
		switch {
		case b.want == 0 && err == nil:
			t.Errorf("TARE_STRESS=%q gave %v, want an error", b.stress, c.Budget)
		case b.want != 0 && (err != nil || c.Budget != b.want):
			t.Errorf("TARE_STRESS=%q and Budget %v gave %v, %v, want %v", b.stress, b.own, c.Budget, err, b.want)
		}
	}
}

// TestEvidence has a check ask for more than histories without overlap.
func TestEvidence(t *testing.T) {
	for _, e := range []struct {
		evidence
		budget time.Duration
		want   bool
	}{
		{evidence{100, 8, 80}, defaultBudget / 2, true},
		{evidence{100, 8, 79}, defaultBudget / 2, false},
		{evidence{100, 7, 1000}, defaultBudget / 2, false},
		{evidence{99, 50, 1000}, defaultBudget / 2, false},
		{evidence{1_000_000, 0, 0}, defaultBudget / 2, false},
		{evidence{100_000, 199, 100_000}, 2 * time.Second, false},
		{evidence{100_000, 200, 2_000}, 2 * time.Second, true},
		{evidence{100_000, 199, 100_000}, 10 * time.Minute, false},
		{evidence{100_000, 200, 2_000}, 10 * time.Minute, true},
	} {
		if got := e.enough(e.budget); got != e.want {
			t.Errorf("%+v is enough for %v: %v, want %v", e.evidence, e.budget, got, e.want)
		}
	}
	err := evidence{histories: 5}.insufficient(time.Second)
	if err == nil || !strings.Contains(err.Error(), "too few for a result") {
		t.Errorf("too little evidence gave %v", err)
	}
}
