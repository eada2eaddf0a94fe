package hunks

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/result/why"
)

const changed = `diff --git csv/csv.go csv/csv.go
index 1..2 100644
--- csv/csv.go
+++ csv/csv.go
@@ -20,5 +20,7 @@ type Reader struct {
 
 func (r *Reader) Next() [][]byte {
-	r.fields = r.fields[:0]
+	var fields [][]byte
+	n := 0
+	_ = n
 	for {
 		f := r.field()
@@ -60,3 +62,4 @@ func (r *Reader) field() []byte {
 	a()
+	count(a)
 	b()
 	c()
diff --git "a \303\244.go" "b\t.go"
similarity index 90%
rename from x
rename to y
--- "a \303\244.go"	
+++ "b\t.go"
@@ -1 +1 @@
-x
\ No newline at end of file
+y
diff --git gone.go gone.go
deleted file mode 100644
--- gone.go
+++ /dev/null
@@ -1,2 +0,0 @@
-package m
--- no header but a removed line
Binary files x and y differ
`

func TestParse(t *testing.T) {
	files := Parse(changed)
	if len(files) != 3 {
		t.Fatalf("%d files", len(files))
	}
	if got := files[0].Hunks; len(got) != 2 || got[0].start != [2]int{20, 20} || len(got[0].Lines) != 8 || got[0].Lines[0] != " " || got[1].Header != "@@ -60,3 +62,4 @@ func (r *Reader) field() []byte {" || got[1].File != "csv/csv.go" {
		t.Errorf("%+v", got)
	}
	if got := files[1]; got.Path != [2]string{"a ä.go", "b\t.go"} || !reflect.DeepEqual(got.Hunks[0].Lines, []string{"-x", "+y"}) {
		t.Errorf("%+v", got)
	}
	if got := files[2]; got.Path != [2]string{"gone.go", ""} || got.Hunks[0].File != "gone.go" || len(got.Hunks[0].Lines) != 2 || got.Hunks[0].start != [2]int{1, 1} {
		t.Errorf("%+v", got)
	}
}

func TestOf(t *testing.T) {
	files := append(Parse(changed), Parse(strings.ReplaceAll(changed, "csv/csv.go", "other/csv.go"))[0])
	next, field := "example.org/m/csv.(*Reader).Next", "example.org/m/csv.(*Reader).field"
	at := func(f, file string, old, new int) [2]why.Place {
		return [2]why.Place{{Func: f, File: file, Line: old}, {Func: f, File: file, Line: new}}
	}
	for _, c := range []struct {
		name  string
		cause why.Cause
		want  []int // lines of both sides where the hunks begin
	}{
		{"at the line", why.Cause{Func: next, Place: at(next, "./example.org/m/csv/csv.go", 0, 22)}, []int{20}},
		{"two lines below", why.Cause{Func: next, Place: at(next, "/home/me/m/csv/csv.go", 0, 26)}, []int{20}},
		{"three lines below, and in no function", why.Cause{Func: "example.org/m/csv.New", Place: at("", "csv/csv.go", 0, 27)}, nil},
		{"of the old side", why.Cause{Func: next, Place: at(next, "csv/csv.go", 61, 0)}, []int{60}},
		{"a file without its folder", why.Cause{Func: next, Place: at(next, "csv.go", 22, 22)}, []int{20}},
		{"the nearest first", why.Cause{Func: next, Place: at(next, "csv/csv.go", 24, 63)}, []int{60, 20}},
		{"which of two files is not known", why.Cause{Place: at("", "csv.go", 22, 22)}, nil},
		{"in the function", why.Cause{Func: next + ".func1", Place: at(next, "csv/csv.go", 0, 99)}, []int{20}},
		{"in a function that the text names", why.Cause{Func: "example.org/m/csv.Read", What: "csv.(*Reader).field is no longer inlined into csv.Read"}, []int{60}},
		{"a longer name is another", why.Cause{Func: "example.org/m/csv.Read", What: "csv.(*Reader).fields is slow"}, nil},
		{"another package", why.Cause{Func: "example.org/m/tsv.(*Reader).field", Place: at("", "tsv/csv.go", 62, 62)}, nil},
		{"the standard library", why.Cause{Func: "encoding/csv.(*Reader).Next"}, nil},
		{"a caller in the program of a place outside of it", why.Cause{Func: field, Place: at("bytes.Clone", "bytes/bytes.go", 0, 1388)}, []int{60}},
		{"no place", why.Cause{Kind: why.CauseSettings, What: "GOGC: 100 before, 50 now"}, nil},
	} {
		var got []int
		for _, h := range ofCause(files, &c.cause) {
			var line int
			if _, err := fmt.Sscanf(h.Header, "@@ -%d", &line); err != nil {
				t.Fatal(h.Header, err)
			}
			got = append(got, line)
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: hunks at %v, want %v", c.name, got, c.want)
		}
	}
}

