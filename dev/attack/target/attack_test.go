//go:build linux

package target

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"testing"

	"github.com/tarebench/tare/dev/attack/tally"
	"github.com/tarebench/tare/internal/process/spawn"
)

// TestEach: every input is tried once; the first error ends all and is returned, and so does the end of the context.
func TestEach(t *testing.T) {
	c := Config{Scale: 1, Input: -1}
	var tried [100]atomic.Int64
	if err := c.Inputs(len(tried)).Each(t.Context(), 3, func(n int) error { tried[n].Add(1); return nil }); err != nil {
		t.Error(err)
	}
	for n := range tried {
		if got := tried[n].Load(); got != 1 {
			t.Errorf("input %d was tried %d times", n, got)
		}
	}
	broken, calls := errors.New("broken"), 0
	if err := c.Inputs(100).Each(t.Context(), 1, func(int) error { calls++; return broken }); err != broken || calls != 1 {
		t.Errorf("%v after %d inputs", err, calls)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Inputs(100).Each(ctx, 1, func(int) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestAttack: an attack that fails has a row all the same, and one that was not chosen has none.
func TestAttack(t *testing.T) {
	broken := errors.New("broken")
	for only, want := range map[string]error{"": broken, "a ": broken, "b": nil} {
		rows := 0
		err := Config{Only: only, Log: io.Discard, Scale: 1}.Attack(t.Context(), "a kind", "1 run", func(*tally.Row) error { rows++; return nil },
			func(*tally.Row, *spawn.Launcher) error { return broken })
		if !errors.Is(err, want) || (rows == 1) != (want != nil) {
			t.Errorf("-only %q: %v, %d rows", only, err, rows)
		}
	}
}
