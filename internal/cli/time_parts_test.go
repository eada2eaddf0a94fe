package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/spawn"
	"github.com/tarebench/tare/record"
)

// TestVerdicts: what is said of two commands by what was measured.
func TestVerdicts(t *testing.T) {
	times := func(x float64) (out []float64) {
		for _, v := range fast {
			out = append(out, x*v)
		}
		return out
	}
	wide := []float64{100, 900, 150, 800, 120, 870, 500, 300, 990, 130}
	for _, c := range []struct {
		real, vs []float64
		want     string
	}{
		{fast, slow, "sort-par is 7.93 × faster than sort-seq (7.89 … 7.96), for 1.39 × the CPU (1.38 … 1.39)\n"},
		{slow, fast, "sort-par is 7.93 × slower than sort-seq (7.89 … 7.96), for 87.1 × the CPU (86.7 … 87.4)\n"},
		{times(1.001), fast, "sort-par takes as long as sort-seq: 1.001 × (0.995 … 1.007), for 11.0 × the CPU (10.9 … 11.1)\n"},
		{times(1.05), fast, "sort-par is 1.050 × slower than sort-seq (1.044 … 1.056), for 11.5 × the CPU (11.5 … 11.6)\n"},
		{times(100), fast, "sort-par is 100 × slower than sort-seq (99 … 101), for 1099 × the CPU (1092 … 1105)\n"},
		{wide, times(0.5), "undecided: sort-par takes "},
	} {
		b := timed(0.95, c.real, c.vs)
		text := shown(t, b, render.Options{UTF8: true})
		if !strings.Contains(text, "\n"+c.want) {
			t.Errorf("not there: %s\n%s", c.want, text)
		}
	}
	text := shown(t, timed(0.95, wide, times(0.5)), render.Options{UTF8: true})
	if !strings.Contains(text, "more runs would decide") {
		t.Error(text)
	}
}

// TestTimesOfOne: a command alone, one that has failed, and one without any run.
func TestTimesOfOne(t *testing.T) {
	one := func(state string) *result.Builder {
		b := result.NewBuilder()
		b.Add(&record.Run{Version: 1, Kind: record.KindTime, Sides: []record.Side{{Name: "a"}}, Config: record.Config{Confidence: 0.9}})
		b.Add(&record.Case{ID: 1, Name: commandName, Side: "a", Shot: true})
		f := &record.Fork{ID: 1, Case: 1, Round: 1, Purpose: record.PurposeTiming, State: state, Why: "ended with status 3", Wall: 5e6}
		b.Add(sampleOf(f, spawn.Result{}))
		b.Add(f)
		return b
	}
	text := shown(t, one(record.StateOK), render.Options{UTF8: true})
	if strings.Contains(text, "CPU\n") || !strings.Contains(text, "\na   5.00 ms") || !strings.Contains(text, "n/a") || strings.Contains(text, "± 0") {
		t.Error(text)
	}
	if text = shown(t, one(record.StateFailed), render.Options{UTF8: true}); !strings.Contains(text, "a failed: ended with status 3\n") {
		t.Error(text)
	}
	if text = shown(t, result.NewBuilder(), render.Options{UTF8: true}); text == "" {
		t.Error("nothing")
	}
}

// TestTimesFrame: the words that the frame is cut at are those of package report.
func TestTimesFrame(t *testing.T) {
	head, foot, err := frame(timed(0.95, fast, slow).Result(), render.Options{})
	if err != nil || !strings.HasPrefix(head, "linux/amd64") || !strings.Contains(foot, "repeat: tare time") || strings.Contains(head+foot, "no results") {
		t.Errorf("%q\n%q\n%v", head, foot, err)
	}
}

// TestTimesNames: long names get lines of their own, and figures stay in their columns.
func TestTimesNames(t *testing.T) {
	s := timed(0.95, fast, slow).Result()
	for i := range s.Results {
		s.Results[i].Side = strings.Repeat("x", 30) + s.Results[i].Side
	}
	for i := range s.Comparisons {
		s.Comparisons[i].Side, s.Comparisons[i].Base = s.Results[0].Side, s.Results[1].Side
	}
	var b strings.Builder
	if err := writeTimes(&b, render.Text, s, render.Options{UTF8: true, Width: 80}); err != nil {
		t.Fatal(err)
	}
	var ends []int
	names := 0
	for l := range strings.Lines(b.String()) {
		if n := runes(l); n > 81 {
			t.Errorf("%d columns: %s", n, l)
		}
		if i := strings.Index(l, " GiB"); i >= 0 {
			ends = append(ends, runes(l[:i]))
		}
		if strings.TrimSpace(l) == s.Results[0].Side {
			names++
		}
	}
	if len(ends) != 2 || ends[0] != ends[1] || names != 2 {
		t.Errorf("%v, %d\n%s", ends, names, &b)
	}
}

