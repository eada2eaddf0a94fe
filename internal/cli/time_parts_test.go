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

	"github.com/tarebench/tare/internal/result"
)

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
