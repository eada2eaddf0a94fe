package browser

import (
	"encoding/base64"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/tarebench/tare/record"
)

// lightAndDark fails the test for what axe finds in either.
func (x *tab) lightAndDark() {
	x.t.Helper()
	x.accessible("light")
	x.do(call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}}))
	x.accessible("dark")
}

func memoryPage(t *testing.T) string {
	return pageOf(t, "report", writeRecord(t, "memory.jsonl", memoryBenches().record(t)))
}

// titled is the expression of the chart whose title begins so.
func titled(title string) string {
	return `[...document.querySelectorAll("figure.drawn")].find((f) => f.querySelector(".title").textContent.startsWith("` + title + `"))`
}

// TestMemory: what benchmarks keep alive is drawn as bars with whiskers, in groups of the parameter, and stands in a table.
func TestMemory(t *testing.T) {
	x := openPage(t, memoryPage(t), "", 1024)
	f := titled("Heap settled")
	if got := eval[[]int](x, `(() => { const f = `+f+`; return [".item rect", ".item .whisker", "text.group", "table tbody tr"].map((s) => f.querySelectorAll(s).length); })()`); !slices.Equal(got, []int{8, 24, 2, 8}) {
		t.Errorf("bars, whiskers, groups and rows of the table: %v", got)
	}
	if got := eval[[]string](x, `[...`+f+`.querySelectorAll(".item .label")].map((e) => e.textContent)`); !slices.Equal(got[:4], []string{"cache=map", "cache=lru", "cache=clock", "cache=tiny"}) {
		t.Errorf("labels %q", got)
	}
	if got := eval[string](x, f+`.querySelector("svg").getAttribute("aria-label")`); !strings.HasPrefix(got, "Heap settled: bars of 8 rows, from ") {
		t.Errorf("in words: %q", got)
	}
	wide := eval[[]float64](x, `[...`+f+`.querySelectorAll(".item rect")].map((r) => Number(r.getAttribute("width")))`)
	if ratio := wide[1] / wide[0]; ratio < 1.7 || ratio > 1.95 { // 176 over 96
		t.Errorf("the second bar is %.2f times as long as the first", ratio)
	}
	x.lightAndDark()
}

// TestBaseline: a row that is chosen is 1 in each group, and the address keeps it.
func TestBaseline(t *testing.T) {
	page := memoryPage(t)
	x := openPage(t, page, "", 1024)
	f := titled("Heap settled")
	values := `[...` + f + `.querySelectorAll(".item .minor")].map((e) => Number.parseFloat(e.textContent))`
	eval[any](x, `(() => { const s = `+f+`.querySelector("select"); s.value = "cache=lru"; s.dispatchEvent(new Event("change")); })()`)
	got := eval[[]float64](x, values)
	if got[1] != 1 || got[5] != 1 || got[0] < 0.5 || got[0] > 0.6 {
		t.Errorf("multiples of cache=lru: %v", got)
	}
	if said := eval[string](x, f+`.querySelector("[role=status]").textContent`); !strings.Contains(said, "multiples of cache=lru, in each group") {
		t.Errorf("said %q", said)
	}
	again := openPage(t, page, strings.TrimPrefix(eval[string](x, "location.hash"), "#"), 1024)
	if restored := eval[[]float64](again, values); !slices.Equal(restored, got) {
		t.Errorf("opened again: %v", restored)
	}
}

// TestAxis: on a logarithmic axis values are squares at places that their logarithms say, and a second click gives bars back.
func TestAxis(t *testing.T) {
	x := openPage(t, memoryPage(t), "", 1024)
	f := titled("Heap settled")
	const widths = `.querySelectorAll(".item rect")].map((r) => Number(r.getAttribute("width")))`
	before := eval[[]float64](x, `[...`+f+widths)
	eval[any](x, f+`.querySelector("button").click(); 0`)
	if got := eval[[]float64](x, `[...`+f+widths); slices.Min(got) != 8 || slices.Max(got) != 8 {
		t.Errorf("widths %v", got)
	}
	at := eval[[]float64](x, `[...`+f+`.querySelectorAll(".item rect")].map((r) => Number(r.getAttribute("x")))`)
	if d, e := at[4]-at[0], at[5]-at[1]; d < 50 || d-e > 10 || e-d > 10 { // both are a factor of 10
		t.Errorf("ten times as much is %.1f and %.1f to the right", d, e)
	}
	eval[any](x, f+`.querySelector("button").click(); 0`)
	if got := eval[[]float64](x, `[...`+f+widths); !slices.Equal(got, before) {
		t.Errorf("after two clicks %v", got)
	}
}

