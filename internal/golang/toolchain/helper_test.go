package toolchain_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/tarebench/tare/internal/golang/build"
	"github.com/tarebench/tare/internal/golang/toolchain"
	"github.com/tarebench/tare/record"
)

// kinds are the binaries of testdata/kinds.
var kinds struct {
	dir string
	sync.Mutex
	built map[string]build.Binary
}

func TestMain(m *testing.M) {
	code := m.Run()
	if kinds.dir != "" {
		os.RemoveAll(kinds.dir)
	}
	os.Exit(code)
}

// kindsBinary builds testdata/kinds once for each name.
func kindsBinary(t *testing.T, name string, opt build.Options) build.Binary {
	t.Helper()
	if !slices.Contains([]string{"linux", "darwin", "freebsd", "netbsd", "openbsd"}, runtime.GOOS) {
		t.Skip("no hooks on " + runtime.GOOS)
	}
	kinds.Lock()
	defer kinds.Unlock()
	if kinds.dir == "" {
		dir, err := os.MkdirTemp("", "tare-overlay-test-")
		if err != nil {
			t.Fatal(err)
		}
		kinds.dir, kinds.built = dir, map[string]build.Binary{}
	}
	if b, ok := kinds.built[name]; ok {
		return b
	}
	dir, err := filepath.Abs(filepath.Join("testdata", "kinds"))
	if err != nil {
		t.Fatal(err)
	}
	opt.Dir, opt.CacheDir = dir, kinds.dir
	opt.Env = append(opt.Env, "GOFLAGS=", "GOWORK=off", "GOPROXY=off")
	b := buildOne(t, opt, ".")
	kinds.built[name] = b
	return b
}

func deepKinds(t *testing.T) build.Binary {
	return kindsBinary(t, "deep", build.Options{Deep: true})
}

func buildOne(t *testing.T, opt build.Options, pattern string) build.Binary {
	t.Helper()
	pkgs, err := build.Resolve(t.Context(), opt, []string{pattern})
	if err != nil {
		t.Fatal(err)
	}
	if len(pkgs) != 1 || pkgs[0].Error != nil {
		t.Fatalf("%s: %+v", pattern, pkgs)
	}
	b, err := build.Build(t.Context(), opt, pkgs[0])
	if err != nil {
		var e *build.Error
		if errors.As(err, &e) {
			t.Log(e.Output)
		}
		t.Fatal(err)
	}
	return b
}

// said is what a run of a binary printed and wrote to its pipe.
type said struct {
	text, pipe string
	exit       int
	results    []result // lines of text
	samples    []sample
	marks      []mark
	others     []record.Line
}

// result is a line that testing prints.
type result struct {
	name string // with the number of processors
	n    int64
	v    map[string]float64
}

// sample is a sample and the mark of the end of its window.
type sample struct {
	*record.Sample
	begin, end mark
}

type mark struct {
	Name, Phase, Ev string
	Iter            int
	T, Ops          int64
}

// get is the value of a unit, NaN if there is none.
func (s sample) get(unit string) float64 {
	if x, ok := s.V.Get(unit); ok {
		return x
	}
	return math.NaN()
}

// bench runs benchmarks of a binary with a pipe that is read.
func bench(t *testing.T, b build.Binary, re string, args ...string) said {
	t.Helper()
	return run(t, b, nil, append([]string{"-test.run=^$", "-test.benchmem", "-test.bench=" + re}, args...)...)
}

func run(t *testing.T, b build.Binary, env []string, args ...string) said {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd := exec.CommandContext(t.Context(), b.Path, args...)
	cmd.Dir = b.Dir
	cmd.Env = append(append(os.Environ(), "TARE_FD=3"), env...)
	cmd.ExtraFiles = []*os.File{w}
	var text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &text
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	pipe, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	s := said{text: text.String(), pipe: string(pipe), exit: cmd.ProcessState.ExitCode()}
	s.parseText(t)
	s.parsePipe(t)
	return s
}

func (s *said) parseText(t *testing.T) {
	t.Helper()
	for line := range strings.Lines(s.text) {
		f := strings.Fields(line)
		if len(f) < 2 || !strings.HasPrefix(f[0], "Benchmark") {
			continue
		}
		n, err := strconv.ParseInt(f[1], 10, 64)
		if err != nil || n == 0 { // of a benchmark that was broken off
			continue
		}
		r := result{name: f[0], n: n, v: map[string]float64{}}
		for i := 2; i+1 < len(f); i += 2 {
			x, err := strconv.ParseFloat(f[i], 64)
			if err != nil {
				t.Errorf("%q: %v", line, err)
			}
			r.v[strings.ToValidUTF8(f[i+1], "\ufffd")] = x
		}
		s.results = append(s.results, r)
	}
}

