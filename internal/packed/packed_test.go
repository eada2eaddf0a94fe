package packed

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func files(pairs ...string) fstest.MapFS {
	out := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return out
}

// TestRoundTrip: what was packed is there, by name and by directory, and nothing else.
func TestRoundTrip(t *testing.T) {
	in := files("e.go", "// a\npackage e\n\n//go:noinline\nfunc f() { // b\n\t// c\n}\n", "d/b.js", "b\n\n", "d/a.js", "a -- b\n", "d/a_test.go", "x\n", "c.txt", "")
	in["c.txt"].Data = []byte("c\n")
	data, err := Pack(in, "d/*", "c.txt", "e.go")
	if err != nil {
		t.Fatal(err)
	}
	x := New(data)
	for name, want := range map[string]string{"d/a.js": "a -- b\n", "d/b.js": "b\n\n", "c.txt": "c\n", "e.go": "package e\n\n//go:noinline\nfunc f() { // b\n}\n"} {
		if got, err := x.ReadFile(name); string(got) != want || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if _, err := x.ReadFile("d/a_test.go"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if got := x.In("d"); !slices.Equal(got, []string{"a.js", "b.js"}) {
		t.Error(got)
	}
	if err := x.Stale(in, "d/*", "c.txt", "e.go"); err != nil {
		t.Error(err)
	}
	in["c.txt"].Data = []byte("d\n")
	if err := x.Stale(in, "d/*", "c.txt", "e.go"); err == nil || !strings.Contains(err.Error(), "go generate") {
		t.Error(err)
	}
}

// TestPackRefuses: texts that would not come back as they are.
func TestPackRefuses(t *testing.T) {
	for _, text := range []string{"no end", "a\n-- b --\n", "-- b --\n"} {
		if _, err := Pack(files("f", text), "f"); err == nil {
			t.Errorf("%q was packed", text)
		}
	}
	if _, err := Pack(files("f", "x\n"), "none*"); err == nil {
		t.Error("nothing was packed")
	}
}
