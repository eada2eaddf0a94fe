package browser

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

//go:embed testdata/axe/axe.min.js
var axe string

// TestPages: the page of each kind of record opens without a message, asks for nothing, and axe finds nothing to mend in
// it, in light and dark.
func TestPages(t *testing.T) {
	records, err := filepath.Glob(golden("*"))
	if err != nil || len(records) < 20 {
		t.Fatal(len(records), err)
	}
	for _, record := range records {
		t.Run(strings.TrimSuffix(filepath.Base(record), ".jsonl"), func(t *testing.T) {
			x := openPage(t, pageOf(t, "report", record), "", 1024)
			x.accessible("light")
			x.do(call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}}))
			x.accessible("dark")
		})
	}
}

// accessible fails the test for what axe finds.
func (x *tab) accessible(when string) {
	x.t.Helper()
	eval[bool](x, axe+"; true")
	found := eval[[]string](x, `axe.run().then(r => r.violations.map(v => v.id + ": " + v.nodes.map(n => n.html).slice(0, 3).join(" ")))`)
	for _, f := range found {
		x.t.Errorf("%s: %s", when, f)
	}
}

// TestNarrow: no page is wider than the window but in areas that scroll by themselves.
func TestNarrow(t *testing.T) {
	for _, name := range []string{"bench-sides3", "load", "asm", "sample", "time"} {
		page := pageOf(t, "report", golden(name))
		for _, width := range []int64{390, 1024, 1600} {
			x := openPage(t, page, "", width)
			if w := eval[int64](x, "document.documentElement.scrollWidth"); w > width {
				t.Errorf("%s: %d pixels wide in a window of %d", name, w, width)
			}
		}
	}
}

// names is the expression of the first cells of those rows of the first table that are seen, in their order.
const names = `[...document.querySelectorAll(".scroll > table tbody tr:not(.group):not([hidden])")].filter(r => !r.closest("details.figures")).map(r => r.cells[0].firstChild.textContent.trim())`

// manyRows returns a page of 30 benchmarks, the 10th of which has a name made of markup.
func manyRows(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(`{"k":"run","v":1,"tare":"devel","start":"2026-01-02T03:04:05Z","mono":1,"command":["tare","bench"],"seed":"7","config":{"packages":["."],"bench":".","cpu":[1],"forks":3,"warmup":0,"iterations":1,"time":1000000,"timeout":0,"order":"interleaved","confidence":0.95},"env":{"os":"linux","arch":"amd64","cores":1,"go":"go1.26","gomaxprocs":1}}` + "\n")
	b.WriteString(`{"k":"bin","id":1,"pkg":"example.com/m","sha256":"00","size":1,"dir":"/m"}` + "\n")
	fork := 0
	for i := 1; i <= 30; i++ {
		name := fmt.Sprintf("Row%02d", i)
		if i == 10 {
			name = `</script><img src=x onerror=alert(1)>`
		}
		fmt.Fprintf(&b, `{"k":"case","id":%d,"pkg":"example.com/m","name":%q,"bin":1,"procs":1,"mode":"N","n":10,"wall":1000}`+"\n", i, name)
		for f := range 3 {
			fork++
			ns := (i*7%30+1)*1000 + f
			fmt.Fprintf(&b, `{"k":"sample","fork":%d,"iter":1,"phase":"measure","t":100,"wall":100,"ns":10,"ops":10,"v":{"ns/op":%d,"allocs/op":%d}}`+"\n", fork, ns, i%4)
			fmt.Fprintf(&b, `{"k":"fork","id":%d,"case":%d,"bin":1,"round":%d,"order":1,"purpose":"timing","start":%d,"wall":200,"user":1,"sys":1,"vcsw":0,"ivcsw":0,"minflt":0,"majflt":0,"exit":"0","state":"ok"}`+"\n", fork, i, f+1, fork*1000)
		}
	}
	b.WriteString(`{"k":"end","state":"completed"}` + "\n")
	file := filepath.Join(t.TempDir(), "many.jsonl")
	if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return pageOf(t, "report", file)
}

// TestSort: the titles of columns sort by the exact values, three clicks give back the order of the record, and the address
// keeps the order.
func TestSort(t *testing.T) {
	page := manyRows(t)
	x := openPage(t, page, "", 1024)
	want := eval[[]string](x, names)
	if len(want) != 30 || want[0] != "Row01" {
		t.Fatalf("%q", want)
	}
	const median = `[...document.querySelectorAll("th .sort")].find(b => b.textContent === "median").click()`
	ascending := slices.Clone(want)
	slices.SortFunc(ascending, func(a, b string) int {
		at := func(n string) int { return (slices.Index(want, n) + 1) * 7 % 30 }
		return at(a) - at(b)
	})
	eval[any](x, median+"; 0")
	if got := eval[[]string](x, names); !slices.Equal(got, ascending) {
		t.Errorf("ascending: %q", got)
	}
	address := eval[string](x, "location.hash")
	eval[any](x, median+"; 0")
	if got := eval[[]string](x, names); got[0] != ascending[29] || got[29] != ascending[0] {
		t.Errorf("descending: %q", got)
	}
	if got := eval[string](x, `document.querySelector("[aria-sort]").getAttribute("aria-sort")`); got != "descending" {
		t.Errorf("the column says %q", got)
	}
	eval[any](x, median+"; 0")
	if got := eval[[]string](x, names); !slices.Equal(got, want) {
		t.Errorf("after three clicks: %q", got)
	}
	again := openPage(t, page, strings.TrimPrefix(address, "#"), 1024)
	if got := eval[[]string](again, names); !slices.Equal(got, ascending) {
		t.Errorf("opened at %s: %q", address, got)
	}
}

