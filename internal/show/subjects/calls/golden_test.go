package calls

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/record"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func compareGolden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		os.Remove(path + ".got")
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (run go test -update)", err)
	}
	if bytes.Equal(got, want) {
		os.Remove(path + ".got")
		return
	}
	if err := os.WriteFile(path+".got", got, 0o666); err != nil {
		t.Error(err)
	}
	t.Errorf("differs from the golden file: diff internal/show/subjects/calls/%s internal/show/subjects/calls/%[1]s.got", path)
}

// counted is a trace of a program whose calls were only counted.
func counted() *record.Trace {
	return &record.Trace{
		Mode: record.TraceCount, Clock: record.TraceCycles, Ended: true, Binary: "m", Calls: 41_000_003, PathMore: 41_000_003,
		Probe: record.TraceProbe{Outside: 29, Inside: 16, Light: 1.24}, Added: 5.1e7,
		Funcs: []record.TraceFunc{{Name: "example.com/m.hot", Calls: 41_000_000}, {Name: "example.com/m.idle"}, {Name: "example.com/m.main", Calls: 3}},
	}
}

// every is the trace of a server of which one call of 50 was timed, and that was killed.
func every() *record.Trace {
	return &record.Trace{
		Mode: record.TraceEvery, Every: 50, Clock: record.TraceMonotonic, Tick: 0.4, Binary: "server", Calls: 103_004, Goroutines: 33, Lost: 17, System: 1,
		Probe: record.TraceProbe{Outside: 30, Inside: 16, Light: 5.9, Loose: 24.2},
		Funcs: []record.TraceFunc{
			{Name: "net/http.(*conn).serve", Calls: 3, Open: 3, Goroutines: 3},
			{Name: "example.com/server.(*API).Get", Calls: 100_000, Timed: 2031, Loose: 31, Untimed: 18, Panics: 4, Goroutines: 3, Total: 2.113e10, Self: 1.91e10,
				Corrected: 2.1129e10, CorrectedSelf: 1.91e10, Error: 2.084e8, SelfError: 2.09e8, Min: 8e4, Max: 3.1e7, Mean: 211_300, Squares: 2031 * 9e9,
				Hist: []record.TraceBucket{{From: 7e4, To: 8e4, N: 1}, {From: 2e5, To: 2.2e5, N: 2000}, {From: 3e7, To: 3.3e7, N: 30}}},
			{Name: "example.com/other/server.(*API).Get", Calls: 3001, Timed: 60, Goexits: 1, Total: 2e9, Self: 2e9, Corrected: 2e9, CorrectedSelf: 2e9, Error: 3.868e6, SelfError: 3.868e6,
				Min: 6e5, Max: 7e5, Mean: 666_444, Squares: 60 * 1e8},
		},
		Tree: []record.TraceCall{
			{Func: 0, Parent: -1, Calls: 3},
			{Func: 1, Parent: 0, Calls: 100_000, Timed: 2031, Total: 2.113e10, Corrected: 2.1129e10, Self: 1.91e10, CorrectedSelf: 1.91e10, Error: 2.084e8},
			{Func: 2, Parent: 1, Calls: 3001, Timed: 60, Total: 2e9, Corrected: 2e9, Self: 2e9, CorrectedSelf: 2e9, Error: 3.868e6},
		},
		Path: []record.TraceStep{{Func: 0, Goroutine: 18, Length: -1}, {Func: 1, Goroutine: 18, Begin: 900, Length: 211_001},
			{Func: 0, Goroutine: 21, Begin: 1000, Length: -1}, {Func: 1, Goroutine: 21, Begin: 1500, Length: -1}},
		PathMore: 103_000,
		Left: []record.TraceLeft{{Name: "example.com/server.sum", Why: "it has no body here: it is assembly, or linked by name"},
			{Name: "example.com/server.add", Why: "it has no body here: it is assembly, or linked by name"}, {Name: "example.com/server.init", Why: "assembly calls it"}},
		Unknown: "go list: exit status 1",
	}
}

