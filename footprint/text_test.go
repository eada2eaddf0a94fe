package footprint

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// reports are figures that follow from nothing, so that the golden files hold on
// every machine.
func reports() map[string]Report {
	full := Report{
		Bytes: 37_740_432, Objects: 4_188, Rounding: 2_094_080, StaticBytes: 1_072, StaticObjects: 12, Inside: 3, Beyond: 24_576, WalkBytes: 878_280,
		Rows: []Row{
			{Type: "map[int]int groups", Objects: 2_043, Bytes: 37_656_576, Rounding: 2_094_080},
			{Type: "map[int]int tables", Objects: 2_044, Bytes: 83_808},
			{Type: "map[int]int", Objects: 1, Bytes: 48},
			{Type: "example.Registry", Objects: 1, Bytes: 1024, Static: true},
			{Type: "string bytes", Objects: 11, Bytes: 48, Static: true},
		},
		NotFollowed: []Gap{
			{"uintptr", "in sync.Map", 2},
			{"variables of the closure", "example.org/a/long/path/to/a/package/that/goes/on/and/on.(*Server).handle.func2", 1},
		},
	}
	many := Report{Bytes: 3000, Objects: 30, NotFollowed: []Gap{}}
	for i := range 30 {
		many.Rows = append(many.Rows, Row{Type: fmt.Sprintf("example.Type%02d", i), Objects: 1, Bytes: 100})
	}
	for i := range 25 {
		many.NotFollowed = append(many.NotFollowed, Gap{"unsafe.Pointer", fmt.Sprintf("in example.Type%02d", i), 1})
	}
	return map[string]Report{"full": full, "many": many, "nothing": Measure()}
}

func TestText(t *testing.T) {
	for name, r := range reports() {
		path := "testdata/" + name + ".txt"
		got := r.String()
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s: go test ./footprint -update rewrites it\n%s", path, got)
		}
		for line := range strings.Lines(got) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > width {
				t.Errorf("%s: a line of %d columns", name, n)
			}
		}
	}
}

func TestWriteTo(t *testing.T) {
	r := reports()["many"]
	var b bytes.Buffer
	n, err := r.WriteTo(&b)
	if err != nil || n != int64(b.Len()) {
		t.Errorf("wrote %d of %d bytes: %v", n, b.Len(), err)
	}
	for _, want := range []string{"example.Type29 ", "in example.Type24 "} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no line for %q", want)
		}
	}
}

func TestJSON(t *testing.T) {
	for name, r := range reports() {
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var back Report
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(back, r) {
			t.Errorf("%s: %s", name, text)
		}
		if strings.Contains(string(text), "null") {
			t.Errorf("%s: lists are never null: %s", name, text)
		}
	}
}

// TestSums: the rows add up to the totals.
func TestSums(t *testing.T) {
	global[2] = &ring{}
	defer func() { global[2] = nil }()
	r := Measure(mapOfInts(1000), chain(100), "constant", &global, []string{fresh("a"), fresh("bc"), strings.Repeat("x", 100)})
	var sum Report
	for _, row := range r.Rows {
		if row.Static {
			sum.StaticBytes += row.Bytes
			sum.StaticObjects += row.Objects
			continue
		}
		sum.Bytes += row.Bytes
		sum.Objects += row.Objects
		sum.Rounding += row.Rounding
	}
	if sum.Bytes != r.Bytes || sum.Objects != r.Objects || sum.Rounding != r.Rounding || sum.StaticBytes != r.StaticBytes || sum.StaticObjects != r.StaticObjects {
		t.Errorf("the rows add up to %+v:\n%s", sum, r)
	}
	if r.Rounding <= 0 || r.Rounding >= r.Bytes {
		t.Errorf("rounding of %d in %d bytes", r.Rounding, r.Bytes)
	}
}

// TestSameNames: types of the same name, from packages of the same name, are
// distinguished.
func TestSameNames(t *testing.T) {
	w := newWalk(layouts(), nil)
	rows := []Row{{}, {}}
	for _, typ := range []reflect.Type{reflect.TypeFor[*ring](), reflect.TypeFor[[]ring]()} {
		w.newKind(kind{label: "footprint.ring", typ: typ})
		rows = append(rows, Row{Objects: 1})
	}
	got := w.rowsWithNames(rows, false)
	if got[0].Type != "*github.com/tarebench/tare/footprint.ring" || got[1].Type != "[]github.com/tarebench/tare/footprint.ring" {
		t.Errorf("names are %q and %q", got[0].Type, got[1].Type)
	}
}
