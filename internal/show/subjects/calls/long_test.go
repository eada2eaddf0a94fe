package calls

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tarebench/tare/record"
)

// interrupted is a lexer in one call of which the thread lost its processor.
func interrupted() *record.Trace {
	p := newProgram(3, "m.lex", "m.Push", "m.main")
	p.start()
	p.call(-1, 2, func(at int) {
		p.work(9e6)
		for i := range 2016 {
			p.call(at, 0, func(int) {
				p.work(100)
				if i == 100 {
					p.work(4.2e6)
				}
			})
			p.call(at, 1, func(int) { p.work(1000) })
		}
	})
	t := p.done()
	t.Probe.Loose = outside - 6
	t.Funcs[1].Loose, t.Funcs[1].Dominated = 1900, true // by looseness alone
	return t
}

// TestLong: a time that is that of one call says so, however narrow the text is, in JSON, too.
func TestLong(t *testing.T) {
	c := mustNew(t, interrupted(), Config{})
	for _, width := range []int{60, 80, 160} {
		text := strings.Join(strings.Fields(textOf(t, c, Options{Width: width})), " ")
		if want := "* 4.2 ms of the 4.4 ms of lex are one call of 2016: its first, of more work, or interrupted"; !strings.Contains(text, want) || strings.Count(text, "* ") != 2 {
			t.Errorf("no %q, or more than one mark, in %s", want, text)
		}
	}
	data, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(data), `"long_calls":1,"long_calls_ns":42`); n != 1 {
		t.Errorf("%d functions with a long call in %s", n, data)
	}
}

// TestLoose: a function is not taken for one of probes because its calls follow on short ones.
func TestLoose(t *testing.T) {
	c := mustNew(t, interrupted(), Config{})
	if text := textOf(t, c, Options{}); strings.Contains(text, "!") || strings.Contains(text, "dominated") {
		t.Errorf("its time is known:\n%s", text)
	}
	f := c.t.Funcs[1]
	if got := c.corrected(1).String(); got != "2.02 ms" { // of 2.016 ms, known to 1900 × 3 ns
		t.Errorf("%s, want 2.02 ms", got)
	}
	f.Corrected = 0.1 * f.Total
	if !f.Probes() {
		t.Error("a tenth of its time is its own, and it is not dominated")
	}
}

// TestOrder: functions are in the order of their own times without probes, of which tare
// bench has the shares.
func TestOrder(t *testing.T) {
	c := mustNew(t, watched(t), Config{})
	last := c.t.Funcs[c.order[0]].CorrectedSelf
	for _, i := range c.order {
		f := &c.t.Funcs[i]
		if f.CorrectedSelf > last {
			t.Errorf("%s took %g ns without probes, the one before it %g", f.Name, f.CorrectedSelf, last)
		}
		last = f.CorrectedSelf
	}
}

// TestNothingEstimated: an estimate of nothing is below what the function took.
func TestNothingEstimated(t *testing.T) {
	c := mustNew(t, every(), Config{})
	for _, x := range []struct {
		total, err float64
		want       string
	}{
		{3.2e6, 4e9, "<4 ms"},
		{3e6, 4e9, "<3 ms"},
		{3.2e6, 4e4, "<100 µs"},
		{0, 1e15, "<30 s"}, // nothing is known of it, but of all
		{-1, 4e9, "<10 s"},
	} {
		c.t.Funcs[0] = record.TraceFunc{Calls: 100, Timed: 2, Total: x.total, SelfError: x.err}
		if got := c.self(0).String(); got != x.want {
			t.Errorf("of %g ns, known to %g: %s, want %s", x.total, x.err, got, x.want)
		}
	}
}

// TestFlameWithoutProbes: the image and the stacks are of the times that the table is sorted by.
func TestFlameWithoutProbes(t *testing.T) {
	var svg, stacks strings.Builder
	c := mustNew(t, watched(t), Config{})
	v, err := c.View()
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Flame(&svg); err != nil {
		t.Fatal(err)
	}
	if err := c.Collapsed(&stacks); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(svg.String(), "times without probes</text>") || !strings.Contains(stacks.String(), "main.mass 292914500\n") {
		t.Errorf("times with probes in %s", stacks.String())
	}
}

// TestCorrectedTree: elements that lead back, and sums, have times without probes.
func TestCorrectedTree(t *testing.T) {
	c := mustNew(t, mutual(), Config{})
	for i := range c.t.Tree {
		if c.net[i] > c.time[i] || c.loops[i] && c.time[i] > 0 && !(c.net[i] > 0 && c.net[i] < c.time[i]) {
			t.Errorf("element %d: %g of %g ns without probes", i, c.net[i], c.time[i])
		}
	}
	var odd float64 // in each of whose calls is one of leaf
	for i, e := range c.t.Tree {
		if c.loops[i] && c.t.Funcs[e.Func].Name == "main.odd" {
			odd = c.net[i]
		}
	}
	if odd < 299_000 || odd > 303_000 {
		t.Errorf("odd took %g ns without probes, want 301 µs", odd)
	}
}

// TestShared: where others had the processors, what is left of a time has fewer digits, and
// the text says why.
func TestShared(t *testing.T) {
	fib := func(others float64) string {
		tr := &record.Trace{Mode: record.TraceExact, Clock: record.TraceCycles, Tick: 0.5, Ended: true, Calls: 635_621, Others: others,
			Probe: record.TraceProbe{Outside: 35, Inside: 19}, Added: 22.2e6,
			Funcs: []record.TraceFunc{{Name: "m.fib", Calls: 635_621, Timed: 635_621, Total: 43.6e6, Self: 43.6e6, Corrected: 21.4e6, CorrectedSelf: 21.4e6, Min: 10, Max: 43.6e6, Mean: 1300}}}
		if err := tr.Validate(); err != nil {
			t.Fatal(err)
		}
		return textOf(t, mustNew(t, tr, Config{}), Options{Width: 160})
	}
	for others, want := range map[float64][]string{
		0:    {"  43.6 ms     <40 ms  <40 ms  "},
		0.02: {"  43.6 ms     <40 ms  <40 ms  ", "other processes had 2.0 % of the processors"},
		0.56: {"  43.6 ms     <50 ms  <50 ms  ", "other processes had 56 % of the processors", "upper bounds", "-> a quieter machine"},
	} {
		text := fib(others)
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("others had %g: no %q in\n%s", others, w, text)
			}
		}
		if others < record.SharedTrace && strings.Contains(text, "upper bounds") {
			t.Errorf("bounds in\n%s", text)
		}
	}
}
