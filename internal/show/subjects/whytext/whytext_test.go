package whytext

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/measure/hunks"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/why"
	"github.com/tarebench/tare/internal/show/textpage"
	"github.com/tarebench/tare/stat"
)

var update = flag.Bool("update", false, "write the golden files")

const diff = `diff --git toml/lex.go toml/lex.go
--- toml/lex.go
+++ toml/lex.go
@@ -210,3 +217,4 @@ func lexText(l *lexer) {
 	for l.more() {
-		emit(l.next())
+		item := l.next()
+		emit(item, l.where())
 	}
@@ -300,14 +308,2 @@ func lexNumber() {
 	a()
-	removed(1)
-	removed(2)
-	removed(3)
-	removed(4)
-	removed(5)
-	removed(6)
-	removed(7)
-	removed(8)
-	removed(9)
-	removed(10)
-	removed(11)
-	removed(12)
 	b()
`

// slower returns a row with causes of many kinds.
func slower() Row {
	c := &result.Comparison{Pkg: "example.com/toml", Name: "Decode/large", Base: "old", Side: "new", Unit: "ns/op", Old: 2.4e5, New: 2.91e5, Ratio: 1.21, Lo: 1.19, Hi: 1.24, Verdict: "slower", Trusted: true}
	r := Row{Comparison: c, Title: c.Name, Missing: []string{"sched"}, Next: "tare bench --prof asm"}
	r.Answer = why.Answer{Basis: why.OfTime, Rest: why.Share{Value: 0.14, Lo: 0.04, Hi: 0.24}, Causes: []why.Cause{
		{What: "toml.emit is no longer inlined into toml.lexText", Exact: true, Share: why.Share{Value: 0.64, Lo: 0.55, Hi: 0.73}, Place: [2]why.Place{{File: "/m/lex.go", Line: 212}, {File: "/m/lex.go", Line: 219}}, Evidence: []string{"cost 84 exceeds budget 80", "+1.8e+04 instructions/op"}},
		{Kind: why.CauseWait, What: "more waiting for a lock, in toml.get", Share: why.Share{Value: math.NaN(), Lo: 0, Hi: 1}},
		{What: "toml.x takes more time for as many instructions", Where: true, Share: why.Share{Value: 0.05, Lo: 0.05, Hi: 0.05}},
		{Kind: why.CauseSettings, What: "GOGC: 100 before, 50 now", Exact: true, Joint: true, Share: why.Share{Value: -0.2, Lo: -0.3, Hi: -0.1}},
	}}
	var parts []why.Hunk
	for _, h := range hunks.Parse(diff)[0].Hunks {
		parts = append(parts, h.Hunk)
	}
	parts[1].Lines, parts[1].Left = parts[1].Lines[:12], 2
	r.Hunks = [][]why.Hunk{parts[:1], parts, nil, nil}
	return r
}

// distrusted returns a row whose ratio is not that of the values, and whose verdict is not trusted.
func distrusted() Row {
	r := slower()
	c := *r.Comparison
	r.Comparison, c.Trusted, c.New, c.By, c.Undisturbed = &c, false, 3.1e5, stat.ByUndisturbed, &result.Shift{}
	r.distrust = []string{"others had the processors for 12 % of the time"}
	r.Answer, r.Hunks, r.Missing, r.Next = why.Answer{Rest: why.Share{Value: 1, Lo: 1, Hi: 1}}, nil, nil, ""
	return r
}

// hostile returns a row in which every text is evil.
func hostile() Row {
	const evil = "</details><script>|`*_[x](y)@me #1 ```\x1b[31m\u202e\t~"
	c := &result.Comparison{Pkg: evil, Name: evil, Base: evil, Side: evil, Unit: evil, Verdict: evil, Ratio: result.Number(math.NaN()), Lo: result.Number(math.Inf(-1)), Hi: result.Number(math.Inf(1))}
	p := why.Place{Func: evil, File: evil, Line: 3}
	r := Row{Comparison: c, Title: evil, Missing: []string{evil}, Next: evil, distrust: []string{evil}}
	r.Answer = why.Answer{Basis: why.OfTime, Notes: []string{evil}, Rest: why.Share{Value: math.NaN()}, Causes: []why.Cause{{Kind: evil, What: evil, Evidence: []string{evil}, Place: [2]why.Place{p, p}, Share: why.Share{Value: math.Inf(1)}}}}
	r.Hunks = [][]why.Hunk{{{File: evil, Header: "@@ " + evil, Lines: []string{"-" + evil, "+```"}, Left: 1}}}
	return r
}

