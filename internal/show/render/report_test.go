package render

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchunit"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/testkit/testutil"
)

func write(t testing.TB, f Format, s *result.Result, o Options) string {
	t.Helper()
	var b strings.Builder
	if err := Write(&b, f, s, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

type badWriter struct{}

var errFull = errors.New("disk full")

func (badWriter) Write([]byte) (int, error) { return 0, errFull }

func TestWriteErrors(t *testing.T) {
	for _, f := range []Format{Text, JSON, CSV, Markdown, Benchfmt, JMH} {
		if err := Write(badWriter{}, f, twoPackages(), Options{}); !errors.Is(err, errFull) {
			t.Errorf("%s: %v", f, err)
		}
	}
	var b bytes.Buffer
	for f, want := range map[Format]string{JSONL: "copy of the records", "xml": `unknown format "xml"`} {
		if err := Write(&b, f, twoPackages(), Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", f, err)
		}
	}
	if err := Write(&b, Text, nil, Options{}); err == nil {
		t.Error("no error without a summary")
	}
	if b.Len() > 0 {
		t.Errorf("written in spite of errors: %q", &b)
	}
}

// TestText holds for all summaries and options: printable, no blanks at the end
// of a line, no wider than asked but for words that cannot be broken.
func TestText(t *testing.T) {
	ansi := regexp.MustCompile("\x1b\\[[0-9]+m")
	widths := testutil.PickSeconds([]int{0, 60, 100}, []int{0, 60, 70, 80, 100, 160})
	for _, c := range testCases() {
		for _, n := range widths {
			for bits := range 4 {
				o := Options{Width: n, UTF8: bits&1 != 0, Verbose: bits&2 != 0}
				text := write(t, Text, c.summary, o)
				checkText(t, c.name, text, o)
				o.Color = true
				if colored := write(t, Text, c.summary, o); ansi.ReplaceAllString(colored, "") != text {
					t.Errorf("%s: colours change the text", c.name)
				}
			}
		}
	}
}

func checkText(t testing.TB, name, text string, o Options) {
	t.Helper()
	if !utf8.ValidString(text) || !strings.HasSuffix(text, "\n") {
		t.Errorf("%s: not UTF-8, or no newline at the end", name)
	}
	n := o.Width
	if n == 0 {
		n = DefaultWidth
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if strings.TrimRight(line, " ") != line {
			t.Errorf("%s: blanks at the end of %q", name, line)
		}
		for _, r := range line {
			if !unicode.IsPrint(r) || r > '~' && !o.UTF8 {
				t.Errorf("%s: %q in %q", name, r, line)
			}
		}
		if longest(line) < n/2 && termtext.Width(line) > n {
			t.Errorf("%s: %d columns, not %d: %s", name, termtext.Width(line), n, line)
		}
	}
}

// longest is the width of the longest word.
func longest(line string) int {
	n := 0
	for _, w := range strings.Fields(line) {
		n = max(n, termtext.Width(w))
	}
	return n
}

func TestDeterministic(t *testing.T) {
	for _, c := range testCases() {
		for _, f := range []Format{Text, JSON, CSV, Markdown, Benchfmt, JMH} {
			before := write(t, JSON, c.summary, Options{})
			a := write(t, f, c.summary, Options{Verbose: true})
			for range 3 {
				if b := write(t, f, c.summary, Options{Verbose: true}); a != b {
					t.Errorf("%s %s differs from one time to the next", c.name, f)
				}
			}
			if write(t, JSON, c.summary, Options{}) != before {
				t.Errorf("%s %s changes the summary", c.name, f)
			}
		}
	}
}

func TestJSON(t *testing.T) {
	for _, c := range testCases() {
		text := write(t, JSON, c.summary, Options{})
		var v struct{ Results []map[string]any }
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if len(v.Results) != len(c.summary.Results) {
			t.Errorf("%s: %d results, want %d", c.name, len(v.Results), len(c.summary.Results))
		}
		if strings.TrimRight(text, "\n")+"\n" != text {
			t.Errorf("%s: not one newline at the end", c.name)
		}
	}
}

func TestCSV(t *testing.T) {
	for _, c := range testCases() {
		rows, err := csv.NewReader(strings.NewReader(write(t, CSV, c.summary, Options{}))).ReadAll()
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		want, fields := 1, 19
		for _, r := range c.summary.Results {
			want += 1 + len(r.Metrics)
			if r.Another.Known() {
				fields = 21
			}
		}
		if n := len(c.summary.Comparisons); n > 0 {
			want, fields = 1+n, 21
		}
		if len(rows) != want {
			t.Errorf("%s: %d rows, want %d", c.name, len(rows), want)
		}
		for _, row := range rows {
			if len(row) != fields {
				t.Errorf("%s: %d fields: %q", c.name, len(row), row)
			}
		}
	}
	rows, _ := csv.NewReader(strings.NewReader(write(t, CSV, fewForks(), Options{}))).ReadAll()
	if got := strings.Join(rows[1][11:15], " "); got != "6821.7 -Inf +Inf " {
		t.Errorf("infinite bounds: %q", got)
	}
}

// TestBenchfmt reads the output back: every value of every fork, nothing else.
func TestBenchfmt(t *testing.T) {
	for _, c := range testCases() {
		got := map[string]int{}
		r := benchfmt.NewReader(strings.NewReader(write(t, Benchfmt, c.summary, Options{})), c.name)
		for r.Scan() {
			switch rec := r.Result().(type) {
			case *benchfmt.SyntaxError:
				t.Errorf("%s: %v", c.name, rec)
			case *benchfmt.Result:
				if rec.GetConfig("fork") != "" || rec.GetConfig("seed") != "" {
					t.Errorf("%s: a key splits benchstat's tables", c.name)
				}
				for _, v := range rec.Values {
					got[key(rec.GetConfig("pkg"), rec.GetConfig("side"), rec.Name.String(), v.Value, v.Unit)]++
				}
			}
		}
		if err := r.Err(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		for k, n := range benchfmtWant(c.summary) {
			if got[k] != n {
				t.Errorf("%s: %d times %s, want %d", c.name, got[k], k, n)
			}
			delete(got, k)
		}
		for k := range got {
			t.Errorf("%s: unexpected %s", c.name, k)
		}
	}
}

func benchfmtWant(s *result.Result) map[string]int {
	want := map[string]int{}
	add := func(r *result.Benchmark, unit string, values []result.Number) {
		name := oneWord(r.Name)
		if r.Procs > 1 {
			name += "-" + strconv.Itoa(r.Procs)
		}
		if role := oneWord(r.Role); role != "" && !strings.HasPrefix(unit, role+"-") {
			unit = role + "-" + unit
		}
		unit = oneWord(unit)
		for _, v := range values {
			if v == v && v-v == 0 {
				x, tidy := benchunit.Tidy(float64(v), unit)
				if x == float64(v) {
					tidy = unit // the reader tidies no zeros
				}
				want[key(printable(r.Pkg), printable(r.Side), name, x, tidy)]++
			}
		}
	}
	for i := range s.Results {
		r := &s.Results[i]
		add(r, r.Unit, r.Values)
		for _, m := range r.Metrics {
			add(r, m.Unit, m.Values)
		}
	}
	return want
}

// oneWord is how go test prints names: blanks become underscores.
func oneWord(s string) string {
	return printable(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return '_'
		}
		return r
	}, s))
}

