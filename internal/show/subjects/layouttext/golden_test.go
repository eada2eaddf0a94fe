package layouttext

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"math/bits"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/binary/layout"
	"github.com/tarebench/tare/internal/golang/structs"
	"github.com/tarebench/tare/internal/show/textpage"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// load measures types of testdata/src/ring for a machine of its own, so that the
// golden files hold everywhere.
func load(t *testing.T, arch string, line int64, separate bool, names ...string) []*layout.Struct {
	t.Helper()
	q := structs.Query{Dir: "../../../golang/structs/testdata/src", Packages: []string{"./ring"}, Arch: arch}
	for _, n := range names {
		q.Types = append(q.Types, structs.Want{Type: n})
	}
	found, err := structs.Load(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	var all []*layout.Struct
	for _, n := range found.Structs {
		all = append(all, layout.Measure(n, line, separate))
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
		t.Errorf("%s: is not as it was; go test ./internal/show/subjects/layouttext -update rewrites it:\n%s", path, got)
	}
}

var everything = []string{"SPSC", "Loose", "Counters", "Guarded", "Ring[time.Time]", "pairOf[string, [2]*Loose]", "Padded", "Big", "Empty", "Alias", "Waiting"}

func TestText(t *testing.T) {
	if layout.WordSize("amd64") != bits.UintSize/8 {
		t.Skip("the size of blocks is known for 64-bit machines only on one")
	}
	all := load(t, "amd64", 64, true, everything...)
	for _, c := range []struct {
		name string
		o    textpage.Options
	}{
		{"all.txt", textpage.Options{UTF8: true}},
		{"all.ascii.txt", textpage.Options{}},
		{"all.60.txt", textpage.Options{UTF8: true, Width: 60}},
	} {
		var b bytes.Buffer
		if err := Text(&b, all, c.o); err != nil {
			t.Fatal(err)
		}
		golden(t, c.name, b.Bytes())
		checkLines(t, c.name, b.String(), c.o)
	}
	list := append([]*layout.Struct(nil), all...)
	layout.SortByWaste(list)
	for _, c := range []struct {
		name string
		o    textpage.Options
	}{{"list.txt", textpage.Options{UTF8: true}}, {"list.ascii.txt", textpage.Options{Width: 80}}} {
		var b bytes.Buffer
		if err := List(&b, list, c.o); err != nil {
			t.Fatal(err)
		}
		golden(t, c.name, b.Bytes())
		checkLines(t, c.name, b.String(), c.o)
	}
}

func checkLines(t *testing.T, name, text string, o textpage.Options) {
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if n := utf8.RuneCountInString(line); n > max(termtext.Columns(o.Width), headWidth) {
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
	if err := Text(&b, load(t, "386", 128, true, "SPSC", "Counters"), textpage.Options{UTF8: true}); err != nil {
		t.Fatal(err)
	}
	if bits.UintSize/8 == 8 {
		golden(t, "386.txt", b.Bytes())
	}
}

func TestSVG(t *testing.T) {
	all := load(t, "amd64", 64, true, everything...)
	var b, again bytes.Buffer
	if err := SVG(&b, all); err != nil {
		t.Fatal(err)
	}
	golden(t, "all.svg", b.Bytes())
	if err := SVG(&again, load(t, "amd64", 64, true, everything...)); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Error("two pictures of the same differ")
	}
	checkXML(t, b.Bytes())
}

func TestJSON(t *testing.T) {
	if layout.WordSize("amd64") != bits.UintSize/8 {
		t.Skip("the size of blocks is known for 64-bit machines only on one")
	}
	text, err := json.MarshalIndent(load(t, "amd64", 64, true, "SPSC", "Guarded", "Empty"), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "some.json", append(text, '\n'))
	if bytes.Contains(text, []byte("null")) {
		t.Error("lists are never null")
	}
}

func checkXML(t *testing.T, text []byte) {
	d := xml.NewDecoder(bytes.NewReader(text))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