// elsewhere returns a row whose causes are not touched by what changed.
func elsewhere() Row {
	r := slower()
	r.Hunks, r.Changed, r.Missing, r.Answer.Causes = [][]why.Hunk{nil}, r.Hunks[0], nil, r.Answer.Causes[:1]
	return r
}

func TestGolden(t *testing.T) {
	noted := distrusted()
	noted.Answer.Notes = []string{"no cause is named: the verdict is not trusted: others had the processors for 12 % of the time"}
	for name, rows := range map[string][]Row{"slower": {slower()}, "distrusted": {distrusted()}, "noted": {noted}, "hostile": {hostile()}, "elsewhere": {elsewhere()}, "none": nil, "two": {slower(), distrusted()}} {
		for suffix, write := range map[string]func(*bytes.Buffer) error{
			".80.txt": func(b *bytes.Buffer) error {
				return Text(b, rows, "nothing changed", textpage.Options{UTF8: true, Width: 80})
			},
			".ascii.txt": func(b *bytes.Buffer) error { return Text(b, rows, "nothing changed", textpage.Options{Width: 60}) },
			".color.txt": func(b *bytes.Buffer) error {
				return Text(b, rows, "nothing changed", textpage.Options{UTF8: true, Color: true})
			},
			".md":   func(b *bytes.Buffer) error { return Markdown(b, rows, "nothing changed") },
			".json": func(b *bytes.Buffer) error { return JSON(b, rows) },
		} {
			if (suffix == ".ascii.txt" || suffix == ".color.txt" || suffix == ".json") && name != "slower" && name != "hostile" {
				continue
			}
			var b bytes.Buffer
			if err := write(&b); err != nil {
				t.Fatal(err)
			}
			checkText(t, name+suffix, b.String())
			file := filepath.Join("testdata", name+suffix)
			if *update {
				if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(b.Bytes(), want) {
				t.Errorf("%s:\ngot\n%s\nwant\n%s", file, b.String(), want)
			}
		}
	}
}

// checkText fails for lines that are too wide, and for characters that would be obeyed.
func checkText(t *testing.T, name, text string) {
	t.Helper()
	width := map[string]int{".80.txt": 80, ".ascii.txt": 60}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		for suffix, most := range width {
			if strings.HasSuffix(name, suffix) && termtext.Width(line) > most {
				t.Errorf("%s: %d cells: %q", name, termtext.Width(line), line)
			}
		}
		if strings.HasSuffix(name, ".color.txt") {
			continue
		}
		if strings.ContainsFunc(line, func(r rune) bool { return unicode.IsControl(r) || r == '\u202e' }) {
			t.Errorf("%s: control characters: %q", name, line)
		}
	}
}

// TestJSON: what no number is, is null, and the hunks are there.
func TestJSON(t *testing.T) {
	var b bytes.Buffer
	if err := JSON(&b, []Row{slower()}); err != nil {
		t.Fatal(err)
	}
	var got []struct {
		Answer struct {
			Causes []struct {
				What  string
				Share struct{ Value *float64 }
				Hunks []why.Hunk
			}
			Rest struct{ Value float64 } `json:"not_explained"`
		}
		Missing []string `json:"not_looked_at"`
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	a := got[0].Answer
	if len(a.Causes) != 4 || a.Causes[1].Share.Value != nil || *a.Causes[0].Share.Value != 0.64 || a.Rest.Value != 0.14 || len(got[0].Missing) != 1 {
		t.Errorf("%+v", got)
	}
	if h := a.Causes[1].Hunks; len(h) != 2 || h[0].File != "toml/lex.go" || len(h[0].Lines) != 5 || h[1].Left != 2 || a.Causes[2].Hunks != nil {
		t.Errorf("%+v", h)
	}
}

// TestOf: benchmarks that ran with several values of GOMAXPROCS have different names, and unused parts are listed.
func TestOf(t *testing.T) {
	res := &result.Result{Comparisons: []result.Comparison{
		{Name: "A", Procs: 1, Unit: "ns/op", Old: 1, New: 2, Ratio: 2, Lo: 1.9, Hi: 2.1, Verdict: "slower", Reasons: []string{"steal"}}, {Name: "A", Procs: 4}, {Name: "B", Procs: 1, Trusted: true},
	}, Warnings: []result.Warning{{Code: "steal", Text: "stolen"}}}
	a, b := Of(res, &res.Comparisons[0], 0, nil), Of(res, &res.Comparisons[2], 0, nil)
	if a.Title != "A, GOMAXPROCS 1" || b.Title != "B" || a.Profiled() || len(a.Missing) != 5 || len(a.distrust) != 1 || a.distrust[0] != "stolen" || b.distrust != nil {
		t.Errorf("%+v\n%+v", a, b)
	}
}
