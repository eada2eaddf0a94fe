package browser

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	pprof "github.com/google/pprof/profile"

	"github.com/tarebench/tare/record"
)

// hostile is the name of a function that would be markup, if it could.
const hostile = `main.</title></script><img src=x onerror=alert(1)>`

// sampled returns the record of a program whose stacks were found so often: "main.main;main.f 10".
func sampled(t *testing.T, name string, stacks ...string) string {
	t.Helper()
	p := &pprof.Profile{SampleType: []*pprof.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}}}
	functions := map[string]*pprof.Location{}
	how := record.Sampled{Program: "server", Mode: record.SampledCPU, Source: record.SampledRuntime, Window: record.AsmWhole, Interval: 10_000_000, Achieved: 10_000_000, Wall: 1}
	for _, line := range stacks {
		at := strings.LastIndexByte(line, ' ')
		n := int64(0)
		if _, err := fmt.Sscan(line[at:], &n); err != nil {
			t.Fatal(err)
		}
		s := &pprof.Sample{Value: []int64{n, n * 10_000_000}}
		for _, f := range slices.Backward(strings.Split(line[:at], ";")) {
			if functions[f] == nil {
				id := uint64(len(functions) + 1)
				function := &pprof.Function{ID: id, Name: f}
				functions[f] = &pprof.Location{ID: id, Line: []pprof.Line{{Function: function}}}
				p.Function, p.Location = append(p.Function, function), append(p.Location, functions[f])
			}
			s.Location = append(s.Location, functions[f])
		}
		p.Sample = append(p.Sample, s)
		how.Samples += n
	}
	how.CPU = how.Samples * 10_000_000
	var data bytes.Buffer
	if err := p.Write(&data); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(golden("sample-cpu"))
	if err != nil {
		t.Fatal(err)
	}
	header, err := json.Marshal(how)
	if err != nil {
		t.Fatal(err)
	}
	for attachment, content := range map[string][]byte{"sampled": header, `sampled\.pb\.gz`: data.Bytes()} {
		e := regexp.MustCompile(`("name":"` + attachment + `",[^}]*"data":")[^"]*`)
		text = e.ReplaceAll(text, append([]byte("${1}"), base64.StdEncoding.EncodeToString(content)...))
	}
	file := filepath.Join(t.TempDir(), name+".jsonl")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// versions are a program before and after a change: parse takes much less, and an old function is gone.
func versions(t *testing.T) (before, after string) {
	return sampled(t, "old", "main.main;main.parse;strings.Index 400", "main.main;main.write 300", "main.main;"+hostile+" 50", "main.main;main.gone;strings.Index 250"),
		sampled(t, "new", "main.main;main.parse;strings.Index 100", "main.main;main.write 290", "main.main;"+hostile+" 60", "main.main;main.fresh 50")
}

const (
	// widths are the functions of the first flame graph that are seen, with their widths in per cent of the whole.
	widths = `[...document.querySelector("svg.flame[data-row]").querySelectorAll("g[data-n]")].filter(g => g.style.display !== "none")
		.map(g => g.dataset.n + " " + Math.round(100 * g.querySelector("rect").getAttribute("width") / (document.querySelector("svg.flame[data-row]").viewBox.baseVal.width - 2)))`
	firstSaid = `document.querySelector("figure.profile [role=status]").textContent`
)

// enter types into the field of a flame graph.
func (x *tab) enter(field, text string) {
	x.t.Helper()
	eval[int](x, fmt.Sprintf(`{ const i = document.querySelector("figure.profile input[placeholder=%s]"); i.value = %q; i.dispatchEvent(new Event("input")); 0 }`, field, text))
}

// TestFlameNarrow: search says the share that matches, focus and ignore leave whole stacks, and the address keeps them.
func TestFlameNarrow(t *testing.T) {
	before, _ := versions(t)
	page := pageOf(t, "report", before)
	x := openPage(t, page, "", 1024)
	x.enter("search", "Index")
	if got := eval[string](x, firstSaid); got != "Index: 65.0 % in 2 places" {
		t.Errorf("search: %q", got)
	}
	x.enter("focus", "parse|write")
	if got := eval[string](x, firstSaid); got != "kept: 70.0 % of all · Index: 40.0 % in 1 place" {
		t.Errorf("focus: %q", got)
	}
	if got := eval[[]string](x, widths); !slices.Equal(got, []string{"all 100", "main.main 100", "main.parse 57", "strings.Index 57", "main.write 43"}) {
		t.Errorf("focus: %q", got)
	}
	x.enter("focus", "")
	x.enter("ignore", "Index")
	if got := eval[string](x, firstSaid); got != "kept: 35.0 % of all · Index: 0.0 % in 0 places" {
		t.Errorf("ignore: %q", got)
	}
	x.enter("ignore", "(")
	if got := eval[string](x, firstSaid); !strings.Contains(got, "Invalid regular expression") {
		t.Errorf("no expression: %q", got)
	}
	x.enter("ignore", "main.write")
	again := openPage(t, page, strings.TrimPrefix(eval[string](x, "location.hash"), "#"), 1024)
	if got := eval[string](again, firstSaid); got != "kept: 70.0 % of all · Index: 65.0 % in 2 places" {
		t.Errorf("opened again: %q", got)
	}
	again.accessible("narrowed")
}