// TestGrowth: points, and the curves that were fitted to them, on logarithmic axes or linear ones.
func TestGrowth(t *testing.T) {
	x := openPage(t, pageOf(t, "report", writeRecord(t, "sizes.jsonl", sizes().record(t))), "", 1024)
	f := titled("Time per operation over n")
	if got := eval[[]int](x, `[".scroll:not([hidden]) .curve", ".scroll:not([hidden]) .mark", ".scroll:not([hidden]) .whisker"].map((s) => `+f+`.querySelectorAll(s).length)`); !slices.Equal(got, []int{2, 10, 10}) {
		t.Errorf("curves, points and intervals: %v", got)
	}
	words := eval[string](x, f+`.querySelector("svg").getAttribute("aria-label")`)
	if !strings.Contains(words, "n log n") || !strings.Contains(words, "kind=radix/n=*: n, ") {
		t.Errorf("in words: %q", words)
	}
	const ticks = `.querySelector(".scroll:not([hidden])").textContent`
	log := eval[string](x, f+ticks)
	eval[any](x, f+`.querySelector("button").click(); 0`)
	if linear := eval[string](x, f+ticks); linear == log || eval[string](x, "location.hash") == "" {
		t.Error("a click changes nothing")
	}
	x.lightAndDark()
}

// TestStrip: the dots of a row open its forks in the order of time. They stay with the row, and are no row of the table.
func TestStrip(t *testing.T) {
	x := openPage(t, pageOf(t, "report", writeRecord(t, "memory.jsonl", memoryBenches().record(t))), "", 1024)
	eval[any](x, `document.querySelector("svg[data-series]").dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true })); 0`)
	if got := eval[[]string](x, `[...document.querySelectorAll("tr.strip tbody tr")].map((r) => r.textContent)`); len(got) != 11 || !strings.HasPrefix(got[0], "fork 1") || !strings.HasSuffix(got[10], "ns/op") {
		t.Errorf("figures %q", got)
	}
	drawn := eval[string](x, `document.querySelector("tr.strip svg").getAttribute("aria-label")`)
	if !strings.HasPrefix(drawn, "11 forks of ReadThrough/cache=map/size=10k") {
		t.Errorf("in words: %q", drawn)
	}
	x.accessible("with a strip")
	eval[any](x, `for (let i = 0; i < 2; i++) [...document.querySelectorAll("th .sort")].find((b) => b.textContent === "median").click(); 0`)
	if got := eval[string](x, `document.querySelector("tr.strip").previousElementSibling.cells[0].textContent`); got != "ReadThrough/cache=map/size=10k" {
		t.Errorf("sorted, it is below %q", got)
	}
	lines, err := csv.NewReader(strings.NewReader(x.copied("copy as CSV"))).ReadAll()
	if err != nil || slices.ContainsFunc(lines, func(l []string) bool { return strings.Contains(strings.Join(l, " "), "first fork") }) {
		t.Errorf("copied: %v %q", err, lines)
	}
	eval[any](x, `document.querySelector("svg[data-series]").dispatchEvent(new MouseEvent("click", { bubbles: true })); 0`)
	eval[any](x, `document.querySelector("svg[aria-expanded=true]").dispatchEvent(new MouseEvent("click", { bubbles: true })); 0`)
	if n := eval[int](x, `document.querySelectorAll("tr.strip").length`); n != 1 {
		t.Errorf("%d strips are left, want the second", n)
	}
}

