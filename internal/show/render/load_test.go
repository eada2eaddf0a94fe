package render

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/webpage"
)

// loadSummary reads one of the made-up records of package summary, which has the
// means to make histograms.
func loadSummary(t *testing.T, name string) *result.Result {
	t.Helper()
	f, err := os.Open(filepath.Join("../../result/testdata", "load-"+name+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s, err := result.Read(f, name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestLoadGolden(t *testing.T) {
	all := []look{text100(), ascii(), {"60.txt", Text, Options{UTF8: true, Width: 60}}, verbose(), asMarkdown(), {"csv", CSV, Options{}}}
	ycsb := []look{{"ycsb", YCSB, Options{}}, {"ycsb.json", YCSBJSON, Options{}}}
	for name, views := range map[string][]look{
		"overload": append(all, ycsb...),
		"cut":      {text100(), asMarkdown()},
		"steady":   append(append(all, ycsb...), look{"color.txt", Text, Options{UTF8: true, Color: true}}),
		"closed":   append([]look{text100(), asMarkdown()}, ycsb...),
		"dropped":  {text100()},
		"search":   all,
		"sweep":    {text100(), asMarkdown()},
		"hanging":  all,
		"hostile":  append([]look{{"60.txt", Text, Options{UTF8: true, Width: 60}}}, all...),
		"marked":   all,
		"nothing":  {text100(), asMarkdown(), {"csv", CSV, Options{}}},

		"agents":       all,
		"agents-lost":  {text100(), {"60.txt", Text, Options{UTF8: true, Width: 60}}, asMarkdown()},
		"agents-noisy": {text100(), asMarkdown()},
	} {
		for _, v := range views {
			t.Run(name+"."+v.name, func(t *testing.T) {
				var b bytes.Buffer
				if err := Write(&b, v.format, loadSummary(t, name), v.o); err != nil {
					t.Fatal(err)
				}
				compareGolden(t, filepath.Join("testdata", "load-"+name+"."+v.name), b.Bytes())
			})
		}
	}
}

// TestLoadWidth: no line is wider than was asked for, but for names that cannot be
// broken.
func TestLoadWidth(t *testing.T) {
	for _, name := range []string{"overload", "cut", "steady", "closed", "dropped", "search", "sweep", "marked", "nothing", "agents", "agents-lost", "agents-noisy"} {
		var b bytes.Buffer
		if err := Write(&b, Text, loadSummary(t, name), Options{UTF8: true}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if n := termtext.Width(strings.TrimSuffix(line, "\n")); n > DefaultWidth {
				t.Errorf("%s: %d columns: %s", name, n, line)
			}
		}
	}
}

// TestLoadRefused: what a format has no room for is an error that says what to use
// instead.
func TestLoadRefused(t *testing.T) {
	for _, c := range []struct {
		name string
		f    Format
		want string
	}{
		{"overload", Benchfmt, "benchfmt holds samples of benchmarks"},
		{"overload", JMH, "use json, csv or ycsb"},
		{"overload", JSONL, "copy of the records"},
		{"overload", "xml", `unknown format "xml": want one of text, jsonl, json, csv, md, svg, html, ycsb, ycsb-json`},
		{"search", YCSB, "use json or csv"},
		{"nothing", YCSBJSON, "nothing was measured"},
	} {
		var b bytes.Buffer
		err := Write(&b, c.f, loadSummary(t, c.name), Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) || b.Len() > 0 {
			t.Errorf("%s as %s: %v, %d bytes", c.name, c.f, err, b.Len())
		}
	}
	for _, f := range []Format{YCSB, YCSBJSON} {
		if err := Write(new(bytes.Buffer), f, twoPackages(), Options{}); err == nil || !strings.Contains(err.Error(), "format of load runs") {
			t.Errorf("benchmarks as %s: %v", f, err)
		}
		if _, err := ParseFormat(string(f)); err == nil {
			t.Errorf("%s is a format of benchmarks", f)
		}
		if got, err := ParseLoadFormat(string(f)); err != nil || got != f {
			t.Errorf("%s: %v", f, err)
		}
	}
}

// TestLoadPageMarks: a page begins with the slow intervals in which something else happened.
func TestLoadPageMarks(t *testing.T) {
	x, err := htmlLoad(loadSummary(t, "marked"))
	if err != nil {
		t.Fatal(err)
	}
	if len(x.Verdicts) != 2 || x.Verdicts[1].Text != "a slow interval from 4 to 6 s: p99 490 ms, usually 1.49 ms; the server's process was stopped for 500 ms by a signal or a debugger" {
		t.Errorf("%+v", x.Verdicts)
	}
}

// TestLoadPageTables: errors and the slowest operations are tables, which sort by their exact values; what was answered and what the server took
// are facts.
func TestLoadPageTables(t *testing.T) {
	s := loadSummary(t, "marked")
	l := s.Load
	l.Errors, l.OKRate, l.SentRate, l.Statuses = 40, 95, 2048, map[string]int64{"200": 760, "503": 40}
	l.Failures = []result.Failure{{Name: "GET", Class: "server", Status: "503", Count: 40, Share: 0.05, First: "<b>busy</b>"}}
	x, err := htmlLoad(s)
	if err != nil {
		t.Fatal(err)
	}
	if len(x.Blocks) != 3 || x.Blocks[0].Title != "Errors" || x.Blocks[1].Title != "Slowest operations" || x.Blocks[2].Title != "All figures" {
		t.Fatalf("%+v", x.Blocks)
	}
	row := func(block, n int) (texts, values []string) {
		for _, c := range x.Blocks[block].Table.Groups[0].Rows[n].Cells {
			texts, values = append(texts, c.Text), append(values, c.Value)
		}
		return texts, values
	}
	texts, values := row(0, 0)
	if got := strings.Join(texts, "|"); got != "GET|server|503|40|5.0 %|<b>busy</b>" || values[3] != "40" || values[4] != "0.05" {
		t.Errorf("%s, %q", got, values)
	}
	texts, values = row(1, 6)
	if got := strings.Join(texts, "|"); got != `GET|506|/x?a=b|<c>\x1b[31m|5.060 s|1.20 µs|> 440 ms|> 440 ms|unanswered, GET/first-byte 439 ms` || values[1] != "506" || values[4] != "1200" || values[6] != "440000000" {
		t.Errorf("%s, %q", got, values)
	}
	facts := map[string]string{}
	for _, f := range x.Facts {
		facts[f.Name] = f.Value
	}
	for name, want := range map[string]string{
		"target and achieved": "without errors 95", "answers": "status 200: 760 · status 503: 40 · sent 2.0", "the server": "was stopped for 500 ms",
	} {
		if !strings.Contains(facts[name], want) {
			t.Errorf("%s: %q, want %q", name, facts[name], want)
		}
	}
	if x, err = htmlLoad(loadSummary(t, "overload")); err != nil || len(x.Blocks) != 1 {
		t.Errorf("a run without errors and without a list: %+v, %v", x.Blocks, err)
	}
}

// TestLoadSidesMarks: of two sides the text has the slowest operation, what each server took, and slow windows.
func TestLoadSidesMarks(t *testing.T) {
	s := loadSummary(t, "marked")
	side := func(name string) result.LoadSide { return result.LoadSide{Side: name, Windows: 8, Load: *s.Load} }
	s.LoadPairs = &result.LoadPairs{Sides: []result.LoadSide{side("old"), side("new")}}
	s.Load.Coincidences = nil
	late := &s.LoadPairs.Sides[1].Load
	late.Missed, late.Verdict = true, "target 500/s, achieved 408/s: the latencies are the growth of a queue"
	for f, want := range map[Format][]string{
		Text:     {"slow: new from 4 to 6 s: p99 490 ms, ", "slowest 500 ms GET /x?a=b|<c>\\x1b[31m at 5.000 s", "server: 0.04 cores", "need not be the", "\nold: target 100/s, achieved", "\nnew: target 500/s, achieved 408/s: the latencies are the growth of a queue.\n"},
		Markdown: {"slow: new from 4 to 6 s: p99 490 ms, ", "slowest 500 ms GET /x?a=b", "server: 0.04 cores", "need not be the", "**old: target 100/s", "**new: target 500/s, achieved 408/s: the latencies are the growth of a queue.**"},
	} {
		var b bytes.Buffer
		if err := Write(&b, f, s, Options{UTF8: true}); err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(b.String(), w) {
				t.Errorf("%s has no %q:\n%s", f, w, b.String())
			}
		}
		if n := strings.Count(b.String(), "sides: "); n != 1 || strings.Contains(b.String(), "working tree") {
			t.Errorf("%s describes the sides %d times:\n%s", f, n, b.String())
		}
	}
}

// TestLoadSidesPage: a page begins with each side's achieved rate, and marks a target rate that was missed.
func TestLoadSidesPage(t *testing.T) {
	s := loadSummary(t, "marked")
	late := *s.Load
	late.Missed, late.Verdict = true, "target 500/s, achieved 408/s"
	s.LoadPairs = &result.LoadPairs{Sides: []result.LoadSide{{Side: "old", Load: *s.Load}, {Side: "new", Load: late}}}
	x, err := htmlLoad(s)
	if err != nil {
		t.Fatal(err)
	}
	if v := x.Verdicts; len(v) < 2 || v[0].Kind != webpage.Plain || !strings.HasPrefix(v[0].Text, "old: target 100/s") ||
		v[1].Kind != webpage.Bad || v[1].Text != "new: target 500/s, achieved 408/s" {
		t.Errorf("%+v", v)
	}
}

// TestLoadRatioNote: a note says of what ratios are where the medians beside them tell otherwise, and only there.
func TestLoadRatioNote(t *testing.T) {
	for _, c := range []struct {
		old, new, ratio, lo, hi result.Number
		sample                  string
		want                    bool
	}{
		{100, 110, 0.97, 0.8, 1.2, result.SampleWindows, true}, // one rises, the other falls
		{100, 150, 1.1, 1.05, 1.2, result.SampleStarts, true},  // the quotient is outside
		{100, 110, 1.08, 1.02, 1.2, result.SampleWindows, false},
		{100, 100.4, 0.9999, 0.8, 1.2, result.SampleStarts, false}, // no digit shows it
		{100, 150, 1.1, 1.05, 1.2, "", false},                      // forks: the ratio is of the medians
	} {
		s := &result.Result{Confidence: 0.95, Comparisons: []result.Comparison{{Name: "GET response p50", Base: "old", Side: "new", Unit: "ns", Main: true, Trusted: true,
			Old: c.old, New: c.new, Ratio: c.ratio, Lo: c.lo, Hi: c.hi, Verdict: undecided, Sample: c.sample}}}
		v := newView(s, Options{UTF8: true}).versus[0]
		if got := strings.Contains(strings.Join(v.legend, "; "), "not those of the medians beside them"); got != c.want {
			t.Errorf("%+v: %q", c, v.legend)
		}
	}
}

// TestShareKind: a lower share of operations that went well is drawn as bad.
func TestShareKind(t *testing.T) {
	for _, c := range []struct {
		unit, sample, verdict string
		want                  webpage.Kind
	}{{"%", result.SampleWindows, less, webpage.Bad}, {"%", result.SampleStarts, more, webpage.Good}, {"B/op", "", less, webpage.Good}, {"B/op", "", more, webpage.Bad}} {
		r := &ratio{c: &result.Comparison{Unit: c.unit, Sample: c.sample, Verdict: c.verdict, Trusted: true}}
		if got := kindOf(r); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

func TestLatencyFigure(t *testing.T) {
	for ns, want := range map[int64]string{
		0: "0 ns", 1: "1 ns", 999: "999 ns", 1000: "1.00 µs", 1234: "1.23 µs", 9996: "10.0 µs", 99949: "99.9 µs", 99960: "100 µs",
		999400: "999 µs", 999600: "1.00 ms", 4_183_000: "4.18 ms", 45_639_000_000: "45.6 s", 1_234_000_000_000: "1234 s",
	} {
		if got := units.Time(ns); got != want {
			t.Errorf("%d ns is %q, want %q", ns, got, want)
		}
	}
}
