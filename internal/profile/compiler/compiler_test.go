package compiler_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tarebench/tare/internal/profile/compiler"
	"github.com/tarebench/tare/internal/result/compiled"
	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/record"
)

const subjects = "example.org/subjects"

// notesOf compiles a version of the subjects once.
func notesOf(t *testing.T, version string) *record.Compiled {
	t.Helper()
	of := known[version]
	of.once.Do(func() {
		of.notes, of.err = compiler.Notes(t.Context(), compiler.Site{Dir: "testdata/" + version, Pkg: subjects, Benchmarks: []string{"BenchmarkAll"}})
	})
	if of.err != nil {
		t.Fatal(of.err)
	}
	return of.notes
}

type version struct {
	once  sync.Once
	notes *record.Compiled
	err   error
}

var known = map[string]*version{"old": {}, "new": {}}

func function(t *testing.T, c *record.Compiled, name string) *record.CompiledFunction {
	t.Helper()
	for i := range c.Functions {
		if c.Functions[i].Name == name {
			return &c.Functions[i]
		}
	}
	t.Fatalf("no function %s", name)
	return nil
}

// notes writes the notes of a kind: "line offset: text", and the line of inlined code.
func notes(f *record.CompiledFunction, kind string) (out []string) {
	for _, n := range f.Notes {
		if n.Kind != kind {
			continue
		}
		text := strings.TrimSpace(fmt.Sprintf("+%d %s", n.Line-f.Line, n.Text))
		for _, at := range n.Inlined {
			text += fmt.Sprintf(" in %s:%d", at.File, at.Line)
		}
		out = append(out, text)
	}
	return out
}

// TestNotes: each kind of note is at the function and the line that it is about.
func TestNotes(t *testing.T) {
	c := notesOf(t, "old")
	pick := function(t, c, "pick").Line
	for _, x := range []struct {
		function, kind string
		want           []string
	}{
		{"mix", record.NoteInlinable, []string{"+0"}},
		{"moved", record.NoteNotInlinable, []string{"+0 marked go:noinline"}},
		{"total", record.NoteInlined, []string{"+2 mix"}},
		{"same", record.NoteEscape, []string{"+1 &vector{...} escapes to heap"}},
		{"adder", record.NoteEscape, []string{"+0 func literal escapes to heap"}},
		{"adder.func1", record.NoteEscape, nil},
		{"firstEight", record.NoteBounds, slices.Repeat([]string{"+1"}, 4)},
		{"lastOf", record.NoteBounds, nil},
		{"window", record.NoteSliceBounds, []string{"+1"}},
		{"picked", record.NoteBounds, []string{fmt.Sprintf("+0 in subjects.go:%d", pick)}},
		{"apply.func1", record.NoteBounds, []string{"+2"}},
		{"BenchmarkAll", record.NoteLeak, []string{"+0 leaking param: b"}},
		{"BenchmarkAll", record.NoteInlined, []string{"+2 testing.(*B).Loop", "+3 mix", "+6 adder"}},
	} {
		if got := notes(function(t, c, x.function), x.kind); !slices.Equal(got, x.want) {
			t.Errorf("%s of %s: %q, want %q", x.kind, x.function, got, x.want)
		}
	}
	if n := function(t, c, "mix").Notes[0]; n.Cost < 60 || n.Cost > 80 {
		t.Errorf("cost of mix: %d", n.Cost)
	}
	if n := function(t, c, "biggest").Notes[0]; n.Cost <= n.Budget || n.Budget != 80 {
		t.Errorf("cost of biggest: %d, budget %d", n.Cost, n.Budget)
	}
	for _, n := range function(t, c, "same").Notes {
		if n.Kind == record.NoteEscape && !slices.ContainsFunc(n.Why, func(s string) bool { return strings.Contains(s, "kept = p (assign) (subjects.go:") }) {
			t.Errorf("why it escapes: %q", n.Why)
		}
	}
	if err := c.Validate(); err != nil {
		t.Error(err)
	}
}

// TestFigures: sizes, frames and what benchmarks reach come from the binary.
func TestFigures(t *testing.T) {
	c := notesOf(t, "old")
	for _, x := range []struct {
		function string
		copies   int
		reached  bool
		frame    int // at least
	}{
		{"frames", 1, true, 64},
		{"mix", 0, true, 0},
		{"apply.func1", 1, true, 0},
		{"maxOf", 1, true, 0},
		{"Tree.depth", 1, true, 8},
		{"otherOnly", 1, false, 0},
		{"BenchmarkOther", 1, false, 8},
	} {
		f := function(t, c, x.function)
		if f.Copies != x.copies || f.Reached != x.reached || f.Frame < x.frame || (f.Size > 0) != (x.copies > 0) {
			t.Errorf("%s: %d copies of %d bytes, frame of %d, reached: %v", f.Name, f.Copies, f.Size, f.Frame, f.Reached)
		}
	}
	if c.Build["GOARCH"] == "" || c.Build["-gcflags"] != "" {
		t.Errorf("%v", c.Build)
	}
	if c.Go == "" || !slices.Equal(c.Packages, []string{subjects}) {
		t.Errorf("%q, %q", c.Go, c.Packages)
	}
}

