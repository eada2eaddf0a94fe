package compiler

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/record"
)

// TestSources: functions have the names of the linker, closures those of the compiler, and lines those of the file.
func TestSources(t *testing.T) {
	const text = `package m

var v = func() int { return 1 }()

//line other.y:1
func F(
	n int,
) int {
	f := func() {
		g := func() int { return n }
		_ = g
	}
	go func() { f() }()

	// a comment
	return n
}

func (t *T[K]) M() {}
func (t (T[K])) N() { _ = func() {} }
func Generic[X any](x X) {}
func absent()
`
	dir := t.TempDir()
	for name, text := range map[string]string{"a.go": text, "a_test.go": "package m_test\nfunc G() {}\n", "b.go": "package m\nfunc {"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	over := filepath.Join(dir, "in.txt")
	if err := os.WriteFile(over, []byte("package m\n\nfunc Over() {}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	s := &sources{files: map[[2]string][]*function{}, globs: map[string]int{}}
	if err := s.read("m", dir, map[string]string{filepath.Join(dir, "c.go"): over}, func(string, string) bool { return true }); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range s.list {
		got = append(got, fmt.Sprintf("%s.%s %s:%d-%d %v", f.Pkg, f.Name, f.File, f.Line, f.End, f.generic))
		if want := (f.End - f.Line + 1) * record.SourceHash; len(f.Source) != want {
			t.Errorf("%s: %d bytes of hashes, want %d", f.Name, len(f.Source), want)
		}
	}
	want := []string{
		"m.glob..func1 a.go:3-3 false", "m.F a.go:6-17 false", "m.F.func1 a.go:9-12 false", "m.F.func1.1 a.go:10-10 false", "m.F.func2 a.go:13-13 false",
		"m.(*T).M a.go:19-19 true", "m.T.N a.go:20-20 true", "m.T.N.func1 a.go:20-20 true", "m.Generic a.go:21-21 true",
		"m_test.G a_test.go:2-2 false", "m.Over c.go:3-3 false",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	f := s.list[1]
	for k := range f.End - f.Line + 1 {
		hash := string(f.Source[k*record.SourceHash:][:record.SourceHash])
		if code := slices.Contains([]int{3, 4, 5, 6, 7, 10}, k); code == (hash == "\x00\x00\x00\x00") {
			t.Errorf("line +%d of F: has code %v", k, !code)
		}
	}
}

// TestFileTaken: the compiler names its files without directories, so another package's code may take the place of a
// file. That is said.
func TestFileTaken(t *testing.T) {
	dir := t.TempDir()
	for name, file := range map[string]string{"sort.json": "slices/sort.go", "own.json": "m/own.go"} {
		text, err := json.Marshal(map[string]any{"version": 0, "package": "m", "file": file})
		if err != nil {
			t.Fatal(err)
		}
		note := `{"range":{"start":{"line":3,"character":3}},"code":"isInBounds"}`
		if err := os.WriteFile(filepath.Join(dir, name), []byte(string(text)+"\n"+note+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	notes, taken, err := readJSON(dir)
	if err != nil || len(notes) != 1 || notes[0].file != "own.go" || len(taken) != 1 || !taken[[2]string{"m", "sort.go"}] {
		t.Errorf("%v: %+v, %v", err, notes, taken)
	}
	if notes, _, err := readJSON(filepath.Join(dir, "absent")); err != nil || len(notes) > 0 {
		t.Errorf("%+v, %v", notes, err)
	}
}

// TestErrors: what go says is in the error, with the package.
func TestErrors(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.org/bad\n\ngo 1.25\n", "a.go": "package bad\n\nvar x int = \"\"\n", "a_test.go": "package bad\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, x := range []struct{ pkg, want string }{
		{"example.org/bad", "cannot use"},
		{"example.org/absent", "example.org/absent"},
	} {
		_, err := Notes(t.Context(), Site{Dir: dir, Pkg: x.pkg})
		if err == nil || !strings.Contains(err.Error(), x.want) || !strings.Contains(err.Error(), "compiler notes of "+x.pkg) {
			t.Errorf("%s: %v, want %q", x.pkg, err, x.want)
		}
	}
}
