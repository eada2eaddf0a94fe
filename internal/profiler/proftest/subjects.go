package proftest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/build"
	"github.com/tarebench/tare/internal/fork"
	"github.com/tarebench/tare/internal/profiler"
	"github.com/tarebench/tare/internal/spawn"
	"github.com/tarebench/tare/internal/toolchain"
	"github.com/tarebench/tare/record"
)

// Subjects are the benchmarks of the module in testdata/subjects, built for a profiler.
type Subjects struct {
	t      *testing.T
	prof   profiler.Profiler
	bin    build.Binary
	runner *fork.Runner
	lines  []record.Line
	tmp    string
	pkg    string // of a profiler.Builder
}

// Open builds the subjects with the parts of the profiler. Temporary files are in a directory of the test.
func Open(t *testing.T, p profiler.Profiler, parts ...toolchain.Part) *Subjects {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("testdata", "subjects"))
	if err != nil {
		t.Fatal(err)
	}
	s := &Subjects{t: t, prof: p, tmp: t.TempDir()}
	t.Setenv("TMPDIR", s.tmp)
	opt := build.Options{Dir: dir, Deep: p.Needs().Hooks, Parts: parts}
	s.bin = s.build(p, opt)
	l, err := spawn.Start(t.Context(), spawn.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	s.runner = &fork.Runner{Launcher: l, Write: func(line record.Line) error {
		s.lines = append(s.lines, line)
		return nil
	}}
	return s
}

// built has the binaries of this process that no profiler has a part in building, by their options.
var built sync.Map

// build builds the subjects, or takes those that a test before has built in the same way.
func (s *Subjects) build(p profiler.Profiler, opt build.Options) build.Binary {
	s.t.Helper()
	b, builds := p.(profiler.Builder)
	key := fmt.Sprintf("%+v", opt)
	if bin, ok := built.Load(key); ok && !builds {
		return bin.(build.Binary)
	}
	pkgs, err := build.Resolve(s.t.Context(), opt, []string{"."})
	if err != nil {
		s.t.Fatal(err)
	}
	var check func(string) error
	if builds {
		check = s.applyBuilder(b, &opt, pkgs[0])
	}
	bin, err := build.Build(s.t.Context(), opt, pkgs[0])
	if err != nil {
		s.t.Fatal(err)
	}
	if check != nil {
		if err := check(bin.Path); err != nil {
			s.t.Fatal(err)
		}
	}
	if bin.Uncached != nil || builds { // it goes with the test
		s.t.Cleanup(func() { bin.Close() })
	} else {
		built.Store(key, bin)
	}
	return bin
}

// applyBuilder applies the profiler's build options, and returns its check of the binary.
func (s *Subjects) applyBuilder(p profiler.Builder, opt *build.Options, pkg build.Package) (check func(string) error) {
	s.t.Cleanup(func() {
		if err := p.Close(); err != nil {
			s.t.Error(err)
		}
	})
	at, err := build.SiteOf(*opt, pkg)
	if err != nil {
		s.t.Fatal(err)
	}
	q := profiler.Build{Pkg: pkg.ImportPath, Dir: at.Dir, Flags: at.Flags, Env: at.Env}
	for _, name := range append(pkg.TestFiles[:len(pkg.TestFiles):len(pkg.TestFiles)], pkg.XTestFiles...) {
		q.Files = append(q.Files, filepath.Join(pkg.Dir, name))
	}
	out, err := p.Build(s.t.Context(), q)
	if err != nil {
		s.t.Fatal(err)
	}
	opt.Flags, opt.Env = append(opt.Flags, out.Flags...), append(opt.Env, out.Env...)
	s.pkg = pkg.ImportPath
	return out.Check
}

// Fork is a successful fork of two iterations, of which the second counts.
type Fork struct {
	t       *testing.T
	Samples []*record.Sample // those that count
	Lines   []record.Line    // all that were written
}

