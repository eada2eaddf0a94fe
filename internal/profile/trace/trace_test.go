package trace_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/internal/golang/toolchain"
	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/internal/profile/trace"
	"github.com/tarebench/tare/internal/testkit/proftest"
	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/record"
)

// traced is what a fork has attached.
func traced(t *testing.T, f *proftest.Fork) *record.Trace {
	t.Helper()
	for _, l := range f.Lines {
		if a, ok := l.(*record.Attach); ok && a.Name == record.AttachTrace {
			x := new(record.Trace)
			if err := json.Unmarshal(a.Data, x); err != nil {
				t.Fatal(err)
			}
			if err := x.Validate(); err != nil {
				t.Fatal(err)
			}
			return x
		}
	}
	t.Fatalf("no trace; warnings: %s", f.Warnings())
	return nil
}

// perOp are the calls of functions per operation, by the ends of their names.
func perOp(x *record.Trace) map[string]float64 {
	out := make(map[string]float64)
	for i := range x.Funcs {
		name := x.Funcs[i].Name
		out[name[strings.LastIndexByte(name, '.')+1:]], _, _ = x.PerOp(&x.Funcs[i])
	}
	return out
}

// TestCounts: what an operation calls is counted, and nothing else: no set-up, no
// stretch in which the timer stands, no warm-up, no guess at N.
func TestCounts(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("package testing has no hooks here")
	}
	before := sources(t)
	s := proftest.Open(t, trace.Profiler(trace.Config{}), *toolchain.Trace())
	for _, c := range []struct {
		name, benchtime string
		want            map[string]float64 // besides F and G
	}{
		{"N", "7x", map[string]float64{"op": 1}},
		{"N", "2ms", map[string]float64{"op": 1}},
		{"Loop", "7x", map[string]float64{"op": 1}},
		{"Loop", "2ms", map[string]float64{"op": 1}},
		{"Stops", "7x", map[string]float64{"op": 1}},
		{"Stops", "20us", map[string]float64{"op": 1}},
		{"Parallel", "2ms", map[string]float64{"op": 1}},
		{"Parallel", "1000x", map[string]float64{"op": 1}},
		{"Sub/a", "7x", map[string]float64{"op": 1}},
		{"Sub/b/c", "2ms", map[string]float64{"op": 1}},
		{"Within", "7x", map[string]float64{"within": 1}},
		{"Goroutine", "7x", nil},
		{"Recursion", "7x", map[string]float64{"F": 0, "G": 0, "Fib": 177}},
		{"External", "1x", map[string]float64{"thrice": 1}},
		{"External", "2ms", map[string]float64{"thrice": 1}},
	} {
		x := traced(t, s.Fork(record.Case{Name: c.name}, c.benchtime))
		got := perOp(x)
		want := map[string]float64{"F": 3, "G": 1}
		for name := range got {
			want[name] += 0
		}
		for name, n := range c.want {
			want[name] = n
		}
		for name, n := range want {
			if got[name] != n {
				t.Errorf("%s %s: %s is called %v times per operation, want %v", c.name, c.benchtime, name, got[name], n)
			}
		}
		if x.Window != record.AsmMarks || x.Windows != 1 || x.Ops < 1 || x.Lost != 0 || !x.Ended || len(x.Tree) == 0 || len(x.Path) == 0 || x.Unknown != "" {
			t.Errorf("%s: %+v", c.name, x)
		}
		if strings.HasSuffix(c.benchtime, "x") && x.Path[0].Func < len(x.Funcs) && x.PathMore+int64(len(x.Path)) != x.Calls {
			t.Errorf("%s: a path of %d calls and %d more, of %d", c.name, len(x.Path), x.PathMore, x.Calls)
		}
		for _, f := range x.Funcs {
			for _, never := range []string{".Benchmark", ".Test", ".Example"} {
				if strings.Contains(f.Name, never) {
					t.Errorf("%s has probes", f.Name)
				}
			}
		}
	}
	if after := sources(t); after != before {
		t.Error("the sources have changed")
	}
}

// TestForks: if forks have different calls per operation, the merged trace has the mean, the fewest and the most.
func TestForks(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("package testing has no hooks here")
	}
	s := proftest.Open(t, trace.Profiler(trace.Config{Match: []string{"F", "Uneven", "Fib"}, Skip: []string{"Fib"}}), *toolchain.Trace())
	var all []*record.Trace
	for _, n := range []string{"2", "4"} {
		all = append(all, traced(t, s.Fork(record.Case{Name: "Uneven"}, "10x", "UNEVEN="+n)))
	}
	x, err := record.MergeTraces(all)
	if err != nil {
		t.Fatal(err)
	}
	for i := range x.Funcs {
		f := &x.Funcs[i]
		mean, fewest, most := x.PerOp(f)
		want := [3]float64{3, 2, 4}
		if strings.HasSuffix(f.Name, ".Uneven") {
			want = [3]float64{1, 1, 1}
		}
		if got := [3]float64{mean, fewest, most}; got != want {
			t.Errorf("%s: %v calls per operation, the fewest and the most: want %v", f.Name, got, want)
		}
	}
	if len(x.Funcs) != 2 || x.Forks != 2 || x.Ops != 20 || x.Calls != 80 || len(x.Tree) != 2 || x.Tree[1].Calls != 60 {
		t.Errorf("%+v", x)
	}
}

