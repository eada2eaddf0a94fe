package render

import (
	"bytes"
	"encoding/xml"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// pageOf returns the page of a result with its style and script left out, which would be in every golden file.
func pageOf(t *testing.T, s *result.Result) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteHTML(&b, "tare v1.2.3", []PageRun{{Name: "a.jsonl", Result: s}}, nil); err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`(?s)<style>.*?</style>|<script type="module">.*?</script>\n|&#39;sha256-[^;]*&#39;`).ReplaceAllString(b.String(), "")
}

// TestHTMLGolden: pages of a few cases. Those of all others are checked as markup.
func TestHTMLGolden(t *testing.T) {
	for _, c := range testCases() {
		text := pageOf(t, c.summary)
		checkMarkup(t, c.name, text)
		switch c.name {
		case "compare", "compare-hostile", "failed", "metrics":
			compareGolden(t, filepath.Join("testdata", c.name+".html"), []byte(text))
		}
	}
}

// checkMarkup fails if elements are not closed, or if there is a script, a handler or an address that is not data.
func checkMarkup(t *testing.T, name, text string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	d.Entity = xml.HTMLEntity
	for {
		token, err := d.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if e.Name.Local == "script" || e.Name.Local == "iframe" || e.Name.Local == "link" {
			t.Errorf("%s: an element %s", name, e.Name.Local)
		}
		for _, a := range e.Attr {
			address := (a.Name.Local == "src" || a.Name.Local == "href") && !strings.HasPrefix(a.Value, "data:image/svg+xml;base64,")
			if strings.HasPrefix(a.Name.Local, "on") || address || a.Name.Local == "style" {
				t.Errorf("%s: attribute %s=%q", name, a.Name.Local, a.Value)
			}
		}
	}
}

// TestHTMLHostile: no name, side or message is markup in a page, wherever it stands.
func TestHTMLHostile(t *testing.T) {
	const evil = `</title></style></script><script>alert(1)</script><img src=x onerror=alert(1)>"'` + "\x1b[31m\u202e" + `<!-- records -->`
	s := &result.Result{Results: []result.Benchmark{{
		Pkg: evil, Name: evil, Side: evil, Role: evil, Unit: evil, Forks: 2, Values: []result.Number{1, 2},
		Interval: result.Interval{Median: 1, Lo: 1, Hi: 2}, Metrics: result.Metrics{{Unit: evil}},
		Warnings: []result.Warning{{Code: evil, Text: evil, Advice: evil}},
	}, {
		Pkg: evil, Name: evil + "/" + evil, Side: evil, Unit: evil, Forks: 2, Values: []result.Number{1, 2}, Interval: result.Interval{Median: 1, Lo: 1, Hi: 2},
	}, {Name: "B", Failed: evil, Tail: evil}}, Warnings: []result.Warning{{Code: "x", Text: evil, Advice: evil}}}
	text := pageOf(t, s)
	checkMarkup(t, "hostile", text)
	for _, bad := range []string{"<script", "<img", "\x1b", "\u202e", "<!--"} {
		if strings.Contains(text, bad) {
			t.Errorf("the page contains %q", bad)
		}
	}
}

// TestHTMLRecords: a page has its records inside, and the names of them escaped.
func TestHTMLRecords(t *testing.T) {
	var b bytes.Buffer
	if err := WriteHTML(&b, "tare", []PageRun{{Result: &result.Result{}}}, []PageRecord{{Name: `<a&">.jsonl`, Data: []byte("x\n")}}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), `<script type="application/gzip"`); n != 1 || !strings.Contains(b.String(), `data-name="&lt;a&amp;&#34;&gt;.jsonl"`) {
		t.Errorf("%d records:\n%s", n, b.String())
	}
}

// TestHTMLBanner: a page says at the top what differs between runs, and that a load generator was late.
func TestHTMLBanner(t *testing.T) {
	other := newSummary()
	other.Run.Env.Go, other.Run.Env.GOGC, other.Run.Env.Kernel = "go1.27", "200", "6.13"
	late := &result.Result{Run: testRun(), Load: &result.Load{TargetRate: 100, Lateness: &result.Latency{}}, Latencies: []result.Latency{{Name: "READ", Kind: record.TagResponse}}}
	late.Load.Lateness.P99, late.Latencies[0].P99 = 2e6, 10e6
	soon := *late
	soon.Latencies = []result.Latency{late.Latencies[0]}
	soon.Latencies[0].P99 = 30e6
	for _, c := range []struct {
		name string
		runs []PageRun
		want []string
	}{
		{"one", []PageRun{{Result: newSummary()}}, nil},
		{"alike", []PageRun{{Result: newSummary()}, {Result: newSummary()}}, nil},
		{"unlike", []PageRun{{Name: "a", Result: newSummary()}, {Name: "b", Result: other}},
			[]string{"b is not a: kernel 6.13 against none", "b is not a: toolchain go1.27 against go1.26.8", "b is not a: GOGC 200 against none"}},
		{"compared", []PageRun{{Result: archivedSides()}}, []string{"new is not old: toolchain go1.27 against go1.26.8"}},
		{"late", []PageRun{{Result: late}}, []string{"lateness p99 2.00 ms, response time p99 of READ 10.0 ms"}},
		{"not late", []PageRun{{Result: &soon}}, nil},
	} {
		var got []string
		for _, b := range banners(c.runs) {
			got = append(got, b.Items...)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\ngot  %q\nwant %q", c.name, got, c.want)
		}
	}
}