// TestBanner: what differs between two machines is named at the top, and no verdict is drawn as one.
func TestBanner(t *testing.T) {
	old, new := memoryBenches(), memoryBenches()
	new.seed = 99
	new.env = func(e *record.Env) {
		e.CPU, e.Cores, e.Go, e.GOMAXPROCS, e.GOGC, e.Kernel = "Other", 4, "go1.27.1", 4, "200", "6.13.0"
	}
	for i := range new.rows {
		new.rows[i].ns *= 1.3
	}
	a, b := writeRecord(t, "old.jsonl", old.record(t)), writeRecord(t, "new.jsonl", new.record(t))
	for _, args := range [][]string{{"report", a, b}, {"compare", a, b}} {
		x := openPage(t, pageOf(t, args...), "", 1024)
		text := eval[string](x, `document.querySelector("main").firstElementChild.textContent`)
		for _, want := range []string{"not measured alike", "CPU Other against AMD EPYC 7B13", "cores 4 against 8", "kernel 6.13.0", "toolchain go1.27.1", "GOMAXPROCS 4", "GOGC 200 against none"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: the banner lacks %q: %q", args[0], want, text)
			}
		}
		if n := eval[int](x, `document.querySelectorAll(".verdicts .bad, .verdicts .good, td.bad, td.good").length`); n != 0 {
			t.Errorf("%s: %d verdicts as if they were trusted", args[0], n)
		}
		if n := eval[int](x, `document.querySelectorAll(".verdicts .distrusted").length`); n != 8 {
			t.Errorf("%s: %d rows are slower and not trusted, want 8", args[0], n)
		}
		x.lightAndDark()
	}
	x := openPage(t, pageOf(t, "report", a, writeRecord(t, "alike.jsonl", old.record(t))), "", 1024)
	if n := eval[int](x, `document.querySelectorAll(".banner").length`); n != 0 {
		t.Error("two runs of one machine have a banner")
	}
}

