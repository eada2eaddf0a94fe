package plan

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/record"
)

// TestMeasureProperties runs random plans with random failures and interruptions
// to their end, and holds what was run against the rules.
func TestMeasureProperties(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 300 {
		bubble(t, func(t *testing.T) { randomRun(t, rng) })
	}
}

func randomRun(t *testing.T, rng *rand.Rand) {
	cfg := config()
	cfg.Forks = 1 + rng.IntN(12)
	cfg.Order = []string{Interleaved, Grouped}[rng.IntN(2)]
	p := &Plan{Config: cfg, Seed: record.Seed(rng.Uint64())}
	l := newLab(map[string]*bench{})
	for i := range 1 + rng.IntN(6) {
		name := string(rune('a' + i))
		bad := []float64{0, 0, 0.1, 0.5, 1}[rng.IntN(5)]
		wall := time.Duration(rng.IntN(1000)) * time.Millisecond
		l.benches[name] = &bench{cost: linear(0, 0), start: wall, fail: func(Request, int) bool { return rng.Float64() < bad }}
		p.Cases = append(p.Cases, &record.Case{ID: i + 1, Name: name, Mode: record.ModeN, Wall: int64(wall)})
	}
	type key struct{ id, round int }
	done, bad := map[key]bool{}, map[int]int{}
	good := map[int]int{}
	sessions := 0
	p.Done = func(id, round int) bool { return done[key{id, round}] }
	for over := false; !over; {
		if sessions++; sessions > 100 {
			t.Fatal("never ends")
		}
		tries := map[key]int{}
		clear(bad)
		before := maps.Clone(done)
		quit := make(chan struct{})
		until := rng.IntN(2 * cfg.Forks * len(p.Cases))
		p.Before = func(c *record.Case, g Progress) {
			if g.Done >= g.Total || g.Remaining < 0 || g.Round < 1 || g.Round > g.Rounds {
				t.Errorf("progress %+v", g)
			}
			if until--; until == 0 {
				close(quit)
			}
		}
		_, err := p.Measure(t.Context(), quit, func(ctx context.Context, r Request) (*Outcome, error) {
			o, err := l.run(ctx, r)
			k := key{r.Case.ID, r.Round}
			tries[k]++
			switch {
			case before[k] || done[k]:
				t.Errorf("%v was run again", k)
			case tries[k] > 2:
				t.Errorf("%v was run %d times", k, tries[k])
			case bad[k.id] >= maxFailures && good[k.id] == 0:
				t.Errorf("%v was run although it is lost", k)
			}
			if o.Fork.State == record.StateOK {
				done[k] = true
				good[k.id]++
				bad[k.id] = 0
			} else {
				bad[k.id]++
			}
			return o, err
		}, nil)
		if err != nil && !errors.Is(err, ErrInterrupted) {
			t.Fatal(err)
		}
		over = err == nil
		if !over {
			continue
		}
		for _, c := range p.Cases {
			for round := 1; round <= cfg.Forks; round++ {
				k := key{c.ID, round}
				if !done[k] && tries[k] != 2 && good[c.ID] > 0 {
					t.Errorf("%v is not done after %d tries; %s", k, tries[k], strings.Join(l.ran(record.PurposeTiming), " "))
				}
			}
		}
	}
}