// TestFilter: only rows whose name matches are shown, and an expression that is none says so.
func TestFilter(t *testing.T) {
	page := manyRows(t)
	x := openPage(t, page, "find0=row1", 1024)
	if got := eval[[]string](x, names); len(got) != 9 || got[0] != "Row11" {
		t.Errorf("%q", got)
	}
	status := `document.querySelector("[role=status]").textContent`
	if got := eval[string](x, status); got != "9 of 30 rows" {
		t.Errorf("%q", got)
	}
	eval[any](x, `{ const i = document.querySelector("input[type=search]"); i.value = "("; i.dispatchEvent(new Event("input")); 0 }`)
	if got := eval[string](x, status); got != "no regular expression" {
		t.Errorf("%q", got)
	}
}

// copied is what a button puts on the clipboard.
func (x *tab) copied(button string) string {
	eval[any](x, `navigator.clipboard.writeText = async (t) => { window.copied = t }; 0`)
	eval[any](x, `[...document.querySelectorAll("button")].find(b => b.textContent === "`+button+`").click(); 0`)
	return eval[string](x, "window.copied")
}

// TestCopy: a table as CSV and Markdown has the names as they are.
func TestCopy(t *testing.T) {
	x := openPage(t, manyRows(t), "", 1024)
	lines, err := csv.NewReader(strings.NewReader(x.copied("copy as CSV"))).ReadAll()
	if err != nil || len(lines) != 32 {
		t.Fatalf("%d lines, %v: %q", len(lines), err, lines)
	}
	if got := strings.Join(lines[0], "|"); !strings.HasPrefix(got, "benchmark|median|95 % interval|") {
		t.Errorf("%q", got)
	}
	if lines[11][0] != `</script><img src=x onerror=alert(1)>` {
		t.Errorf("%q", lines[11])
	}
	md := x.copied("copy as Markdown")
	if !strings.Contains(md, `| \</script\>\<img src=x onerror=alert(1)\> |`) {
		t.Errorf("%s", md)
	}
}

// TestTheme: the switch sets light and dark against the system.
func TestTheme(t *testing.T) {
	x := openPage(t, pageOf(t, "report", golden("bench-sides")), "", 1024)
	const click = `document.querySelector("header button").click(); `
	const paper = `getComputedStyle(document.body).backgroundColor`
	const light, dark = "rgb(255, 255, 255)", "rgb(13, 17, 23)"
	for i, want := range []string{light, light, dark, light} {
		expression := paper
		if i > 0 {
			expression = click + paper
		}
		if got := eval[string](x, expression); got != want {
			t.Errorf("after %d clicks %s, want %s", i, got, want)
		}
	}
}

// TestFlame: in a page, a click widens a function, and the address keeps it.
func TestFlame(t *testing.T) {
	page := pageOf(t, "report", golden("sample"))
	x := openPage(t, page, "", 1024)
	frames := eval[[]string](x, `[...document.querySelectorAll("svg.flame g[data-n]")].map(g => g.dataset.n)`)
	if len(frames) < 5 || frames[0] != "all" {
		t.Fatalf("%q", frames)
	}
	const seen = `[...document.querySelectorAll("svg.flame g[data-n]")].filter(g => g.style.display !== "none").length`
	all := eval[int](x, seen)
	eval[any](x, `[...document.querySelectorAll("svg.flame g[data-n]")].at(-1).dispatchEvent(new MouseEvent("click", { bubbles: true })); 0`)
	zoomed := eval[int](x, seen)
	if all != len(frames) || zoomed >= all {
		t.Errorf("%d frames, of which %d are seen, and %d after a click", len(frames), all, zoomed)
	}
	again := openPage(t, page, strings.TrimPrefix(eval[string](x, "location.hash"), "#"), 1024)
	if got := eval[int](again, seen); got != zoomed {
		t.Errorf("opened again %d are seen, want %d", got, zoomed)
	}
}

// TestPrint: a page prints in light, without its tools.
func TestPrint(t *testing.T) {
	x := openPage(t, manyRows(t), "theme=dark", 1024)
	pdf, err := chromedp.Run(x.ctx, chromedp.PrintToPDF())
	if err != nil || len(pdf) < 10_000 || string(pdf[:5]) != "%PDF-" {
		t.Errorf("%d bytes, %v", len(pdf), err)
	}
	x.do(call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}))
	if got := eval[string](x, `getComputedStyle(document.querySelector(".tools")).display + " " + getComputedStyle(document.body).color`); got != "none rgb(31, 35, 40)" {
		t.Errorf("%s", got)
	}
}
