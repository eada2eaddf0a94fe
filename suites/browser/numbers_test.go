package browser

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/cli"
)

// TestSizes: pages stay small enough to send.
func TestSizes(t *testing.T) {
	for _, c := range []struct {
		name    string
		records [][]byte
		most    int64
	}{
		{"nothing", [][]byte{benches{forks: 1}.record(t)}, 200_000},
		{"200 benchmarks and a load run of 10 minutes", [][]byte{manyBenches(200).record(t), longLoad(t, 600, 200)}, 3_000_000},
		{"2000 benchmarks", [][]byte{manyBenches(2000).record(t)}, 12_000_000},
	} {
		info, err := os.Stat(pageOf(t, append([]string{"report"}, files(t, c.records)...)...))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d bytes", c.name, info.Size())
		if info.Size() > c.most {
			t.Errorf("%s: %d bytes, at most %d are wanted", c.name, info.Size(), c.most)
		}
	}
}

func files(t testing.TB, records [][]byte) []string {
	var out []string
	for i, r := range records {
		out = append(out, writeRecord(t, fmt.Sprintf("r%d.jsonl", i), r))
	}
	return out
}

// BenchmarkPage: how long a large page takes to write, to show first, and to show the percentiles of another stretch. Each figure
// is the median of five.
func BenchmarkPage(b *testing.B) {
	for _, c := range []struct {
		name    string
		records func() [][]byte
	}{
		{"200-and-load", func() [][]byte { return [][]byte{manyBenches(200).record(b), longLoad(b, 600, 200)} }},
		{"2000", func() [][]byte { return [][]byte{manyBenches(2000).record(b)} }},
		{"10000", func() [][]byte { return [][]byte{manyBenches(10_000).record(b)} }},
	} {
		b.Run(c.name, func(b *testing.B) {
			in := files(b, c.records())
			for b.Loop() {
				numbers(b, in)
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

// numbers reports the figures of the page of some records.
func numbers(b *testing.B, in []string) {
	page := filepath.Join(b.TempDir(), "page.html")
	blank := filepath.Join(b.TempDir(), "blank.html")
	if err := os.WriteFile(blank, []byte("<!doctype html><title>blank</title><p>nothing"), 0o666); err != nil {
		b.Fatal(err)
	}
	var write, paint, blankPaint, brush []float64
	for range 5 {
		began := time.Now()
		if code := cli.Main(cli.Config{}, append([]string{"report", "-o", page}, in...), strings.NewReader(""), io.Discard, &bytes.Buffer{}); code > 1 {
			b.Fatal(code)
		}
		write = append(write, time.Since(began).Seconds()*1e3)
	}
	for range 5 {
		blankPaint = append(blankPaint, eval[float64](openPage(b, blank, "", 1024), firstPaint))
		x := openPage(b, page, "", 1024)
		paint = append(paint, eval[float64](x, firstPaint))
		if eval[bool](x, `document.querySelector("[data-record]") !== null`) {
			eval[string](x, said)
			brush = append(brush, eval[float64](x, brushed))
		}
	}
	info, err := os.Stat(page)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(info.Size()), "page-B")
	b.ReportMetric(median(write), "write-ms")
	b.ReportMetric(median(paint), "first-paint-ms")
	b.ReportMetric(median(blankPaint), "first-paint-blank-ms") // the browser's own part
	if len(brush) > 0 {
		b.ReportMetric(median(brush), "brush-ms")
	}
}

func median(xs []float64) float64 {
	slices.Sort(xs)
	return xs[len(xs)/2]
}

// firstPaint is the time in ms from the navigation to the first content.
const firstPaint = `new Promise((done) => new PerformanceObserver((list) => {
	const first = list.getEntriesByName("first-contentful-paint")[0];
	if (first) done(first.startTime);
}).observe({ type: "paint", buffered: true }))`

// brushed is the time in ms from a change of the stretch to the end of the frame that shows it.
const brushed = `new Promise((done) => requestAnimationFrame(() => {
	const from = document.querySelector("input[aria-label='from this second']"), began = performance.now();
	from.value = "100";
	from.dispatchEvent(new Event("change"));
	const channel = new MessageChannel();
	channel.port1.onmessage = () => done(performance.now() - began);
	requestAnimationFrame(() => channel.port2.postMessage(0));
}))`
