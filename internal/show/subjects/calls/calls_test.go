package calls

import (
	"bytes"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tarebench/tare/record"
)

// TestRefused: what cannot be shown is refused, by name.
func TestRefused(t *testing.T) {
	bad := watched(t)
	bad.Calls++
	for _, c := range []struct {
		t    *record.Trace
		c    Config
		want string
	}{
		{nil, Config{}, "calls: no record"},
		{counted(), Config{Share: 2}, "calls: share: 2 is no share; want 0.01 for a hundredth"},
		{counted(), Config{Share: math.NaN()}, "calls: share: NaN is no share; want 0.01 for a hundredth"},
		{bad, Config{}, "calls of watched: 100000012 calls, and its functions have 100000011"},
	} {
		if _, err := New(c.t, c.c); err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// full is a writer without room.
type full struct{}

var errFull = errors.New("no room")

func (full) Write([]byte) (int, error) { return 0, errFull }

// TestFull: an error of the writer is returned.
func TestFull(t *testing.T) {
	c := mustNew(t, watched(t), Config{})
	x := contrastOf(t, watched(t), wall(), seenAt(10e6))
	for name, err := range map[string]error{
		"text": c.Text(full{}, Options{}), "pprof": c.Pprof(full{}), "collapsed": c.Collapsed(full{}), "events": c.Events(full{}), "contrast": x.Text(full{}, Options{}),
	} {
		if !errors.Is(err, errFull) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestWarnings: each warning has its words, and the most serious comes first.
func TestWarnings(t *testing.T) {
	for _, c := range []struct {
		t    *record.Trace
		want string
	}{
		{watched(t), "dominated"},
		{every(), "lost system not-ended estimates"},
		{counted(), ""},
	} {
		var codes []string
		for _, w := range mustNew(t, c.t, Config{}).Warnings() {
			codes = append(codes, w.Code)
		}
		if got := strings.Join(codes, " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.t.Binary, got, c.want)
		}
	}
}

// TestOpen: what was called by calls that have not ended is in the tree.
func TestOpen(t *testing.T) {
	tr := every()
	tr.Tree[1].Timed, tr.Tree[1].Total = 0, 0
	tr.Path, tr.PathMore = nil, 0
	text := textOf(t, mustNew(t, tr, Config{Share: 0.5}), Options{})
	if !regexp.MustCompile(`(?s)http.conn.serve .*Get .* ~2.00 s +100 %\n`).MatchString(text) {
		t.Errorf("the leaf is missing:\n%s", text)
	}
}

// TestGoTool: the profile is one that go tool pprof reads: self adds up to totals, and
// time has them for functions that call each other in turns.
func TestGoTool(t *testing.T) {
	for _, c := range []struct {
		t     *record.Trace
		index string
		want  string // of go tool pprof -top
	}{
		{watched(t), TypeSelf, `Type: self\n(?s:.*) 500\.\d*ms .* 500\.\d*ms .*  main\.\(\*Demo\)\.Sleep500\n(?s:.*) 905ms .*  main\.nine`},
		{watched(t), TypeCalls, `Type: calls\n(?s:.*) 100000000 .*  main\.\(\*Demo\)\.Nothing`},
		{mutual(), TypeTime, ` 0\.57ms .* 0\.57ms .*  main\.odd`},
		{mutual(), TypeCorrected, ` 5000us .* 5501\.20us .*  main\.main`},
		{counted(), "", `Type: calls\n(?s:.*) 41000000 .* 41000000 .*  example.com/m.hot`},
	} {
		path := filepath.Join(t.TempDir(), "calls.pb.gz")
		var b bytes.Buffer
		if err := mustNew(t, c.t, Config{}).Pprof(&b); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		args := []string{"tool", "pprof", "-top", "-nodefraction=0"}
		if c.index != "" {
			args = append(args, "-sample_index="+c.index)
		}
		out, err := exec.Command("go", append(args, path)...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		if !regexp.MustCompile(c.want).Match(out) {
			t.Errorf("%v: want %s\n%s", args, c.want, out)
		}
	}
}

// TestFlame: the profile can be drawn.
func TestFlame(t *testing.T) {
	v, err := mustNew(t, watched(t), Config{}).View()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := v.Flame(&b); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "Sleep500: 501 ms") {
		t.Errorf("no Sleep500 in %s", &b)
	}
}

// TestDeterministic: the same record gives the same bytes.
func TestDeterministic(t *testing.T) {
	write := func() string {
		c := mustNew(t, mutual(), Config{})
		var b bytes.Buffer
		for _, err := range []error{c.Pprof(&b), c.Collapsed(&b), c.Events(&b), c.Text(&b, Options{})} {
			if err != nil {
				t.Fatal(err)
			}
		}
		return b.String()
	}
	first := write()
	for range 5 {
		if write() != first {
			t.Fatal("the same record gave other bytes")
		}
	}
}

// TestNested: an end behind the caller's is cut, and calls of other processors whose clock is
// behind begin at 0.
func TestNested(t *testing.T) {
	tr := &record.Trace{Mode: record.TraceExact, Clock: record.TraceCycles, Ended: true, Calls: 6, Funcs: []record.TraceFunc{{Name: "f", Calls: 6}}, Path: []record.TraceStep{
		{Goroutine: 1, Begin: 0, Length: 100}, {Goroutine: 1, Begin: 50.4, Length: 50.4}, {Goroutine: 2, Begin: -7, Length: -1}, {Goroutine: 2, Begin: 3, Length: 1},
		{Goroutine: 3, Begin: 9, Length: 1}, {Goroutine: 3, Begin: 2, Length: 100}, // written in another order than begun
	}}
	var b bytes.Buffer
	c := mustNew(t, tr, Config{})
	if err := c.Events(&b); err != nil {
		t.Fatal(err)
	}
	checkEvents(t, c)
	for _, want := range []string{`"X","ts":0.007,"dur":0.100,`, `"X","ts":0.057,"dur":0.050,`, `"B","ts":0.000,"pid":1,"tid":2`, `"X","ts":0.010,"dur":0.001,`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in\n%s", want, &b)
		}
	}
}
