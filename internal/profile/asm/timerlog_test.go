package asm

import (
	"os"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/process/profiler"
)

// TestPrepare: the notes of a fork are for the process that is attached to next, and are
// gone when both sessions have ended, in any order.
func TestPrepare(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	p := &attacher{room: 7}
	s, env, err := p.Prepare(profiler.Fork{})
	if err != nil || len(env) != 2 || !strings.HasSuffix(env[1], "=7") {
		t.Fatalf("%q, %v", env, err)
	}
	n := p.takeLog()
	if again := p.takeLog(); n == nil || again != nil {
		t.Errorf("notes of one fork were given to two, or to none")
	}
	for range 2 { // before or behind the other session
		if _, err := n.Read(); err != nil {
			t.Error(err)
		}
		if r, err := s.End(nil); err != nil || r.Values != nil || r.Lines != nil {
			t.Errorf("%+v, %v", r, err)
		}
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	t.Setenv("TMPDIR", "/not/here")
	if _, _, err := p.Prepare(profiler.Fork{}); err == nil || !strings.Contains(err.Error(), "file for the timer log") {
		t.Errorf("without a place: %v", err)
	}
}