func (s *said) parsePipe(t *testing.T) {
	t.Helper()
	var d record.LineDecoder
	first := true
	for line := range strings.Lines(s.pipe) {
		if first != (line == `{"k":"hello","v":1,"from":"hook"}`+"\n") {
			t.Fatalf("line %q, the first %v", line, first)
		}
		if first {
			first = false
			continue
		}
		l, err := d.Decode([]byte(strings.TrimSuffix(line, "\n")))
		if err != nil || !strings.HasSuffix(line, "\n") {
			t.Fatalf("%q: %v", line, err)
		}
		switch x := l.(type) {
		case *record.Sample:
			if len(s.marks) < 2 {
				t.Fatalf("sample without marks: %q", line)
			}
			s.samples = append(s.samples, sample{x, s.marks[len(s.marks)-2], s.marks[len(s.marks)-1]})
		case *record.Raw:
			if x.Kind != "mark" {
				s.others = append(s.others, l)
				continue
			}
			var m mark
			if err := json.Unmarshal([]byte(line), &m); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			s.marks = append(s.marks, m)
		default:
			s.others = append(s.others, l)
		}
	}
}

// check holds what was printed against what was sent: line by line the same.
func (s *said) check(t *testing.T) {
	t.Helper()
	if len(s.results) != len(s.samples) {
		t.Fatalf("%d results, %d samples\n%s\n%s", len(s.results), len(s.samples), s.text, s.pipe)
	}
	iters := map[string]int{}
	for i, r := range s.results {
		x := s.samples[i]
		name := "Benchmark" + x.end.Name
		iters[name]++
		if r.name != name && !strings.HasPrefix(r.name, name+"-") {
			t.Errorf("%s: sample of %q", r.name, name)
		}
		if x.Phase != record.PhaseMeasure || x.Iter != iters[name] || x.Ops != r.n {
			t.Errorf("%s: iteration %d of %d operations: %+v", r.name, iters[name], r.n, x.Sample)
		}
		want := mark{Name: x.end.Name, Phase: record.PhaseMeasure, Iter: x.Iter, T: x.begin.T, Ev: "begin"}
		if x.begin != want {
			t.Errorf("%s: mark %+v, want %+v", r.name, x.begin, want)
		}
		want.Ev, want.T, want.Ops = "end", x.T, x.Ops
		if x.end != want || x.T-x.begin.T < x.Ns {
			t.Errorf("%s: mark %+v, want %+v; sample %+v", r.name, x.end, want, x.Sample)
		}
		r.compare(t, x)
	}
}

// compare holds a line of text against a sample.
func (r result) compare(t *testing.T, x sample) {
	t.Helper()
	for unit, v := range r.v {
		have := x.get(unit)
		switch unit {
		case "B/op", "allocs/op":
			have = math.Trunc(have) // testing prints whole ones
			if have != v {
				t.Errorf("%s: %v %s, printed %v", r.name, x.get(unit), unit, v)
			}
		default: // four digits; of MB/s two behind the point
			digits := 1e-7
			if unit == "MB/s" {
				digits = 0.005
			}
			if math.IsNaN(v) && math.IsNaN(have) || v == have {
				continue
			}
			if !(math.Abs(have-v) <= 0.0006*math.Abs(v)+digits) {
				t.Errorf("%s: %v %s, printed %v", r.name, have, unit, v)
			}
		}
	}
	for _, v := range x.V {
		_, printed := r.v[v.Unit]
		ours := v.Unit == "gc-cycles" || v.Unit == "gc-pause-ns"
		if !printed && !ours {
			t.Errorf("%s: %v %s was not printed", r.name, v.Value, v.Unit)
		}
	}
}

// of are the samples of one benchmark.
func (s *said) of(name string) []sample {
	var out []sample
	for _, x := range s.samples {
		if x.end.Name == name {
			out = append(out, x)
		}
	}
	return out
}

// named is a toolchain by its version, or "local"; a test that cannot have it is skipped.
func named(t *testing.T, version string) *toolchain.Toolchain {
	t.Helper()
	tc, err := toolchain.Find(t.Context(), toolchain.Command{Env: append(os.Environ(), "GOTOOLCHAIN="+version)})
	if err != nil {
		t.Skipf("no %s here: %v", version, err)
	}
	return tc
}

func plainKinds(t *testing.T) build.Binary {
	return kindsBinary(t, "plain", build.Options{})
}
