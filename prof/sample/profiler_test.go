package sample_test

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/tarebench/tare/internal/overlay"
	"github.com/tarebench/tare/prof/proftest"
	"github.com/tarebench/tare/prof/sample"
	"github.com/tarebench/tare/prof/stops"
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
		t.Fatalf("no profile, but %s", x.Doubts())
	}
	return how, prof
}

// TestProfiler: of a benchmark its measured iterations are seen, and neither its set-up nor what it
// does while its timer stands.
func TestProfiler(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("marks and looks share a clock on Linux")
	}
	p := sample.Profiler(sample.Config{})
	if err := p.Probe(); err != nil {
		t.Skip(err)
	}
	s := proftest.Open(t, p, *overlay.Stops())
	x := s.Fork(record.Case{Name: "Nap"}, "10x")
	how, prof := attached(t, x)
	if err := how.Validate(); err != nil || how.Stopped != 0 || how.Unnoted != 0 || how.Window != record.AsmMarks || how.Windows != 1 || how.Ops != 10 || how.Looks < 1 {
		t.Errorf("%+v, %v", how, err)
	}
	op := time.Duration(sum(prof, record.TypeWall, "subjects.operation"))
	within(t, "operation", op, 300*time.Millisecond, time.Duration(how.Wall)+time.Millisecond)
	if set := sum(prof, record.TypeSamples, "subjects.setup"); set > 0 {
		t.Errorf("set-up was seen %d times", set)
	}
	for _, l := range prof.Sample {
		if leaf := l.Location[0].Line[0].Function.Name; strings.HasPrefix(leaf, "testing.") {
			t.Errorf("%s was seen %d times", leaf, l.Value[0])
		}
	}
	if n := len(x.Samples); n != 1 || x.Has("ns/op") {
		t.Errorf("%d samples, with times that are no scores: %v", n, x.Samples)
	}

	x = s.Fork(record.Case{Name: "Stops"}, "10x")
	how, prof = attached(t, x)
	op = time.Duration(sum(prof, record.TypeWall, "subjects.operation"))
	within(t, "operation", op, 300*time.Millisecond, time.Duration(how.Wall)+time.Millisecond)
	if n := sum(prof, record.TypeSamples, "subjects.between") + sum(prof, record.TypeWall, "subjects.between"); n > 0 {
		t.Errorf("what is done while the timer stands was seen: %d", n)
	}
	timer := x.Samples[0].Ns
	if how.Stopped < 0.1 || how.Stopped > 0.9 || how.Wall > timer+int64(time.Millisecond) || how.Ops != 10 || how.Unnoted != 0 {
		t.Errorf("%d ns by the timer: %+v", timer, how)
	}
	if how.Achieved < float64(9*time.Millisecond) {
		t.Errorf("looks every %v ns", how.Achieved)
	}
	if d := x.Doubts(); strings.Contains(d, stops.CodeIncluded) || strings.Contains(d, stops.CodeMany) {
		t.Error(d)
	}

	x = s.Fork(record.Case{Name: "Quick"}, "1x")
	if d := x.Doubts(); !strings.Contains(d, "no look fell into its 1 windows: 100 looks take") {
		t.Errorf("doubts %q", d)
	}
}