func key(pkg, side, name string, v float64, unit string) string {
	// Reading divides as often as it multiplies: the last digits may differ.
	return strings.Join([]string{pkg, side, name, strconv.FormatFloat(v, 'e', 12, 64), unit}, " ")
}

// TestMarkdownCells checks that no name adds a cell to its row.
func TestMarkdownCells(t *testing.T) {
	for _, c := range testCases() {
		cells := 0
		for line := range strings.Lines(write(t, Markdown, c.summary, Options{})) {
			if !strings.HasPrefix(line, "|") {
				cells = 0
				continue
			}
			if n := strings.Count(line, "|"); cells != 0 && n != cells {
				t.Errorf("%s: %d bars, not %d: %s", c.name, n, cells, line)
			} else {
				cells = n
			}
		}
	}
}

func FuzzNames(f *testing.F) {
	for _, r := range hostile().Results {
		f.Add(r.Pkg, r.Name, r.Unit, r.Role)
	}
	f.Add("p", "\x80\n", "ns/op", "|")
	f.Fuzz(func(t *testing.T, pkg, name, unit, role string) {
		if len(pkg)+len(name)+len(unit)+len(role) > 10_000 {
			return // benchfmt's reader takes lines of up to 64 KiB
		}
		s := twoPackages()
		s.Results = append(s.Results, metrics().Results[4])
		for i := range s.Results {
			r := &s.Results[i]
			r.Pkg, r.Name, r.Unit, r.Role, r.Side = pkg, name+r.Name, unit, role, role
			if len(r.Metrics) > 0 {
				r.Metrics[0].Unit = unit + "x"
			}
		}
		for _, o := range []Options{{UTF8: true, Verbose: true}, {}} {
			text := write(t, Text, s, o)
			checkText(t, "text", text, o)
			for line := range strings.Lines(text) {
				if termtext.Width(strings.TrimSuffix(line, "\n")) > DefaultWidth {
					t.Errorf("too wide: %q", line)
				}
			}
		}
		if md := write(t, Markdown, s, Options{}); !utf8.ValidString(md) {
			t.Errorf("md is not UTF-8: %q", md)
		}
		if !json.Valid([]byte(write(t, JSON, s, Options{}))) {
			t.Error("JSON is not valid")
		}
		if _, err := csv.NewReader(strings.NewReader(write(t, CSV, s, Options{}))).ReadAll(); err != nil {
			t.Error(err)
		}
		r := benchfmt.NewReader(strings.NewReader(write(t, Benchfmt, s, Options{})), "fuzz")
		n := 0
		for r.Scan() {
			switch rec := r.Result().(type) {
			case *benchfmt.SyntaxError:
				t.Error(rec)
			case *benchfmt.Result:
				n++
			}
		}
		if r.Err() != nil || n != 80 {
			t.Errorf("benchfmt: %d results, %v", n, r.Err())
		}
	})
}
