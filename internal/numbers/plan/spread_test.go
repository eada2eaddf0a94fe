package plan

import (
	"errors"
	"testing"
	"time"

	"github.com/tarebench/tare/record"
)

// TestSpread: blocks begin at equal distances, and the order of forks stays that of the seed.
func TestSpread(t *testing.T) {
	bubble(t, func(t *testing.T) {
		cfg := config()
		cfg.Spread = 10 * time.Minute
		p, l := three(cfg)
		begin := map[int]time.Duration{}
		var blocks []int
		start := time.Now()
		p.Waiting = func(block int, due time.Time) { blocks = append(blocks, block) }
		p.Before = func(_ *record.Case, at Progress) {
			if b := p.Config.Block(at.Round); begin[b] == 0 {
				begin[b] = time.Since(start) + 1
			}
		}
		if e := p.Estimate(); e != 10*time.Minute {
			t.Errorf("estimated %s", e)
		}
		if stop, err := p.Measure(t.Context(), nil, l.run, nil); err != nil || stop.Rounds != 20 {
			t.Fatalf("%+v, %v", stop, err)
		}
		for b := 1; b <= 10; b++ {
			if want := time.Duration(b-1)*time.Minute + 1; begin[b] != want {
				t.Errorf("block %d began after %s, want %s", b, begin[b], want)
			}
		}
		if len(blocks) != 9 {
			t.Errorf("waited for the blocks %v", blocks)
		}
	})
}

// TestSpreadTooShort: forks that take longer than the time are not held up.
func TestSpreadTooShort(t *testing.T) {
	bubble(t, func(t *testing.T) {
		cfg := config()
		cfg.Spread = time.Second
		p, l := three(cfg)
		start := time.Now()
		if _, err := p.Measure(t.Context(), nil, l.run, nil); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(start); took != 20*(6*second+3*ForkOverhead) {
			t.Errorf("took %s", took)
		}
	})
}

// TestSpreadResumed: a run that goes on with round 11 does not wait for the blocks that it has.
func TestSpreadResumed(t *testing.T) {
	bubble(t, func(t *testing.T) {
		cfg := config()
		cfg.Spread = 10 * time.Minute
		p, l := three(cfg)
		p.Done = func(_, round int) bool { return round <= 10 }
		start := time.Now()
		if _, err := p.Measure(t.Context(), nil, l.run, nil); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(start); took > 5*time.Minute || took < 4*time.Minute {
			t.Errorf("took %s for half of the blocks", took)
		}
	})
}

// TestSpreadInterrupted: a signal ends a wait.
func TestSpreadInterrupted(t *testing.T) {
	bubble(t, func(t *testing.T) {
		cfg := config()
		cfg.Spread = time.Hour
		p, l := three(cfg)
		quit := make(chan struct{})
		time.AfterFunc(time.Minute, func() { close(quit) })
		start := time.Now()
		_, err := p.Measure(t.Context(), quit, l.run, nil)
		if !errors.Is(err, ErrInterrupted) || time.Since(start) != time.Minute {
			t.Errorf("%v after %s", err, time.Since(start))
		}
	})
}
