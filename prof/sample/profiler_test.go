package sample_test

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/tarebench/tare/prof/proftest"
	"github.com/tarebench/tare/prof/sample"
	"github.com/tarebench/tare/record"
)

// TestProfiler: of a benchmark its measured iterations are seen, and not its set-up.
func TestProfiler(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("marks and looks share a clock on Linux")
	}
	p := sample.Profiler(sample.Config{})
	if err := p.Probe(); err != nil {
		t.Skip(err)
	}
	s := proftest.Open(t, p)
	x := s.Fork(record.Case{Name: "Nap"}, "10x")
	var how record.Sampled
	var prof *profile.Profile
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
	if err := how.Validate(); err != nil || how.Window != record.AsmMarks || how.Windows != 1 || how.Ops != 10 || how.Looks < 1 {
		t.Errorf("%+v, %v", how, err)
	}
	op := time.Duration(sum(prof, record.TypeWall, "subjects.operation"))
	within(t, "operation", op, 300*time.Millisecond, time.Duration(how.Wall)+time.Millisecond)
	if set := sum(prof, record.TypeSamples, "subjects.setup"); set > 0 {
		t.Errorf("set-up was seen %d times", set)
	}
	if n := len(x.Samples); n != 1 || x.Has("ns/op") {
		t.Errorf("%d samples, with times that are no scores: %v", n, x.Samples)
	}

	x = s.Fork(record.Case{Name: "Quick"}, "1x")
	if d := x.Doubts(); !strings.Contains(d, "no look fell into its 1 windows: 100 looks take") {
		t.Errorf("doubts %q", d)
	}
}
