package compiled_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/result/compiled"
	"github.com/tarebench/tare/record"
)

// generator makes random packages.
type generator struct{ *rand.Rand }

var kinds = []string{record.NoteInlined, record.NoteEscape, record.NoteBounds, record.NoteSliceBounds, record.NoteLeak, record.NoteCallKept}

// pkg returns a package of functions with closures, each with lines of its own and notes on them.
func (g generator) pkg() *record.Compiled {
	c := &record.Compiled{Go: "go1.26", Packages: []string{"m"}}
	line := 10
	for i := range 2 + g.IntN(8) {
		name := fmt.Sprintf("F%d", i)
		if i%3 == 2 {
			name = fmt.Sprintf("(*T).F%d", i)
		}
		line = g.function(c, name, line)
		for k := range g.IntN(3) {
			line = g.function(c, fmt.Sprintf("%s.func%d", name, k+1), line)
			if g.IntN(3) == 0 {
				line = g.function(c, fmt.Sprintf("%s.func%d.1", name, k+1), line)
			}
		}
	}
	return c
}

func (g generator) function(c *record.Compiled, name string, line int) int {
	n := 4 + g.IntN(12)
	f := record.CompiledFunction{Pkg: "m", Name: name, File: "m.go", Line: line, End: line + n, Size: 10 + g.IntN(500), Frame: 8 * g.IntN(20), Copies: 1, Reached: true}
	f.Source = make([]byte, (n+1)*record.SourceHash)
	for k := 1; k < n; k++ {
		binary.LittleEndian.PutUint32(f.Source[k*record.SourceHash:], 1+g.Uint32N(1<<30))
	}
	can := record.CompilerNote{Kind: record.NoteInlinable, Line: line, Cost: g.IntN(80)}
	if g.IntN(2) == 0 {
		can = record.CompilerNote{Kind: record.NoteNotInlinable, Line: line, Text: "function too complex", Cost: 81 + g.IntN(80), Budget: 80}
	}
	f.Notes = append(f.Notes, can)
	for range g.IntN(8) {
		f.Notes = append(f.Notes, record.CompilerNote{Kind: kinds[g.IntN(len(kinds))], Line: line + 1 + g.IntN(n-1), Text: fmt.Sprintf("text %d", g.IntN(3))})
	}
	c.Functions = append(c.Functions, f)
	return f.End + 2
}

// clone copies a package as a record does.
func clone(t *testing.T, c *record.Compiled) *record.Compiled {
	t.Helper()
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	out := new(record.Compiled)
	if err := json.Unmarshal(text, out); err != nil {
		t.Fatal(err)
	}
	return out
}

// move puts all functions elsewhere: that is no change of any.
func (g generator) move(c *record.Compiled) {
	g.Shuffle(len(c.Functions), func(i, j int) { c.Functions[i], c.Functions[j] = c.Functions[j], c.Functions[i] })
	for i := range c.Functions {
		f := &c.Functions[i]
		by := g.IntN(100)
		f.Line, f.End = f.Line+by, f.End+by
		for k := range f.Notes {
			f.Notes[k].Line += by
		}
	}
}

// insert adds a line without notes to a function.
func (g generator) insert(f *record.CompiledFunction) {
	at := 1 + g.IntN(f.End-f.Line)
	var hash [record.SourceHash]byte
	binary.LittleEndian.PutUint32(hash[:], 1<<31+g.Uint32N(1<<30))
	f.Source = slices.Insert(f.Source, at*record.SourceHash, hash[:]...)
	f.End++
	for k := range f.Notes {
		if f.Notes[k].Line >= f.Line+at {
			f.Notes[k].Line++
		}
	}
}

func seeded(t *testing.T) (generator, uint64) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return generator{rand.New(rand.NewPCG(seed, 1))}, seed
}

const rounds = 300

// TestNothing: what was moved, renumbered, or has lines without notes more, does not differ.
func TestNothing(t *testing.T) {
	g, _ := seeded(t)
	for range rounds {
		old := g.pkg()
		new := clone(t, old)
		for i := range new.Functions {
			if g.IntN(2) == 0 {
				g.insert(&new.Functions[i])
			}
		}
		g.move(new)
		if d := compiled.Diff(old, new, compiled.Options{}); len(d.Functions)+len(d.Settings) > 0 {
			t.Fatalf("%+v\n%s", d, text(t, d))
		}
	}
}