// Fork runs the benchmark of a case for benchtime, "5x" or a duration, with env added to its environment.
// Default GOMAXPROCS: 2.
func (s *Subjects) Fork(c record.Case, benchtime string, env ...string) *Fork {
	s.t.Helper()
	out := s.run(c, benchtime, env...)
	if out.Fork.State != record.StateOK {
		s.t.Fatalf("%s: %s\n%s", c.Name, out.Fork.Why, out.Fork.Tail)
	}
	f := &Fork{t: s.t, Lines: s.lines}
	for _, x := range out.Samples {
		if x.Phase == record.PhaseMeasure {
			f.Samples = append(f.Samples, x)
		}
	}
	return f
}

// Fails runs a benchmark as [Subjects.Fork] does, and returns the reason for which its fork fails. The test fails if it
// succeeds.
func (s *Subjects) Fails(c record.Case, benchtime string, env ...string) string {
	s.t.Helper()
	out := s.run(c, benchtime, env...)
	if out.Fork.State != record.StateFailed {
		s.t.Fatalf("%s: %s", c.Name, out.Fork.State)
	}
	return out.Fork.Why
}

// run runs a fork. It checks that no temporary files are left.
func (s *Subjects) run(c record.Case, benchtime string, env ...string) *fork.Outcome {
	s.t.Helper()
	c.ID = 1
	if c.Procs == 0 {
		c.Procs = 2
	}
	if c.Pkg == "" {
		c.Pkg = s.pkg
	}
	s.lines = nil
	spec := fork.Spec{
		Case: &c, Bin: &record.Bin{ID: 1, Dir: s.bin.Dir}, Path: s.bin.Path, Purpose: s.prof.Name(),
		Benchtime: benchtime, Count: 2, Warmup: 1, Timeout: 5 * time.Minute,
		Environ: append(append(os.Environ(), s.prof.Needs().Env...), env...),
	}
	if p, ok := s.prof.(profiler.Preparer); ok {
		spec.Prepare = []profiler.Preparer{p}
	}
	if p, ok := s.prof.(profiler.Attacher); ok {
		spec.Attach = []profiler.Attacher{p}
	}
	if p, ok := s.prof.(profiler.Interpreter); ok {
		spec.Interpret = []profiler.Interpreter{p}
	}
	spec.Wrap, _ = s.prof.(profiler.Wrapper)
	out, err := s.runner.Run(s.t.Context(), spec)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, names := range []string{"tare-" + s.prof.Name() + "-*", "tare-run-" + s.prof.Name() + "-*", "tare-run-stops-*"} {
		if left, err := filepath.Glob(filepath.Join(s.tmp, names)); err != nil || len(left) > 0 {
			s.t.Errorf("%s left behind %q, %v", c.Name, left, err)
		}
	}
	return out
}

// Has reports whether there is a value of the unit.
func (f *Fork) Has(unit string) bool {
	if len(f.Samples) == 0 {
		return false
	}
	_, ok := f.Samples[0].V.Get(unit)
	return ok
}

// Get returns the value of the unit. The test fails if there is none.
func (f *Fork) Get(unit string) float64 {
	f.t.Helper()
	if !f.Has(unit) {
		f.t.Fatalf("no %s; warnings: %s", unit, f.Warnings())
	}
	v, _ := f.Samples[0].V.Get(unit)
	return v
}

// Within checks that a value is in a range.
func (f *Fork) Within(unit string, lo, hi float64) {
	f.t.Helper()
	if v := f.Get(unit); v < lo || v > hi {
		f.t.Errorf("%s = %v, want %v to %v", unit, v, lo, hi)
	}
}

// Above fails the test if a value is below least. It returns an error if the value is above most, which other load on
// the machine may cause.
func (f *Fork) Above(unit string, least, most float64) error {
	f.t.Helper()
	v := f.Get(unit)
	if v < least {
		f.t.Errorf("%s = %v, want at least %v", unit, v, least)
	}
	if v > most {
		return fmt.Errorf("%s = %v, want at most %v", unit, v, most)
	}
	return nil
}

// Warnings returns the fork's warnings, one line of code and text each.
func (f *Fork) Warnings() string {
	var out []string
	for _, l := range f.Lines {
		if w, ok := l.(*record.Warn); ok {
			out = append(out, w.Code+": "+w.Text)
		}
	}
	return strings.Join(out, "\n")
}