// sources are the texts of the subjects, one after the other.
func sources(t *testing.T) string {
	t.Helper()
	var out strings.Builder
	files, err := os.ReadDir("testdata/subjects")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join("testdata", "subjects", f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		out.WriteString(f.Name() + "\n" + string(text))
	}
	return out.String()
}

// TestBuild: patterns that match nothing have warnings, functions that match are instrumented,
// and all files that were written are removed.
func TestBuild(t *testing.T) {
	dir, err := filepath.Abs("testdata/subjects")
	if err != nil {
		t.Fatal(err)
	}
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	q := profiler.Build{Pkg: "example.org/subjects", Dir: dir, Env: os.Environ(), Files: []string{filepath.Join(dir, "subjects_test.go"), filepath.Join(dir, "x_test.go")}}
	for _, c := range []struct {
		match    []string
		warnings []string
		bad      string
		long     bool
	}{
		{match: []string{"Fib"}},
		{match: []string{"Fib", "Fob", "Nothing"}, warnings: []string{"trace: example.org/subjects: pattern Fob matches no function of the build; similar: ", "pattern Nothing matches no function"}},
		{match: []string{"Nothing"}, bad: "pattern Nothing matches no function"},
		{match: []string{"Nothing", "BenchmarkN"}, bad: "it is skipped"},
		{match: []string{"subjects_test.BenchmarkExternal"}, bad: "it is skipped", long: true},
		{match: []string{"TestMain"}, bad: "it is skipped", long: true},
		{match: []string{"testing.*"}, bad: "it is skipped", long: true},
	} {
		if c.long && !testutil.Long() {
			continue
		}
		work := filepath.Join(tmp, "tare-run-work")
		p := trace.Profiler(trace.Config{Match: c.match, Work: "work"}).(profiler.Builder)
		out, err := p.Build(t.Context(), q)
		switch {
		case c.bad != "":
			if err == nil || !strings.Contains(err.Error(), c.bad) {
				t.Errorf("%q: %v, want %q", c.match, err, c.bad)
			}
		case err != nil:
			t.Errorf("%q: %v", c.match, err)
		case len(out.Flags) != 1 || !strings.HasPrefix(out.Flags[0], "-overlay="+work):
			t.Errorf("%q: flags %q", c.match, out.Flags)
		case !slices.EqualFunc(out.Warnings, c.warnings, func(w *record.Warn, text string) bool {
			return w.About == record.AboutRun && w.Code == diagnosis.NoMatch && strings.Contains(w.Text, text)
		}):
			t.Errorf("%q: warnings %+v, want %q", c.match, out.Warnings, c.warnings)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
			t.Errorf("%q: has left %v, %v", c.match, left, err)
		}
	}
}

// TestBuildElsewhere: a directory that is there already is somebody else's, if that is alive.
func TestBuildElsewhere(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	theirs, err := tempdir.Named("work")
	if err != nil {
		t.Fatal(err)
	}
	defer theirs.Remove()
	work := theirs.Path
	dir, err := filepath.Abs("testdata/subjects")
	if err != nil {
		t.Fatal(err)
	}
	p := trace.Profiler(trace.Config{Match: []string{"Fib"}, Work: "work"}).(profiler.Builder)
	out, err := p.Build(t.Context(), profiler.Build{Pkg: "example.org/subjects", Dir: dir, Env: os.Environ()})
	if err != nil || strings.Contains(out.Flags[0], work+string(filepath.Separator)) {
		t.Errorf("%q, %v", out.Flags, err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) != 1 || left[0].Name() != "tare-run-work" {
		t.Errorf("left %v, %v", left, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Build(ctx, profiler.Build{Pkg: "example.org/subjects", Dir: dir, Env: os.Environ()}); err == nil {
		t.Error("the build goes on after the end of its context")
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

// TestPrepare: a fork of a package without probes is refused; one that fails leaves nothing.
func TestPrepare(t *testing.T) {
	p := trace.Profiler(trace.Config{}).(profiler.Preparer)
	if _, _, err := p.Prepare(profiler.Fork{Case: &record.Case{Pkg: "p"}}); err == nil || !strings.Contains(err.Error(), "no probes") {
		t.Errorf("%v", err)
	}
	if err := (trace.Config{Match: []string{"/(/"}, Skip: []string{" "}}).Validate(); err == nil || !strings.Contains(err.Error(), "missing closing") || !strings.Contains(err.Error(), "is empty") {
		t.Errorf("%v", err)
	}
	if err := (trace.Config{}).Validate(); err != nil {
		t.Error(err)
	}
}
