package render

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/termtext"
	"github.com/tarebench/tare/internal/units"
)

// loadSummary reads one of the made-up records of package summary, which has the
// means to make histograms.
func loadSummary(t *testing.T, name string) *result.Result {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "result", "testdata", "load-"+name+".jsonl"))
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
		"nothing":  {text100(), asMarkdown(), {"csv", CSV, Options{}}},
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
	for _, name := range []string{"overload", "cut", "steady", "closed", "dropped", "search", "sweep", "nothing"} {
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
