package doctor

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/env"
	"github.com/tarebench/tare/internal/measure/profilers"
	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/internal/profile/asm"
	"github.com/tarebench/tare/internal/profile/trace"
	"github.com/tarebench/tare/internal/show/textpage"
)

// probed is a profiler of which a machine says something.
type probed struct {
	name string
	err  error
}

func (p probed) Name() string          { return p.name }
func (p probed) Available() error      { return p.err }
func (p probed) Needs() profiler.Needs { return profiler.Needs{} }

// TestProfilerFindings: one for each profiler, with the reason why it cannot be had and
// what to do about it.
func TestProfilerFindings(t *testing.T) {
	got := profilerFindings(profiler.Set{
		{Profiler: probed{"good", nil}, Help: "looks at things"},
		{Profiler: probed{"bad", errors.New("not\nhere")}, Help: "looks at others"},
		{Profiler: probed{"missing", &profiler.UnavailableError{Err: errors.New("no such program"), Advice: "install it"}}},
	})
	want := []env.Finding{
		{Level: env.OK, Name: "prof-good", Text: "looks at things"},
		{Level: env.NA, Name: "prof-bad", Text: "not available: not; here"},
		{Level: env.NA, Name: "prof-missing", Text: "not available: no such program", Advice: "install it"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	var b strings.Builder
	if err := (&Report{Findings: got}).WriteText(&b, textpage.New(textpage.Options{UTF8: true})); err != nil || !strings.Contains(b.String(), "→ install it") || !strings.Contains(b.String(), "unknown processor, 0 cores") {
		t.Errorf("%v\n%s", err, &b)
	}
	seen := map[string]bool{}
	for _, f := range profilerFindings(profilers.All(&asm.Config{}, trace.Config{})) {
		if seen[f.Name] || f.Text == "" || strings.Contains(f.Text, "\n") {
			t.Errorf("%+v", f)
		}
		seen[f.Name] = true
	}
}

// TestLookEnds: a look that is interrupted ends at once, however long it was to take.
func TestLookEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(time.Millisecond, cancel)
	if r, err := Examine(ctx, Config{Window: time.Hour}); r != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", r, err)
	}
}
