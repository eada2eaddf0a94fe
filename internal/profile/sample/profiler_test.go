package sample_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/golang/toolchain"
	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/internal/profile/sample"
	"github.com/tarebench/tare/internal/testkit/proftest"
	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/record"
)

// attached is what a fork has left.
func attached(t *testing.T, x *proftest.Fork) (how record.Sampled, prof *profile.Profile) {
	t.Helper()
	for _, l := range x.Lines {
		a, ok := l.(*record.Attach)
		if !ok {
			continue
		}
		var err error
		switch a.Name {
		case record.AttachSampled:
			err = json.Unmarshal(a.Data, &how)
		case record.AttachSampledProfile:
			prof, err = profile.ParseData(a.Data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if prof == nil {
		t.Fatalf("no profile, but %s", x.Warnings())
	}
	return how, prof
}

// TestProfiler: of a benchmark its measured iterations are seen, and neither its set-up nor what it
// does while its timer stands.
func TestProfiler(t *testing.T) {
	testutil.NeedLong(t, "five seconds of forks")
	if runtime.GOOS != "linux" {
		t.Skip("marks and looks share a clock on Linux")
	}
	p := sample.Profiler(sample.Config{})
	if err := p.Available(); err != nil {
		t.Skip(err)
	}
	s := proftest.Open(t, p, *toolchain.TimerLog())
	testutil.Retry(t, func(int) error { return napped(t, s) })
	testutil.Retry(t, func(int) error { return stopped(t, s) })
	testutil.Retry(t, func(int) error {
		x := s.Fork(record.Case{Name: "Quick"}, "1x")
		if d := x.Warnings(); !strings.Contains(d, "no sample fell into its 1 windows: 100 samples take") {
			return fmt.Errorf("warnings %q", d)
		}
		return nil
	})
}

// napped is the error of what others who have the processors may cause.
func napped(t *testing.T, s *proftest.Subjects) error {
	x := s.Fork(record.Case{Name: "Nap"}, "10x")
	how, prof := attached(t, x)
	if err := how.Validate(); err != nil || how.Stopped != 0 || how.Unlogged != 0 || how.Window != record.AsmMarks || how.Windows != 1 || how.Ops != 10 {
		t.Errorf("%+v, %v", how, err)
	}
	if n := len(x.Samples); n != 1 || x.Has("ns/op") {
		t.Errorf("%d samples, with times that are no scores: %v", n, x.Samples)
	}
	if set := sum(prof, record.TypeSamples, "subjects.setup"); set > 0 { // by a look that was held up between its time and what it found
		return fmt.Errorf("set-up was seen %d times", set)
	}
	for _, l := range prof.Sample {
		if leaf := l.Location[0].Line[0].Function.Name; strings.HasPrefix(leaf, "testing.") {
			return fmt.Errorf("%s was seen %d times", leaf, l.Value[0])
		}
	}
	return operates(prof, how)
}

// operates is the error of an operation that was not seen for as long as it takes.
func operates(prof *profile.Profile, how record.Sampled) error {
	op := time.Duration(sum(prof, record.TypeWall, "subjects.operation"))
	if op < 300*time.Millisecond || op > time.Duration(how.Wall)+time.Millisecond || how.Samples < 1 {
		return fmt.Errorf("operation: %v, want 300 ms and more: %+v", op, how)
	}
	return nil
}

func stopped(t *testing.T, s *proftest.Subjects) error {
	x := s.Fork(record.Case{Name: "Stops"}, "10x")
	how, prof := attached(t, x)
	timer := x.Samples[0].Ns
	if how.Wall > timer+int64(time.Millisecond) || how.Ops != 10 || how.Unlogged != 0 {
		t.Errorf("%d ns by the timer: %+v", timer, how)
	}
	if d := x.Warnings(); strings.Contains(d, diagnosis.StoppedIncluded) || strings.Contains(d, diagnosis.ManyStops) {
		t.Error(d)
	}
	if n := sum(prof, record.TypeSamples, "subjects.between") + sum(prof, record.TypeWall, "subjects.between"); n > 0 { // as in napped
		return fmt.Errorf("what is done while the timer stands was seen: %d", n)
	}
	if how.Stopped < 0.1 || how.Stopped > 0.9 || how.Achieved < float64(9*time.Millisecond) {
		return fmt.Errorf("%d ns by the timer: %+v", timer, how)
	}
	return operates(prof, how)
}

// TestProfilerGoEnv: what go says when it cannot tell its settings is passed on.
func TestProfilerGoEnv(t *testing.T) {
	p, ok := sample.Profiler(sample.Config{}).(profiler.Builder)
	if !ok {
		t.Fatal("it builds nothing")
	}
	b := profiler.Build{Dir: t.TempDir(), Env: append(os.Environ(), "GOTOOLCHAIN=bad")}
	if _, err := p.Build(t.Context(), b); err == nil || !strings.Contains(err.Error(), "GOTOOLCHAIN") || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Build(ctx, b); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
