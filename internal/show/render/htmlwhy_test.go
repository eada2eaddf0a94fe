package render

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/attached"
	"github.com/tarebench/tare/internal/result/why"
	"github.com/tarebench/tare/internal/show/subjects/whytext"
	"github.com/tarebench/tare/internal/show/webpage"
	"github.com/tarebench/tare/record"
)

// explained returns a result of two sides in which a function of the package name executes more instructions and allocates more.
func explained(name string) *result.Result {
	counts := func(first, second int64) *record.Instructions {
		return &record.Instructions{
			Ops: 10, Total: first + second, Files: []string{"/m/p.go"},
			Functions: []record.InstructionFunction{{Name: name + ".f", Part: record.PartOwn, Count: first + second, Lines: []record.InstructionLine{{Line: 7, Count: first}, {Line: 9, Count: second}}}},
		}
	}
	allocs := func(objects int64) *record.Allocs {
		return &record.Allocs{Windows: 2, Ops: 100, Objects: objects, Bytes: 16 * objects, Sites: []record.AllocSite{
			{Func: name + ".f", File: "/m/p.go", Line: 7, Type: "p.T", Size: 16, AllocCount: record.AllocCount{Objects: objects, Bytes: 16 * objects}},
		}}
	}
	side := func(side string, n int64) result.Benchmark {
		b := result.Benchmark{Pkg: name, Name: "B", Procs: 2, Side: side, Unit: "ns/op", Forks: 2, Values: []result.Number{1, 2}, Interval: result.Interval{Median: 1, Lo: 1, Hi: 2}}
		b.Instructions = attached.AddInstructions([]*record.Instructions{counts(1000*n, 500)})
		b.Allocs = attached.MedianAllocs([]*record.Allocs{allocs(100 * n)})
		return b
	}
	res := &result.Result{Results: []result.Benchmark{side("old", 1), side("new", 3)}}
	res.Comparisons = []result.Comparison{{Pkg: name, Name: "B", Procs: 2, Base: "old", Side: "new", Unit: "ns/op", Main: true, Old: 100, New: 200, Ratio: 2, Lo: 1.9, Hi: 2.1, Verdict: "slower", Reasons: []string{"x"}}}
	c := result.CountedInstructions{Pkg: name, Name: "B", Procs: 2, Base: "old", Side: "new"}
	c.InstructionChanges = *attached.CompareInstructions(res.Results[0].Instructions, res.Results[1].Instructions)
	res.Counted = []result.CountedInstructions{c}
	return res
}

// whyOf returns the section of a page that says what made the difference; "" if there is none.
func whyOf(t *testing.T, s *result.Result) string {
	t.Helper()
	text := pageOf(t, s)
	checkMarkup(t, "why", text)
	_, after, ok := strings.Cut(text, ">What made the difference</h2>")
	if !ok {
		return ""
	}
	section, _, _ := strings.Cut(after, "</section>")
	return section
}

func TestHTMLWhy(t *testing.T) {
	text := whyOf(t, explained("example.org/m/p"))
	compareGolden(t, filepath.Join("testdata", "why.section.html"), []byte(text))
	for _, want := range []string{"2.00 × (1.90 … 2.10) slower (?)", "shares of the added instructions, not of time", "p.go:7", "not explained", `class="bar"`, "B: (?) not trusted: x", "B: not measured: --prof compiler,asm,sched"} {
		if !strings.Contains(text, want) {
			t.Errorf("the section lacks %q", want)
		}
	}
}

// TestHTMLWhyNot: there is no section without profilers, without a change, and without sides.
func TestHTMLWhyNot(t *testing.T) {
	bare, same := explained("m"), explained("m")
	bare.Counted = nil
	for i := range bare.Results {
		bare.Results[i].Instructions, bare.Results[i].Allocs = nil, nil
	}
	same.Comparisons[0].Verdict = "equivalent"
	for name, s := range map[string]*result.Result{"bare": bare, "same": same, "alone": newSummary()} {
		if text := whyOf(t, s); text != "" {
			t.Errorf("%s: %s", name, text)
		}
	}
}

func TestHTMLWhyHostile(t *testing.T) {
	text := whyOf(t, explained("</table><script>alert(1)</script>\x1b[31m\u202e"))
	if text == "" || strings.Contains(text, "<script") || strings.ContainsAny(text, "\x1b\u202e") {
		t.Errorf("%q", text)
	}
}

func TestWiden(t *testing.T) {
	for _, c := range []struct {
		shares []float64
		want   webpage.Axis
	}{
		{nil, webpage.Axis{Lo: 0, Hi: 1}},
		{[]float64{0.2, 1, math.NaN()}, webpage.Axis{Lo: 0, Hi: 1}},
		{[]float64{-0.1, 1.3}, webpage.Axis{Lo: -0.25, Hi: 1.5}},
		{[]float64{-70, math.Inf(1)}, webpage.Axis{Lo: -1, Hi: 2}},
	} {
		r := &whytext.Row{}
		for _, s := range c.shares {
			r.Answer.Causes = append(r.Answer.Causes, why.Cause{Share: why.Share{Value: s}})
		}
		got := webpage.Axis{Hi: 1}
		if widen(&got, r); got != c.want {
			t.Errorf("%v: %+v, want %+v", c.shares, got, c.want)
		}
	}
}
