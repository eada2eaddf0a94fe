package benchrun

import (
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/golang/build"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/record"
)

// TestRefusals: if some binaries are refused, the others continue and the refusals are reported. If all are refused,
// that is an error, unless the toolchain is the cause.
func TestRefusals(t *testing.T) {
	progress, err := session.NewProgress(io.Discard, "none")
	if err != nil {
		t.Fatal(err)
	}
	bin := func(pkg, purpose string) *binary {
		return &binary{Bin: record.Bin{Pkg: pkg, Purpose: purpose}, side: &builtSide{Side: &record.Side{Name: "old"}}, pkg: build.Package{ImportPath: pkg}}
	}
	for _, c := range []struct {
		err  error
		bins []*binary
		code string // of the warning; "": an error instead
		kept bool
	}{
		{errors.New("matches nothing"), []*binary{bin("a", ""), bin("b", "")}, "", true},
		{errors.New("matches nothing"), []*binary{bin("a", ""), bin("b", ""), bin("b", "trace")}, "not-profiled", true},
		{&profiler.UnavailableError{Err: errors.New("not on plan9"), Advice: "another"}, []*binary{bin("a", ""), bin("b", "")}, "not-available", false},
	} {
		s := &Built{Config: Config{Progress: progress}, bins: c.bins, Profilers: profiler.Set{{Profiler: named("trace")}}}
		err := s.addRefusals([]*refusal{{bin("a", "trace"), c.err}})
		if c.code == "" {
			if err == nil || !strings.Contains(err.Error(), "trace: old: a: "+c.err.Error()) {
				t.Errorf("%v: %v", c.err, err)
			}
			continue
		}
		if err != nil || len(s.warnings) != 1 || s.warnings[0].Code != c.code || !strings.Contains(s.warnings[0].Text, "trace: old: a: ") || s.Profilers.Has("trace") != c.kept {
			t.Errorf("%v: %v, %+v, kept %v", c.err, err, s.warnings, s.Profilers.Has("trace"))
		}
		has := func(pkg string) bool { return s.hasBinary(&record.Case{Pkg: pkg}, "trace") }
		if has("a") || has("b") != (c.code == "not-profiled") {
			t.Errorf("%v: forks of binaries that there are not", c.err)
		}
	}
}

// TestRefusalsOfMany: each profiler that is not available is reported once.
func TestRefusalsOfMany(t *testing.T) {
	progress, err := session.NewProgress(io.Discard, "none")
	if err != nil {
		t.Fatal(err)
	}
	s := &Built{Config: Config{Progress: progress}, Profilers: profiler.Set{{Profiler: named("trace")}, {Profiler: named("sample")}}}
	var all []*refusal
	for _, purpose := range []string{"trace", "sample"} {
		for _, pkg := range []string{"a", "b"} {
			b := &binary{Bin: record.Bin{Pkg: pkg, Purpose: purpose}, side: &builtSide{Side: new(record.Side)}, pkg: build.Package{ImportPath: pkg}}
			all = append(all, &refusal{b, &profiler.UnavailableError{Err: errors.New("not here"), Advice: "elsewhere"}})
		}
	}
	if err := s.addRefusals(all); err != nil || len(s.Profilers) > 0 || len(s.warnings) != 2 {
		t.Fatalf("%v, %d profilers, %d warnings", err, len(s.Profilers), len(s.warnings))
	}
	for i, want := range []string{"trace: a: not here", "sample: a: not here"} {
		if w := s.warnings[i]; w.Text != want || w.Advice != "elsewhere" {
			t.Errorf("%+v, want %q", w, want)
		}
	}
}

// named is a profiler that has nothing but a name.
type named string

func (n named) Name() string        { return string(n) }
func (named) Available() error      { return nil }
func (named) Needs() profiler.Needs { return profiler.Needs{} }

// fewer is a profiler whose forks do less, and may take longer.
type fewer struct{ named }

func (fewer) Needs() profiler.Needs {
	return profiler.Needs{OwnForks: true, OpsDivisor: 16, Slowdown: 3}
}

// least is one whose forks do less, but not too little.
type least struct{ named }

func (least) Needs() profiler.Needs {
	return profiler.Needs{OwnForks: true, OpsDivisor: 16, LeastOps: 200}
}

// TestBenchtime: a profiler has fewer operations where tare has chosen their number, and
// more time where tare has chosen the limit.
func TestBenchtime(t *testing.T) {
	s := &Built{Profilers: profiler.Set{{Profiler: fewer{"trace"}}, {Profiler: least{"alloc"}}}}
	many, few, timed, shot := &record.Case{Mode: record.ModeN, N: 1600}, &record.Case{Mode: record.ModeN, N: 7}, &record.Case{Mode: record.ModeTime}, &record.Case{Mode: record.ModeN, N: 1, SingleShot: true}
	for _, c := range []struct {
		of            *record.Case
		purpose, want string
	}{
		{many, "trace", "100x"}, {few, "trace", "1x"}, {timed, "trace", "50ms"}, {shot, "trace", "50ms"}, {many, "mem", "50ms"}, {many, "alloc", "200x"}, {few, "alloc", "7x"}, {&record.Case{Mode: record.ModeN, N: 16_000}, "alloc", "1000x"}, {many, record.PurposeTiming, "50ms"},
	} {
		if got := s.benchtime(plan.Request{Case: c.of, Purpose: c.purpose, Benchtime: "50ms"}); got != c.want {
			t.Errorf("%+v for %q: %s, want %s", c.of, c.purpose, got, c.want)
		}
	}
	if s.patience("trace") != 3 || s.patience(record.PurposeTiming) != 1 {
		t.Errorf("%d and %d times as long", s.patience("trace"), s.patience(record.PurposeTiming))
	}
	s.Run.Config.Benchtime, s.Run.Config.Timeout = "50x", time.Second
	if got := s.benchtime(plan.Request{Case: many, Purpose: "trace", Benchtime: "50x"}); got != "50x" || s.patience("trace") != 1 {
		t.Errorf("what was asked for became %s, %d times as long", got, s.patience("trace"))
	}
}

// TestTraceDir: a run that is resumed has the directory of its beginning, and no other has.
func TestTraceDir(t *testing.T) {
	c := &Config{Start: time.Unix(1, 5)}
	c.Run.Seed = 0xab
	name := c.traceDir()
	later := &Config{Start: time.Unix(9, 9)}
	later.Run.Seed, later.Run.Start = 0xab, time.Unix(1, 5)
	if other := later.traceDir(); other == name {
		t.Errorf("two runs have %s", other)
	}
	later.Earlier = &Earlier{}
	if again := later.traceDir(); again != name {
		t.Errorf("resumed in %s, begun in %s", again, name)
	}
}