// TestStory: a page says what was measured, on what, how surely and what to do next.
func TestStory(t *testing.T) {
	x := openPage(t, pageOf(t, "report", writeRecord(t, "story.jsonl", story().record(t))), "", 1024)
	verdicts := eval[[]string](x, `[...document.querySelectorAll(".verdicts li")].map((e) => e.className + " " + e.textContent)`)
	for i, want := range []string{"bad ▲ Decode/size=1k: slower, ratio 1.2", "bad ▲ Decode/size=64k: slower", "distrusted ? Parse: faster", "unknown ? Encode/size=1k: inconclusive"} {
		if i >= len(verdicts) || !strings.HasPrefix(verdicts[i], want) {
			t.Errorf("verdict %d: want %q of %q", i, want, verdicts)
		}
	}
	text := eval[string](x, "document.body.textContent")
	for _, want := range []string{"AMD EPYC 7B13, 8 cores", "20 forks each, interleaved", "95 % intervals", "use a larger --time", "more forks", "how to read this"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if n, sections := eval[int](x, `document.querySelectorAll("details.help").length`), eval[int](x, `document.querySelectorAll("main section:not(.trust):not(.repeat)").length`); n != sections {
		t.Errorf("%d of %d sections say how to read them", n, sections)
	}
	x.lightAndDark()
}

// hostileNames are names of markup, of escapes, of 10 KB, from right to left, and of what scripts might take for numbers.
func hostileNames() benches {
	b := benches{seed: 7, forks: 6}
	for _, n := range []string{
		`Evil/<img src=x onerror=alert(1)>/n=1`, `Evil/</script><script>alert(1)</script>/n=10`, `Evil/</svg><style>*{display:none}</style>/n=100`, `Evil/"'onload=alert(1)/n=1000`,
		"Escape\x1b[31m\x07\u009b", "Right\u202eleft\u2066", "مقياس/حجم=1", "NaN", "__proto__", "constructor", "Long/" + strings.Repeat("0123456789", 1000),
	} {
		b.rows = append(b.rows, bench{name: n, ns: 100, more: map[string]float64{"usedHeap_settled-B": 5e6, "<b>NaN</b>": 1}})
	}
	return b
}

// TestHostile: names are text wherever a page has them, and in the charts that it saves.
func TestHostile(t *testing.T) {
	path := pageOf(t, "report", writeRecord(t, "hostile.jsonl", hostileNames().record(t)))
	for _, width := range []int64{390, 1024} {
		x := openPage(t, path, "base0=__proto__&base1=NaN&axis0=log", width)
		if n := eval[int](x, `document.querySelectorAll("img, style:not(head style), script:not(head script):not(.tare-record)").length`); n != 0 {
			t.Errorf("%d elements were made by names", n)
		}
		if w := eval[int64](x, "document.documentElement.scrollWidth"); w > width {
			t.Errorf("%d pixels wide in a window of %d", w, width)
		}
		if n := eval[int](x, `document.querySelectorAll("figure.drawn").length`); n < 2 {
			t.Errorf("%d charts", n)
		}
		x.lightAndDark()
	}
}

// TestSaved: a chart is saved as it is shown, as an SVG image that is XML, and as PNG.
func TestSaved(t *testing.T) {
	for name, page := range map[string]string{
		"memory": memoryPage(t), "sizes": pageOf(t, "report", writeRecord(t, "sizes.jsonl", sizes().record(t))), "hostile": pageOf(t, "report", writeRecord(t, "hostile.jsonl", hostileNames().record(t))),
	} {
		x := openPage(t, page, "theme=dark", 1024)
		eval[any](x, `HTMLAnchorElement.prototype.click = function () { window.saved = [this.download, this.href]; }; 0`)
		n := eval[int](x, `document.querySelectorAll("figure.drawn").length`)
		if n == 0 {
			t.Errorf("%s: no charts", name)
		}
		for i := range n {
			saved := eval[[]string](x, `(() => {
				[...document.querySelectorAll("figure.drawn")][`+strconv.Itoa(i)+`].querySelectorAll("button").forEach((b) => { if (b.textContent === "SVG") b.click(); });
				return window.saved;
			})()`)
			_, data, _ := strings.Cut(saved[1], ",")
			svg, err := url.PathUnescape(data)
			if err != nil || !strings.HasSuffix(saved[0], ".svg") || !strings.Contains(svg, "rgb(13, 17, 23)") {
				t.Errorf("%s: %q, %v", name, saved, err)
			}
			d := xml.NewDecoder(strings.NewReader(svg))
			for err == nil {
				_, err = d.Token()
			}
			if !errors.Is(err, io.EOF) {
				t.Errorf("%s: the image is no XML: %v", name, err)
			}
		}
		picture := eval[string](x, `new Promise((done) => {
			URL.createObjectURL = (blob) => { const r = new FileReader(); r.onload = () => done(r.result); r.readAsDataURL(blob); return "data:,"; };
			[...document.querySelector("figure.drawn").querySelectorAll("button")].find((b) => b.textContent === "PNG").click();
		})`)
		_, data, _ := strings.Cut(picture, ",")
		im, err := png.Decode(base64.NewDecoder(base64.StdEncoding, strings.NewReader(data)))
		if err != nil || im.Bounds().Dx() != 2*760 {
			t.Errorf("%s: PNG: %v", name, err)
		}
	}
}

// TestPrintCharts: a page with charts prints, in light, with its explanations.
func TestPrintCharts(t *testing.T) {
	x := openPage(t, memoryPage(t), "theme=dark", 1024)
	pdf, err := chromedp.Run(x.ctx, chromedp.PrintToPDF())
	if err != nil || len(pdf) < 30_000 || string(pdf[:5]) != "%PDF-" {
		t.Errorf("%d bytes, %v", len(pdf), err)
	}
	x.do(call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}))
	if got := eval[string](x, `getComputedStyle(document.querySelector(".picture .title")).fill + getComputedStyle(document.querySelector(".drawn .tools")).display`); got != "rgb(31, 35, 40)none" {
		t.Errorf("%s", got)
	}
	eval[any](x, `dispatchEvent(new Event("beforeprint")); 0`)
	if n := eval[int](x, `document.querySelectorAll("details.help:not([open])").length`); n != 0 {
		t.Errorf("%d explanations are folded", n)
	}
	eval[any](x, `dispatchEvent(new Event("afterprint")); 0`)
	if n := eval[int](x, `document.querySelectorAll("details[open]").length`); n != 0 {
		t.Errorf("%d details stay open", n)
	}
}