func text(t *testing.T, d *compiled.Difference) string {
	out, err := json.MarshalIndent(d, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestRenumbered: a closure before another one changes its number and nothing else.
func TestRenumbered(t *testing.T) {
	g, _ := seeded(t)
	for range rounds {
		old := g.pkg()
		i := slices.IndexFunc(old.Functions, func(f record.CompiledFunction) bool { return strings.HasSuffix(f.Name, ".func1") })
		if i < 0 {
			continue
		}
		outer := strings.TrimSuffix(old.Functions[i].Name, ".func1")
		new := clone(t, old)
		for k := range new.Functions {
			f := &new.Functions[k]
			for n := 8; n > 0; n-- {
				if rest, ok := strings.CutPrefix(f.Name, fmt.Sprintf("%s.func%d", outer, n)); ok {
					f.Name = fmt.Sprintf("%s.func%d%s", outer, n+1, rest)
					break
				}
			}
		}
		g.function(new, outer+".func1", 5000)
		g.move(new)
		d := compiled.Diff(old, new, compiled.Options{})
		if len(d.Functions) != 1 || d.Functions[0].Old != nil || d.Functions[0].New.Name != outer+".func1" {
			t.Fatalf("a closure before those of %s: %s", outer, text(t, d))
		}
	}
}

// TestRenamed: a function with another name is the same, and so are the calls of it that are inlined, and its closures.
func TestRenamed(t *testing.T) {
	g, _ := seeded(t)
	for range rounds {
		old := g.pkg()
		caller := record.CompilerNote{Kind: record.NoteInlined, Line: old.Functions[0].Line + 1, Text: "F1"}
		old.Functions[0].Notes = append(old.Functions[0].Notes, caller)
		new := clone(t, old)
		for k := range new.Functions {
			f := &new.Functions[k]
			if f.Name == "F1" || strings.HasPrefix(f.Name, "F1.") {
				f.Name = "Renamed" + f.Name[2:]
			}
			for n := range f.Notes {
				if f.Notes[n].Text == "F1" {
					f.Notes[n].Text = "Renamed"
				}
			}
		}
		g.move(new)
		if d := compiled.Diff(old, new, compiled.Options{}); len(d.Functions) > 0 {
			t.Fatal(text(t, d))
		}
	}
}

// TestOneChange: one note more or less is one change, at its line, and the other way round the opposite one.
func TestOneChange(t *testing.T) {
	g, _ := seeded(t)
	for range rounds {
		old := g.pkg()
		new := clone(t, old)
		f := &new.Functions[g.IntN(len(new.Functions))]
		line := f.Line + 1 + g.IntN(f.End-f.Line-1)
		added := record.CompilerNote{Kind: kinds[g.IntN(len(kinds))], Line: line, Text: fmt.Sprintf("text %d", g.IntN(3))}
		name, offset := f.Name, line-f.Line
		f.Notes = append(f.Notes, added)
		g.move(new)
		d := compiled.Diff(old, new, compiled.Options{})
		if len(d.Functions) != 1 || len(d.Functions[0].Changes) != 1 {
			t.Fatal(text(t, d))
		}
		x := &d.Functions[0]
		if c := x.Changes[0]; x.New.Name != name || c.Old != nil || c.New == nil || c.Kind != added.Kind || c.New.Text != added.Text || c.New.Line-x.New.Line != offset {
			t.Fatalf("%s in %s at +%d: %s", added.Kind, name, offset, text(t, d))
		}
		back := compiled.Diff(new, old, compiled.Options{})
		if len(back.Functions) != 1 || len(back.Functions[0].Changes) != 1 || back.Functions[0].Changes[0].New != nil {
			t.Fatal(text(t, back))
		}
	}
}

// TestInlinable: a function that could be inlined and cannot any more is one change; another cost is none.
func TestInlinable(t *testing.T) {
	can := func(cost int) record.CompilerNote {
		return record.CompilerNote{Kind: record.NoteInlinable, Line: 1, Cost: cost}
	}
	cannot := func(why string, cost int) record.CompilerNote {
		return record.CompilerNote{Kind: record.NoteNotInlinable, Line: 1, Text: why, Cost: cost, Budget: 80}
	}
	of := func(n record.CompilerNote) *record.Compiled {
		return &record.Compiled{Functions: []record.CompiledFunction{{Pkg: "m", Name: "F", File: "m.go", Line: 1, End: 3, Notes: []record.CompilerNote{n}}}}
	}
	for _, x := range []struct {
		old, new record.CompilerNote
		want     int
	}{
		{can(10), can(70), 0},
		{cannot("too complex", 81), record.CompilerNote{Kind: record.NoteLeak, Line: 1}, 0}, // as with -l
		{can(10), cannot("too complex: cost 81", 81), 1},
		{cannot("too complex: cost 81", 81), can(79), 1},
		{cannot("too complex: cost 81", 81), cannot("too complex: cost 90", 90), 0},
	} {
		d := compiled.Diff(of(x.old), of(x.new), compiled.Options{})
		d.Functions = slices.DeleteFunc(d.Functions, func(f compiled.Function) bool { return f.Changes[0].Kind == record.NoteLeak })
		if len(d.Functions) != x.want {
			t.Errorf("%+v, %+v: %s", x.old, x.new, text(t, d))
		}
		for _, f := range d.Functions {
			if c := f.Changes[0]; len(f.Changes) != 1 || c.Kind != record.NoteInlinable || c.Old == nil || c.New == nil {
				t.Errorf("%+v, %+v: %s", x.old, x.new, text(t, d))
			}
		}
	}
}

// TestPartial: of a function whose notes were overwritten on one side, only the others are compared.
func TestPartial(t *testing.T) {
	g, _ := seeded(t)
	for range rounds {
		old := g.pkg()
		new := clone(t, old)
		for i := range new.Functions {
			f := &new.Functions[i]
			f.Partial = true
			f.Notes = slices.DeleteFunc(f.Notes, func(n record.CompilerNote) bool {
				return n.Kind == record.NoteEscape || n.Kind == record.NoteBounds || n.Kind == record.NoteSliceBounds || n.Kind == record.NoteCallKept
			})
		}
		if d := compiled.Diff(old, new, compiled.Options{}); len(d.Functions) > 0 {
			t.Fatal(text(t, d))
		}
	}
}

func TestSettings(t *testing.T) {
	old := &record.Compiled{Go: "go1.25", Build: map[string]string{"GOAMD64": "v1"}, Deps: map[string]string{"a": "v1", "b": "v1", "c": "v1"}}
	new := &record.Compiled{Go: "go1.26", Build: map[string]string{"GOAMD64": "v3", "-gcflags": "-l"}, Deps: map[string]string{"a": "v1", "b": "v2", "d": "v1"}}
	want := []compiled.Setting{{Name: "go", Old: "go1.25", New: "go1.26"}, {Name: "-gcflags", New: "-l"}, {Name: "GOAMD64", Old: "v1", New: "v3"}, {Name: "b", Old: "v1", New: "v2"}, {Name: "c", Old: "v1"}, {Name: "d", New: "v1"}}
	if got := compiled.Diff(old, new, compiled.Options{}).Settings; !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestExecutedCopies: a note on inlined code counts where its copy ran, and type arguments do not count.
func TestExecutedCopies(t *testing.T) {
	f := &record.CompiledFunction{Pkg: "gopkg.in/m.v1", Name: "F", File: "m.go", Line: 10, End: 20}
	inlined := &record.CompilerNote{Kind: record.NoteBounds, Line: 12, Inlined: []record.CompilerPlace{{File: "a.go", Line: 3}, {File: "b.go", Line: 7}}}
	own := &record.CompilerNote{Kind: record.NoteBounds, Line: 12}
	whole := &record.CompilerNote{Kind: record.NoteInlinable, Line: 10}
	call := &record.CompilerNote{Kind: record.NoteInlined, Line: 13, Text: "g"}
	const symbol = "gopkg.in/m%2ev1.F[go.shape.int]"
	for _, x := range []struct {
		what   string
		symbol string
		file   string
		line   int
		want   [4]bool // inlined, own, whole, call
	}{
		{"the innermost line", symbol, "/src/b.go", 7, [4]bool{true, false, true, true}},
		{"the line of the call", symbol, `C:\src\m.go`, 12, [4]bool{false, true, true, true}},
		{"in another function", "main.main", "m.go", 12, [4]bool{false, false, true, false}},
		{"another file", "main.main", "x.go", 12, [4]bool{}},
	} {
		e := &compiled.Executed{}
		e.Add(x.symbol, x.file, x.line)
		if got := [4]bool{e.Has(f, inlined), e.Has(f, own), e.Has(f, whole), e.Has(f, call)}; got != x.want {
			t.Errorf("%s: %v, want %v", x.what, got, x.want)
		}
	}
	if none := (*compiled.Executed)(nil); !none.Has(f, own) {
		t.Error("without knowledge a note does not count")
	}
}