// TestFew: a small change is listed whole, without tests and other packages.
func TestFew(t *testing.T) {
	const one = "diff --git F F\n--- F\n+++ F\n@@ -1 +1 @@\n-a\n+b\n"
	of := func(names ...string) (text string) {
		for _, n := range names {
			text += strings.ReplaceAll(one, "F", n)
		}
		return text
	}
	for text, want := range map[string]int{
		of("csv/a.go"): 1, of("csv/a.go", "csv/b.go"): 2, of("csv/a.go", "csv/b.go", "csv/c.go"): 0,
		of("csv/a.go", "csv/a_test.go", "tsv/b.go", "tsv/c.go"): 1, of("tsv/a.go"): 0, "": 0,
	} {
		if got := few(Parse(text), []string{"example.org/m/csv"}); len(got) != want {
			t.Errorf("%d hunks of %q, want %d", len(got), text, want)
		}
	}
	if got := few(Parse(of("csv/a.go")), nil); got != nil {
		t.Errorf("without a package: %v", got)
	}
}

// TestAround: of a long hunk the lines around the change are shown, and no more than there may be.
func TestAround(t *testing.T) {
	for n := range 40 {
		for at := range n {
			h := Hunk{}
			for i := range n {
				h.Lines = append(h.Lines, " "+string(rune('A'+i)))
			}
			got := h.around(at)
			if len(got.Lines) != min(n, mostLines) || got.Left != n-len(got.Lines) || !strings.Contains(strings.Join(got.Lines, "\n"), h.Lines[at]) {
				t.Fatalf("line %d of %d: %q, %d left out", at, n, got.Lines, got.Left)
			}
		}
	}
}

func TestDeclared(t *testing.T) {
	for line, want := range map[string]string{
		"func F() {":                    "F",
		"func (r *T) M(x int) {":        "(*T).M",
		"func (T) M() {":                "T.M",
		"func (t *T[K, V]) M() {":       "(*T).M",
		"func F[T any](x T) {":          "F",
		"func (größe *Maß) Länge() int": "(*Maß).Länge",
		"\tfunc() {":                    "",
		"func() {":                      "",
		"type F func()":                 "",
	} {
		if got := declared(line); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
	for symbol, want := range map[string][2]string{
		"example.org/m.(*T).M":            {"example.org/m", "(*T).M"},
		"example.org/m.F.func1.2":         {"example.org/m", "F"},
		"example.org/m.(*T[...]).M-fm":    {"example.org/m", "(*T).M"},
		"example.org/m.F[...].gowrap3":    {"example.org/m", "F"},
		"example.org/m.F-range1":          {"example.org/m", "F"},
		"main.main":                       {"main", "main"},
		"memeqbody":                       {"", ""},
		"example.org/m.init.func1":        {"example.org/m", "init"},
		"example.org/m.T.M.deferwrap1":    {"example.org/m", "T.M"},
		"example.org/a/b.F[go.shape.int]": {"example.org/a/b", "F"},
	} {
		pkg, name := nameOf(symbol)
		if [2]string{pkg, name} != want {
			t.Errorf("%s: %q %q, want %q", symbol, pkg, name, want)
		}
	}
}

// FuzzParse: whatever the text is, hunks have as many lines as their head says at most, and the finder returns few of them.
func FuzzParse(f *testing.F) {
	f.Add(changed, "example.org/m/csv.(*Reader).Next", "csv/csv.go", 22)
	f.Add("diff --git a a\n@@ -1,99999999999 +1 @@\n-x\n@@ -0,0 +1 @@ func F() {\n+y", "m.F", "a", 1)
	f.Add("@@ -1 +1 @@\n+x\ndiff \n--- \n+++ \"\\x\n@@ -1 +1 @@\n\n", "", "/", -1)
	f.Fuzz(func(t *testing.T, text, name, file string, line int) {
		files := Parse(text)
		for i := range files {
			for _, h := range files[i].Hunks {
				for _, l := range h.Lines {
					if l == "" || !strings.ContainsRune(" -+", rune(l[0])) || strings.Contains(l, "\n") {
						t.Fatalf("line %q", l)
					}
				}
			}
		}
		p := why.Place{Func: name, File: file, Line: line}
		for _, h := range ofCause(files, &why.Cause{Func: name, What: name, Place: [2]why.Place{p, p}}) {
			if len(h.Lines) > mostLines || len(h.Lines) == 0 {
				t.Fatalf("%d lines", len(h.Lines))
			}
		}
	})
}

// TestParseRandom: hunks that were written are read again.
func TestParseRandom(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	for range 200 {
		var want []string
		old, new := 0, 0
		for range 1 + r.IntN(20) {
			kind := " -+"[r.IntN(3)]
			want = append(want, string(kind)+strings.Repeat(string("-+ @x\\"[r.IntN(6)]), r.IntN(5)))
			if kind != '+' {
				old++
			}
			if kind != '-' {
				new++
			}
		}
		text := "diff --git a.go a.go\n--- a.go\n+++ a.go\n" + head(old, new) + "\n" + strings.Join(want, "\n") + "\ndiff --git b.go b.go\n"
		files := Parse(text)
		if len(files) != 2 || len(files[0].Hunks) != 1 || !reflect.DeepEqual(files[0].Hunks[0].Lines, want) {
			t.Fatalf("seed %d: %q became %+v", seed, text, files)
		}
	}
}
