package main

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// TestSimulation: over a bad network, with clocks that differ by hours, no count of some agents is lost.
func TestSimulation(t *testing.T) {
	s := settings{agents: 6, rate: 50, duration: 2 * time.Second, seed: rand.Uint64()}
	r, err := simulate(t.Context(), s)
	if err != nil {
		t.Fatalf("seed %d: %v", s.seed, err)
	}
	if err := r.check(); err != nil {
		t.Errorf("seed %d: %v", s.seed, err)
	}
	if r.total.Scheduled != 600 || r.sent == 0 || r.messages < 6*3 || r.bytes == 0 {
		t.Errorf("seed %d: %+v", s.seed, r)
	}
}

// TestCheck: a count that is lost is found.
func TestCheck(t *testing.T) {
	fits := outcome{sent: 10, recorded: 10}
	fits.total.Scheduled, fits.total.Started, fits.total.Completed, fits.total.Unsent = 11, 10, 10, 1
	if err := fits.check(); err != nil {
		t.Error(err)
	}
	for what, change := range map[string]func(*outcome){
		"in the histograms": func(r *outcome) { r.recorded-- },
		"were counted":      func(r *outcome) { r.total.Completed-- },
		"fit together":      func(r *outcome) { r.total.Unsent-- },
		"did not arrive":    func(r *outcome) { r.missing++ },
	} {
		r := fits
		change(&r)
		if err := r.check(); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestArguments: what is no number of agents is refused.
func TestArguments(t *testing.T) {
	for _, args := range [][]string{{"-agents", "some"}, {"-agents", "0"}, {"-no-such-flag"}} {
		if err := run(t.Context(), args, new(strings.Builder)); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}