// changed writes the changes of a function: the kind, and whether notes were lost (-), gained (+) or changed (=).
func changed(f *compiled.Function) (out []string) {
	for _, c := range f.Changes {
		sign := "="
		switch {
		case c.Kind == compiled.KindSize || c.Kind == compiled.KindFrame:
			if sign = "+"; c.NewBytes < c.OldBytes {
				sign = "-"
			}
		case c.New == nil:
			sign = "-"
		case c.Old == nil:
			sign = "+"
		}
		out = append(out, sign+c.Kind)
	}
	return out
}

// TestDiff: of each function of the subjects, what differs between its versions is found, and nothing else.
func TestDiff(t *testing.T) {
	old, new := notesOf(t, "old"), notesOf(t, "new")
	want := map[string][]string{
		"mix":          {"=inlinable"},
		"total":        {"=inlinable", "-inlined"}, // without mix in it, it can be inlined itself
		"point":        {"+escape", "-frame"},
		"firstEight":   {"-bounds-check", "-bounds-check", "-bounds-check", "-bounds-check", "+slice-check"},
		"lastOf":       {"+bounds-check", "+frame"},
		"window":       {"-slice-check", "-frame"},
		"frames":       {"+frame"},
		"apply":        {"+slice-check", "+frame"},
		"maxOf":        {"+bounds-check", "+frame"},
		"otherOnly":    {"+bounds-check", "+frame"},
		"keep":         {"+leak", "+frame"},
		"BenchmarkAll": {"-inlined", "+inlined"},
	}
	d := compiled.Diff(old, new, compiled.Options{})
	for i := range d.Functions {
		f := &d.Functions[i]
		if f.Old == nil || f.New == nil {
			if f.Old != nil || f.New.Name != "apply.func1" {
				t.Errorf("%s is on one side only", f.Either().Name)
			}
			continue
		}
		// How large code is, and a frame where that is not the subject, depends on the processor and the compiler.
		drop := func(s string) bool {
			return s[1:] == compiled.KindSize || f.New.Name != "frames" && s[1:] == compiled.KindFrame
		}
		got := slices.DeleteFunc(changed(f), drop)
		if expected := slices.DeleteFunc(slices.Clone(want[f.New.Name]), drop); !slices.Equal(got, expected) {
			t.Errorf("%s: %q, want %q", f.New.Name, got, expected)
		}
		delete(want, f.New.Name)
	}
	for name := range want {
		t.Errorf("%s: no difference", name)
	}
}

// TestExecuted: a note counts if its copy of the code was executed.
func TestExecuted(t *testing.T) {
	old, new := notesOf(t, "old"), notesOf(t, "new")
	lastOf := function(t, new, "lastOf")
	executed := func(symbol, file string, line int) *compiled.Executed {
		e := &compiled.Executed{}
		e.Add(symbol, file, line)
		return e
	}
	for _, x := range []struct {
		what string
		new  *compiled.Executed
		want int
	}{
		{"the line itself", executed(subjects+".lastOf", "/x/subjects.go", lastOf.Line+4), 1},
		{"another line of it", executed(subjects+".lastOf", "subjects.go", lastOf.Line+1), 0},
		{"a copy in another function", executed(subjects+".total", "subjects.go", lastOf.Line+4), 0},
	} {
		d := compiled.Diff(old, new, compiled.Options{Old: &compiled.Executed{}, New: x.new})
		got := 0
		for _, f := range d.Functions {
			for _, c := range f.Changes {
				if f.New.Name == "lastOf" && c.Kind == record.NoteBounds {
					got++
				}
			}
			if f.New == nil || f.New.Name == "otherOnly" {
				t.Errorf("%s: %s is listed", x.what, f.Either().Name)
			}
		}
		if got != x.want {
			t.Errorf("%s: %d checks, want %d", x.what, got, x.want)
		}
	}
}

// TestUnchanged: a package that is compiled again has no difference, also after its record was written and read.
func TestUnchanged(t *testing.T) {
	a := notesOf(t, "new")
	b, err := compiler.Notes(t.Context(), compiler.Site{Dir: "testdata/new", Pkg: subjects, Benchmarks: []string{"BenchmarkAll"}})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	read := new(record.Compiled)
	if err := json.Unmarshal(text, read); err != nil {
		t.Fatal(err)
	}
	if d := compiled.Diff(a, read, compiled.Options{}); len(d.Functions)+len(d.Settings) > 0 {
		t.Errorf("%+v", d)
	}
}

// TestStandardLibrary: encoding/json has notes and differs in nothing from itself.
func TestStandardLibrary(t *testing.T) {
	if !testutil.Long() {
		t.Skip("it compiles encoding/json twice; set TARE_LONG=1")
	}
	var sides [2]*record.Compiled
	var errs [2]error
	var wg sync.WaitGroup
	for i := range sides {
		wg.Go(func() { sides[i], errs[i] = compiler.Notes(t.Context(), compiler.Site{Pkg: "encoding/json"}) })
	}
	wg.Wait()
	for i, err := range errs {
		if err != nil {
			t.Fatal(i, err)
		}
	}
	notes := 0
	for _, f := range sides[0].Functions {
		notes += len(f.Notes)
	}
	if notes < 2000 {
		t.Errorf("%d notes", notes)
	}
	if d := compiled.Diff(sides[0], sides[1], compiled.Options{}); len(d.Functions)+len(d.Settings) > 0 {
		t.Errorf("%+v", d)
	}
}
