package listing

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
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
	if !bytes.Equal(got, want) {
		if err := os.WriteFile(path+".got", got, 0o666); err != nil {
			t.Error(err)
		}
		t.Errorf("differs from the golden file: diff internal/show/subjects/listing/%s internal/show/subjects/listing/%s.got", path, path)
	} else {
		os.Remove(path + ".got")
	}
}

// TestGolden: what people see of a small program, in every look.
func TestGolden(t *testing.T) {
	hostile := loop()
	hostile.Binary = "evil\x1b[31m\n"
	hostile.Funcs[0].Name = "example.com/größe/\u202e" + strings.Repeat("long", 40) + ".find\r\n"
	hostile.Funcs[0].Texts[0].Text = "func\t日本語() { \x1b[2J" + strings.Repeat("x", 200)
	events := twoEvents()
	script := loop()
	script.Source, script.Window, script.Ops, script.NoLines = record.AsmScript, record.AsmRough, 0, "the binary has no line table: it was stripped"
	script.Events[0].Lost, script.Events[0].Outside, script.Events[0].Throttled = 300, 4000, 2
	for i := range script.Funcs {
		f := &script.Funcs[i]
		f.Lines, f.Inlines, f.Texts = nil, nil, nil
	}
	stopped := loop()
	stopped.Stopped, stopped.Events[0].Outside, stopped.Events[0].Stopped = 0.914, 12000, 11200
	for _, c := range []struct {
		name string
		a    *record.Asm
		c    Config
		o    Options
	}{
		{"loop", loop(), Config{}, Options{Title: "BenchmarkFind", UTF8: true}},
		{"loop.ascii", loop(), Config{}, Options{Title: "BenchmarkFind"}},
		{"loop.color", loop(), Config{}, Options{UTF8: true, Color: true}},
		{"loop.60", loop(), Config{}, Options{UTF8: true, Width: 60}},
		{"loop.raw.intel", loop(), Config{Counts: Raw, Syntax: Intel}, Options{UTF8: true}},
		{"loop.perop.att", loop(), Config{Counts: PerOp, Syntax: ATT}, Options{UTF8: true}},
		{"loop.func", loop(), Config{Func: regexp.MustCompile("Benchmark")}, Options{UTF8: true}},
		{"loop.nofunc", loop(), Config{Func: regexp.MustCompile("before$")}, Options{UTF8: true}},
		{"loop.cold", loop(), Config{Hot: 1}, Options{UTF8: true}},
		{"flat", flat(), Config{}, Options{UTF8: true}},
		{"flat.cold", flat(), Config{Hot: 0.5}, Options{UTF8: true}},
		{"flat.runtime", flat(), Config{Runtime: true}, Options{UTF8: true}},
		{"loop.big", loop(), Config{TooBig: 5, Top: 1}, Options{UTF8: true}},
		{"hostile", hostile, Config{}, Options{UTF8: true}},
		{"hostile.ascii", hostile, Config{}, Options{}},
		{"events", events, Config{}, Options{UTF8: true}},
		{"events.perop", events, Config{Counts: PerOp}, Options{UTF8: true}},
		{"stopped", stopped, Config{}, Options{UTF8: true}},
		{"script", script, Config{Counts: PerOp}, Options{UTF8: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := textOf(t, mustNew(t, c.a, c.c), c.o)
			checkLines(t, text, max(c.o.Width, termtext.LeastColumns), c.o)
			compareGolden(t, c.name+".txt", []byte(text))
		})
	}
}

// TestGoldenJSON: what programs see of it.
func TestGoldenJSON(t *testing.T) {
	for name, a := range map[string]*record.Asm{"loop.json": loop(), "events.json": twoEvents(), "flat.json": flat()} {
		var b bytes.Buffer
		data, err := json.Marshal(mustNew(t, a, Config{}))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Indent(&b, data, "", " "); err != nil {
			t.Fatal(err)
		}
		compareGolden(t, name, b.Bytes())
	}
}

// twoEvents is the loop with a second event, which has samples elsewhere, too.
func twoEvents() *record.Asm {
	p := newProgram("example.com/m.fill", 0x401000).inc(5, 0).inc(900, 1).inc(95, 60).jump(0x75, 0, 0, 39).ret()
	return asmOf(p.done(2), kernelOf(0, 1200))
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

// checkLines: no line is too wide, has blanks at its end, or characters that a
// terminal may take for commands.
func checkLines(t testing.TB, text string, most int, o Options) {
	t.Helper()
	if o.Width == 0 {
		most = termtext.DefaultColumns
	}
	if o.Color {
		text = escapes.ReplaceAllString(text, "")
	}
	for _, line := range strings.Split(text, "\n") {
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

// TestRecorded: listings of programs that were sampled once. The files hold their code
// and samples, so that neither this toolchain nor a profiler is needed.
func TestRecorded(t *testing.T) {
	files, err := filepath.Glob("testdata/*.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		name := strings.TrimSuffix(filepath.Base(path), ".json.gz")
		t.Run(name, func(t *testing.T) {
			l := mustNew(t, readAsm(t, path), Config{})
			checkSums(t, l)
			o := Options{Title: name, UTF8: true}
			text := textOf(t, l, o)
			checkLines(t, text, termtext.DefaultColumns, o)
			compareGolden(t, name+".txt", []byte(text))
			again(t, readAsm(t, path))
		})
	}
}

// again compares a program with itself: nothing may be more or less.
func again(t *testing.T, a *record.Asm) {
	t.Helper()
	m, err := Compare([]*record.Asm{a}, []*record.Asm{a}, Config{})
	if err != nil {
		t.Fatal(err)
	}
	checkComparison(t, m)
	for _, rows := range [][]compared{m.regions, m.inlined, m.areas} {
		for _, r := range rows {
			if r.d.verdict != stat.Same && r.d.verdict != stat.Undecided || r.d.diff != 0 || r.old != r.new {
				t.Errorf("%s %s differs from itself: %+v", r.name, r.place, r)
			}
		}
	}
}

func readAsm(t testing.TB, path string) *record.Asm {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	var a record.Asm
	if err := json.NewDecoder(z).Decode(&a); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return &a
}