// TestDifference: widths are those of the new profile, or of the old one, and colours say what differs beyond noise.
func TestDifference(t *testing.T) {
	before, after := versions(t)
	for _, args := range [][]string{{"report"}, {"compare"}} {
		page := pageOf(t, append(args, before, after)...)
		x := openPage(t, page, "", 1024)
		if got := eval[[]string](x, widths); !slices.Contains(got, "main.parse 20") || !slices.Contains(got, "main.write 58") || slices.Contains(got, "main.gone 25") {
			t.Errorf("%s, new: %q", args, got)
		}
		eval[int](x, `document.querySelector("figure.profile button.sides").click(); 0`)
		if got := eval[[]string](x, widths); !slices.Contains(got, "main.parse 40") || !slices.Contains(got, "main.gone 25") || slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, "main.fresh") }) {
			t.Errorf("%s, old: %q", args, got)
		}
		class := func(name string) string {
			return eval[string](x, fmt.Sprintf(`[...document.querySelectorAll("svg.flame[data-row] g[data-n]")].find(g => g.dataset.n === %q).querySelector("rect").getAttribute("class")`, name))
		}
		for name, want := range map[string]string{"main.parse": "l3", "main.gone": "l3", "main.write": "g3", "main.main": "n0", "main.fresh": "g3"} {
			if got := class(name); got != want {
				t.Errorf("%s: %s has the class %s, want %s", args, name, got, want)
			}
		}
		row := eval[string](x, `[...document.querySelectorAll("table tbody tr")].find(r => r.cells[0].textContent === "main.write").textContent`)
		if !strings.Contains(row, "30.0 %") || !strings.Contains(row, "58.0 %") || !strings.Contains(row, "+28.0") || !strings.Contains(row, "more") {
			t.Errorf("%s: the row of main.write is %q", args, row)
		}
		again := openPage(t, page, strings.TrimPrefix(eval[string](x, "location.hash"), "#"), 1024)
		if got := eval[[]string](again, widths); !slices.Contains(got, "main.gone 25") {
			t.Errorf("%s, opened again: %q", args, got)
		}
		if n := eval[int](x, `document.querySelectorAll("main img[src=x]").length`); n != 0 {
			t.Errorf("%s: the name of a function became an element", args)
		}
		x.accessible("difference")
	}
}

// TestCallTree: the keyboard unfolds the tree of calls, which follows focus and ignore.
func TestCallTree(t *testing.T) {
	before, _ := versions(t)
	x := openPage(t, pageOf(t, "report", before), "", 1024)
	const items = `[...document.querySelectorAll(".calltree [role=treeitem]")].map(i => i.querySelector(".name").textContent + (i.ariaExpanded ? " " + i.ariaExpanded : ""))`
	eval[int](x, `document.querySelector("details.tree").open = true; document.querySelector(".calltree [tabindex='0']").focus(); 0`)
	press := func(keys ...string) {
		for _, k := range keys {
			eval[int](x, fmt.Sprintf(`document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: %q, bubbles: true })); 0`, k))
		}
	}
	want := []string{"all true", "main.main true", "main.parse false", "main.write", "main.gone false", hostile}
	if got := eval[[]string](x, items); !slices.Equal(got, want) {
		t.Errorf("at first: %q", got)
	}
	press("ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight")
	if got := eval[string](x, `document.activeElement.querySelector(".name").textContent`); got != "strings.Index" {
		t.Errorf("the keyboard is at %q", got)
	}
	press("ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft")
	if got := eval[[]string](x, items); !slices.Equal(got, []string{"all true", "main.main false"}) {
		t.Errorf("folded: %q", got)
	}
	press("*")
	x.enter("focus", "gone")
	if got := eval[[]string](x, items); !slices.Equal(got, []string{"all true", "main.main true", "main.gone true", "strings.Index"}) {
		t.Errorf("focus: %q", got)
	}
	if got := eval[string](x, `document.querySelector(".calltree [role=treeitem]").textContent`); !strings.HasPrefix(got, "25.0 %") {
		t.Errorf("focus: %q", got)
	}
	x.accessible("tree")
}

// TestCode: machine code is there with the jumps, and inlined functions fold.
func TestCode(t *testing.T) {
	x := openPage(t, pageOf(t, "report", golden("asm")), "", 1024)
	if n := eval[int](x, `document.querySelectorAll("details.region[open] .code div").length`); n < 10 {
		t.Errorf("%d lines of code", n)
	}
	if got := eval[string](x, `document.querySelector(".code").textContent`); !strings.Contains(got, "0x") || !strings.ContainsAny(got, "╭╰") {
		t.Errorf("%.500s", got)
	}
	if n := eval[int](x, `(() => { const d = document.querySelector(".code details"); if (!d) return -1; const open = d.offsetHeight; d.open = false; return open - d.offsetHeight; })()`); n <= 0 {
		t.Errorf("folding made it %d pixels lower", n)
	}
	x.accessible("code")
}
