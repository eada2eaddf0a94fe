package queue_test

import (
	"iter"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// stressed are the checks of the kit that last as long as they are given, with
// their parts of that time: see queuetest.Config.Budget.
var stressed = map[string]float64{"linearizability": 1, "closing": 1, "order": 1, "pointers": 1, "sizes": 0.5}

// TestStress stresses each type for the time in TARE_STRESS: all its configurations
// and the checks that get better with time, one after the other. TARE_SEED repeats
// the plans of a run. To be run with the race detector, and without:
//
//	TARE_STRESS=30s go test -race -timeout 0 -run '^TestStress$' ./queue
//
// One type alone: -run '^TestStress$/^MPMC$'.
func TestStress(t *testing.T) {
	text := os.Getenv("TARE_STRESS")
	if text == "" {
		t.Skip("TARE_STRESS does not say how long")
	}
	each, err := time.ParseDuration(text)
	if err != nil || each <= 0 {
		t.Fatalf("TARE_STRESS=%q is not a duration such as 30s", text)
	}
	seed := rand.Uint64()
	if text := os.Getenv("TARE_SEED"); text != "" {
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("TARE_SEED: %v", err)
		}
	}
	types := casesByType()
	if len(types) != 12 {
		t.Fatalf("%d types are stressed, want the nine queues, BufferedProducer, BufferedConsumer and Blocking", len(types))
	}
	for name, cases := range types {
		t.Run(name, func(t *testing.T) {
			t.Logf("seed %d, %d configurations", seed, len(cases))
			begun := time.Now()
			stress(t, cases, each, seed)
			t.Logf("%v", time.Since(begun).Round(time.Second))
		})
	}
}

// stress divides the time among all checks of all cases.
func stress(t *testing.T, cases []kitCase, each time.Duration, seed uint64) {
	parts := 0.0
	for _, c := range cases {
		for name := range c.stress() {
			parts += stressed[name]
		}
	}
	for _, c := range cases {
		c.config.Seed = seed
		c.config.Budget = time.Duration(float64(each) / parts)
		for name := range c.stress() {
			t.Logf("%s: %s", c.name, name)
			c.check(t, name)
		}
	}
}

// stress yields the names of the checks that make sense for a case.
func (c kitCase) stress() iter.Seq[string] {
	return func(yield func(string) bool) {
		for name := range stressed {
			blocks := strings.HasPrefix(c.name, "Blocking")
			switch {
			case !c.wants(name), name == "closing" && !blocks, name == "sizes" && blocks,
				name == "pointers" && c.config.NewPointers == nil:
				continue
			}
			if !yield(name) {
				return
			}
		}
	}
}

// casesByType has all configurations of the kit under the names of their types.
func casesByType() map[string][]kitCase {
	types := map[string][]kitCase{}
	for _, c := range append(append(singleCases(), sharedCases()...), blockingCases()...) {
		name, _, _ := strings.Cut(c.name, "/")
		types[name] = append(types[name], c)
	}
	return types
}