// hostile is a trace whose names are no names.
func hostile() *record.Trace {
	p := newProgram(5, "evil\x1b[2J\r\n.f", "example.com/größe/\u202e"+strings.Repeat("long", 40)+".find", "a;b.c", "", "x/y.Map[go.shape.struct { a/b.c }]")
	p.start()
	for fn := range p.t.Funcs {
		p.call(-1, fn, func(at int) { p.call(at, (fn+1)%5, func(int) { p.work(1e4) }) })
	}
	t := p.done()
	t.Binary = "evil\x1b[31m\n" + strings.Repeat("b", 100)
	t.Left = []record.TraceLeft{{Name: "\x00", Why: "bad\nreason " + strings.Repeat("w", 200)}, {Name: "f"}}
	t.Inlined = []string{"a;b.c", "\xff"}
	return t
}

// TestGolden: what people see, in every look.
func TestGolden(t *testing.T) {
	for _, c := range []struct {
		name string
		t    *record.Trace
		c    Config
		o    Options
	}{
		{"watched", watched(t), Config{}, Options{UTF8: true}},
		{"watched.ascii", watched(t), Config{}, Options{}},
		{"watched.verbose.160", watched(t), Config{}, Options{UTF8: true, Verbose: true, Width: 160}},
		{"watched.60", watched(t), Config{Top: 3, Steps: 2}, Options{UTF8: true, Width: 60, Title: "watched --mass 100000000"}},
		{"watched.depth", watched(t), Config{Depth: 1, Share: 0.2}, Options{UTF8: true}},
		{"watched.color", watched(t), Config{Share: -1}, Options{UTF8: true, Color: true}},
		{"mutual", mutual(), Config{}, Options{UTF8: true}},
		{"mutual.verbose", mutual(), Config{}, Options{UTF8: true, Verbose: true}},
		{"counted", counted(), Config{}, Options{UTF8: true, Verbose: true}},
		{"every", every(), Config{}, Options{UTF8: true}},
		{"every.verbose.ascii", every(), Config{}, Options{Verbose: true}},
		{"hostile", hostile(), Config{}, Options{UTF8: true}},
		{"hostile.ascii", hostile(), Config{}, Options{Width: 70}},
		{"nothing", &record.Trace{Mode: record.TraceExact, Clock: record.TraceMonotonic, Funcs: []record.TraceFunc{{Name: "main.f"}}}, Config{}, Options{UTF8: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := textOf(t, mustNew(t, c.t, c.c), c.o)
			checkLines(t, text, c.o)
			compareGolden(t, c.name+".txt", []byte(text))
		})
	}
}

// TestGoldenFormats: what programs see.
func TestGoldenFormats(t *testing.T) {
	for name, tr := range map[string]*record.Trace{"watched": watched(t), "mutual": mutual(), "counted": counted(), "every": every(), "hostile": hostile()} {
		c := mustNew(t, tr, Config{Top: 1, Depth: 1, Steps: 1}) // which are of texts only
		data, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := json.Indent(&b, data, "", " "); err != nil {
			t.Fatal(err)
		}
		b.WriteByte('\n')
		compareGolden(t, name+".out.json", b.Bytes())
		b.Reset()
		if err := c.Collapsed(&b); err != nil {
			t.Fatal(err)
		}
		compareGolden(t, name+".collapsed", b.Bytes())
		b.Reset()
		if err := c.Events(&b); err != nil {
			t.Fatal(err)
		}
		compareGolden(t, name+".events.json", b.Bytes())
	}
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

// checkLines: no line is too wide, has blanks at its end, or characters that a
// terminal may take for commands; no empty lines in a row.
func checkLines(t testing.TB, text string, o Options) {
	t.Helper()
	if o.Width == 0 {
		o.Width = termtext.DefaultColumns
	}
	most := max(o.Width, termtext.LeastColumns)
	if o.Color {
		text = escapes.ReplaceAllString(text, "")
	}
	if strings.HasPrefix(text, "\n") || strings.Contains(text, "\n\n\n") || !strings.HasSuffix(text, "\n") {
		t.Errorf("empty lines at the beginning, or several in a row, or no end:\n%s", text)
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if termtext.Width(line) > most {
			t.Errorf("%d columns, want %d at most: %s", termtext.Width(line), most, line)
		}
		if strings.HasSuffix(line, " ") {
			t.Errorf("blanks at the end of %q", line)
		}
		for _, r := range line {
			if r < ' ' || r == 0x7f || r == '\u202e' || !o.UTF8 && r > '~' {
				t.Errorf("%q has %q", line, r)
			}
		}
	}
}
