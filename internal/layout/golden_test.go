package layout

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// load measures types of testdata/src/ring for a machine of its own, so that the
// golden files hold everywhere.
func load(t *testing.T, arch string, o Options, names ...string) []*Struct {
	t.Helper()
	q := Query{Dir: "testdata/src", Packages: []string{"./ring"}, Arch: arch}
	for _, n := range names {
		q.Types = append(q.Types, Want{Type: n})
	}
	found, err := Load(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	var all []*Struct
	for _, n := range found.Structs {
		all = append(all, Measure(n, o))
	}
	return all
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s: is not as it was; go test ./internal/layout -update rewrites it:\n%s", path, got)
	}
}

var everything = []string{"SPSC", "Loose", "Counters", "Guarded", "Ring[time.Time]", "pairOf[string, [2]*Loose]", "Padded", "Big", "Empty", "Alias", "Waiting"}

func TestText(t *testing.T) {
	if WordSize("amd64") != hostWord {
		t.Skip("the size of blocks is known for 64-bit machines only on one")
	}
	all := load(t, "amd64", Options{Apart: true}, everything...)
	for _, c := range []struct {
		name string
		o    TextOptions
	}{
		{"all.txt", TextOptions{UTF8: true}},
		{"all.ascii.txt", TextOptions{}},
		{"all.60.txt", TextOptions{UTF8: true, Width: 60}},
	} {
		var b bytes.Buffer
		if err := WriteText(&b, all, c.o); err != nil {
			t.Fatal(err)
		}
		golden(t, c.name, b.Bytes())
		checkLines(t, c.name, b.String(), c.o)
	}
	list := append([]*Struct(nil), all...)
	SortByWaste(list)
	for _, c := range []struct {
		name string
		o    TextOptions
	}{{"list.txt", TextOptions{UTF8: true}}, {"list.ascii.txt", TextOptions{Width: 80}}} {
		var b bytes.Buffer
		if err := WriteList(&b, list, c.o); err != nil {
			t.Fatal(err)
		}
		golden(t, c.name, b.Bytes())
		checkLines(t, c.name, b.String(), c.o)
	}
}

func checkLines(t *testing.T, name, text string, o TextOptions) {
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if n := utf8.RuneCountInString(line); n > max(o.width(), headWidth) {
			t.Errorf("%s: %d columns: %s", name, n, line)
		}
		if !o.UTF8 && len(line) != utf8.RuneCountInString(line) {
			t.Errorf("%s: not ASCII: %s", name, line)
		}
		if strings.TrimRight(line, " ") != line {
			t.Errorf("%s: blanks at the end: %q", name, line)
		}
	}
}

// Test128 has pairs of lines, and a 32-bit machine.
func Test128(t *testing.T) {
	var b bytes.Buffer
	if err := WriteText(&b, load(t, "386", Options{Line: 128, Apart: true}, "SPSC", "Counters"), TextOptions{UTF8: true}); err != nil {
		t.Fatal(err)
	}
	if hostWord == 8 {
		golden(t, "386.txt", b.Bytes())
	}
}

func TestSVG(t *testing.T) {
	all := load(t, "amd64", Options{Apart: true}, everything...)
	var b, again bytes.Buffer
	if err := WriteSVG(&b, all); err != nil {
		t.Fatal(err)
	}
	golden(t, "all.svg", b.Bytes())
	if err := WriteSVG(&again, load(t, "amd64", Options{Apart: true}, everything...)); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Error("two pictures of the same differ")
	}
	checkXML(t, b.Bytes())
}

func TestJSON(t *testing.T) {
	if WordSize("amd64") != hostWord {
		t.Skip("the size of blocks is known for 64-bit machines only on one")
	}
	text, err := json.MarshalIndent(load(t, "amd64", Options{Apart: true}, "SPSC", "Guarded", "Empty"), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "some.json", append(text, '\n'))
	if bytes.Contains(text, []byte("null")) {
		t.Error("lists are never null")
	}
}
