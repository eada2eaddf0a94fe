package proftest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/golang/build"
	"github.com/tarebench/tare/internal/golang/toolchain"
	"github.com/tarebench/tare/internal/process/fork"
	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/internal/process/spawn"
	"github.com/tarebench/tare/record"
)

// Subjects are the benchmarks of the module in testdata/subjects, built for a profiler.
type Subjects struct {
	Iterations int // measured iterations of a fork; 0: 1

	t      *testing.T
	prof   profiler.Profiler
	bin    build.Binary
	runner *fork.Runner
	lines  []record.Line
	tmp    string
	pkg    string // of a profiler.Builder
	from   string // pattern of the package
}

// Open builds the subjects with the parts of the profiler. Temporary files are in a directory of the test.
func Open(t *testing.T, p profiler.Profiler, parts ...toolchain.Part) *Subjects {
	t.Helper()
	return OpenPackage(t, p, filepath.Join("testdata", "subjects"), ".", parts...)
}

// OpenPackage builds the tests of a package, given as to go test in a directory, as Open does.
func OpenPackage(t *testing.T, p profiler.Profiler, dir, pattern string, parts ...toolchain.Part) *Subjects {
	t.Helper()
	dir, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	s := &Subjects{t: t, prof: p, tmp: t.TempDir(), from: pattern}
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
	key := fmt.Sprintf("%s %+v", s.from, opt)
	if bin, ok := built.Load(key); ok && !builds {
		return bin.(build.Binary)
	}
	pkgs, err := build.Resolve(s.t.Context(), opt, []string{s.from})
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

// Fork is a successful fork, of whose iterations all but the first count.
type Fork struct {
	t       *testing.T
	Samples []*record.Sample // those that count
	Lines   []record.Line    // all that were written
}

// Names returns the names of the benchmarks that can be run for one operation, without those that match the regular
// expression skip, "" for none.
func (s *Subjects) Names(skip string) (names []string) {
	s.t.Helper()
	all, err := s.runner.Discover(s.t.Context(), &record.Bin{ID: 1, Dir: s.bin.Dir}, s.bin.Path, fork.Selection{Bench: ".", Skip: skip, Procs: 2, OperationTimeout: forkTimeout})
	if err != nil {
		s.t.Fatal(err)
	}
	for _, d := range all {
		if d.Failed == nil {
			names = append(names, d.Name)
		}
	}
	return names
}

// forkTimeout limits a fork, and an operation of Names.
const forkTimeout = 5 * time.Minute

// Fork runs the benchmark of a case for benchtime, "5x" or a duration, with env added to its environment. The test ends if
// the fork fails. Default GOMAXPROCS: 2.
func (s *Subjects) Fork(c record.Case, benchtime string, env ...string) *Fork {
	s.t.Helper()
	f, err := s.TryFork(c, benchtime, env...)
	if err != nil {
		s.t.Fatal(err)
	}
	return f
}

// Fails runs a benchmark as [Subjects.Fork] does, and returns the reason for which its fork fails. The test fails if it
// succeeds.
func (s *Subjects) Fails(c record.Case, benchtime string, env ...string) string {
	s.t.Helper()
	out, err := s.run(c, benchtime, env...)
	if err != nil {
		s.t.Fatal(err)
	}
	if out.Fork.State != record.StateFailed {
		s.t.Fatalf("%s: %s", c.Name, out.Fork.State)
	}
	return out.Fork.Why
}

// TryFork does what Fork does and returns an error if the fork fails.
func (s *Subjects) TryFork(c record.Case, benchtime string, env ...string) (*Fork, error) {
	s.t.Helper()
	out, err := s.run(c, benchtime, env...)
	if err != nil {
		return nil, err
	}
	if out.Fork.State != record.StateOK {
		return nil, fmt.Errorf("%s: %s\n%s", c.Name, out.Fork.Why, out.Fork.Tail)
	}
	f := &Fork{t: s.t, Lines: s.lines}
	for _, x := range out.Samples {
		if x.Phase == record.PhaseMeasure {
			f.Samples = append(f.Samples, x)
		}
	}
	return f, nil
}

// run runs a fork. It checks that a fork that succeeds leaves no temporary files.
func (s *Subjects) run(c record.Case, benchtime string, env ...string) (*fork.Outcome, error) {
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
		Benchtime: benchtime, Count: 1 + max(1, s.Iterations), Warmup: 1, Timeout: forkTimeout,
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
	if err != nil || out.Fork.State != record.StateOK {
		return out, err
	}
	for _, names := range []string{"tare-" + s.prof.Name() + "-*", "tare-run-" + s.prof.Name() + "-*", "tare-run-stops-*"} {
		if left, err := filepath.Glob(filepath.Join(s.tmp, names)); err != nil || len(left) > 0 {
			s.t.Errorf("%s left behind %q, %v", c.Name, left, err)
		}
	}
	return out, nil
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