func TestSlowFirst(t *testing.T) {
	for _, c := range []struct {
		values []result.Number
		want   float64
	}{
		{[]result.Number{20, 10, 10, 10, 10}, 2},
		{[]result.Number{14, 10, 10, 10, 10}, 0},
		{[]result.Number{20, 10, 25, 10, 10}, 0},
		{[]result.Number{20, 10, 10, 10}, 0},
		{nil, 0},
	} {
		if got := slowFirst(c.values); got != c.want {
			t.Errorf("%v: %v, want %v", c.values, got, c.want)
		}
	}
}

func TestTimeDoubts(t *testing.T) {
	x := &timing{f: &timeFlags{}}
	p := &program{odd: 3, oddly: "ended with status 3", peakless: "not available: so small"}
	r := &result.Benchmark{Case: 1, Forks: 10, Interval: result.Interval{Median: 1e6}, Values: []result.Number{3e6, 1e6, 1e6, 1e6, 1e6}}
	var codes []string
	for _, w := range x.doubts(p, r, 5e5) {
		codes = append(codes, w.Code)
		if strings.Contains(w.Text, "not available") {
			t.Error(w.Text)
		}
	}
	if want := []string{codeExitStatus, codeStartCost, codeFirstRun, codeNoPeak}; !slices.Equal(codes, want) {
		t.Error(codes)
	}
	if ws := x.doubts(&program{}, &result.Benchmark{Case: 2, Forks: 1, Interval: result.Interval{Median: 1e9}}, 1e6); len(ws) > 0 {
		t.Errorf("%+v", ws)
	}
}

func TestStderrFile(t *testing.T) {
	e, err := newStderrFile()
	if err != nil {
		t.Fatal(err)
	}
	name := e.f.Name()
	for _, c := range []struct{ said, want string }{
		{"", ""},
		{"one\n", "one"},
		{"\n\ttwo \r\nthree\n\n", "    two\nthree"},
		{strings.Repeat("line\n", 20) + "last", strings.Repeat("line\n", 9) + "last"},
		{strings.Repeat("x", 5000) + "\nafter", "after"},
		{"\x1b[31mred\xff", "?[31mred?"},
	} {
		f := e.begin()
		if _, err := f.WriteString(c.said); err != nil {
			t.Fatal(err)
		}
		if got := e.tail(); got != c.want {
			t.Errorf("%q: %q, want %q", c.said, got, c.want)
		}
	}
	e.close()
	if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("left behind: %v", err)
	}
	(*stderrFile)(nil).close()
}

// TestStarter: what is started for what was typed.
func TestStarter(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("programs have other names here")
	}
	dir := t.TempDir()
	prog := filepath.Join(dir, "prog")
	if err := os.WriteFile(prog, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	words := []string{prog, "a b"}
	for _, c := range []struct {
		s    starter
		path string
		args []string
	}{
		{starter{}, prog, []string{"a b"}},
		{starter{sh: "/sh", input: true}, "/sh", []string{"-c", byShellExec, "sh", prog, "a b"}},
		{starter{sh: "/sh", shell: true}, "/sh", []string{"-c", prog + " 'a b'"}},
		{starter{sh: "/sh", shell: true, input: true}, "/sh", []string{"-c", byShell + prog + " 'a b'"}},
	} {
		c.s.dir, c.s.env = "/d", []string{"K=V"}
		p, err := c.s.program(words)
		if err != nil {
			t.Fatal(err)
		}
		if p.spec.Path != c.path || !slices.Equal(p.spec.Args, c.args) || p.spec.Dir != "/d" || p.spec.Env[0] != "K=V" || p.line != prog+" 'a b'" {
			t.Errorf("%+v: %+v", c.s, p)
		}
		if n, ok := c.s.nothing(); ok && (n.Path == c.path) != (c.s.sh != "") {
			t.Errorf("%+v: nothing is %+v", c.s, n)
		}
	}
	if p, err := (&starter{sh: "/sh", shell: true}).program([]string{"ls | wc -l"}); err != nil || p.spec.Args[1] != "ls | wc -l" {
		t.Errorf("%+v, %v", p, err)
	}
}
