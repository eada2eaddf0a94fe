package calls

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/record"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/show/textpage"
)

// Text writes both views side by side, and what each of them cost. An error of w is
// returned wrapped.
func (x *Contrast) Text(w io.Writer, o Options) error {
	t := newText(o)
	binary := x.calls.t.Binary
	if binary == "" {
		binary = x.how.Program
	}
	if o.Title != "" {
		binary = o.Title
	}
	t.Items(termtext.Bold, shorten(t.Charset, t.Line(binary), t.Columns-30), "counted by probes", t.Text("sampled every "+brief(x.interval())))
	t.Blank()
	shown, rest := textpage.Cut(x.Functions, x.calls.cfg.Top)
	t.contrast(x, shown)
	if len(rest) > 0 {
		t.Para(termtext.Normal, "%s more", units.Plural(len(rest), "function"))
	}
	t.Blank()
	t.findings(x, shown)
	t.Blank()
	t.others(x)
	t.Para(termtext.Normal, "cost of tracing: %s", x.tracing())
	t.Para(termtext.Normal, "cost of sampling: %s", x.sampling())
	for _, b := range x.how.Limitations {
		t.Para(termtext.Normal, "limitations of sampling: %s", t.Line(b))
	}
	t.Warn(x.calls.warnings)
	return t.Flush(w)
}

// contrast is the table.
func (t *text) contrast(x *Contrast, of []Seen) {
	var rows []row
	calls, traced, corrected := column{title: "calls"}, column{title: "traced"}, column{title: "corrected", keep: 3}
	what := "sampled"
	if x.how.Mode == record.SampledCPU {
		what = "CPU sampled"
	}
	if t.Columns >= termtext.DefaultColumns {
		what = t.Text(what + " every " + brief(x.interval()))
	}
	sampled, off, chance := column{title: what}, column{title: t.Text("±"), keep: 2}, column{title: "P(call sampled)", keep: 1}
	for i := range of {
		s := &of[i]
		rows = append(rows, row{name: x.calls.names.of(s.Name)})
		calls.cells = append(calls.cells, count(s.Calls))
		traced.cells = append(traced.cells, x.calls.total(s.rec))
		corrected.cells = append(corrected.cells, x.calls.corrected(s.at))
		seen, deviation, p := figure{whole: "not sampled"}, figure{}, figure{}
		if s.Sampled > 0 {
			seen = duration(s.Sampled, decade(max(s.Error, 1)))
			deviation = rounded(s.Error, 0, 2)
		}
		if s.Call > 0 {
			p = probability(s.One)
		}
		sampled.cells, off.cells, chance.cells = append(sampled.cells, seen), append(off.cells, deviation), append(chance.cells, p)
	}
	t.table("function", rows, []column{calls, traced, corrected, sampled, off, chance})
}

// findings writes why the two profiles disagree on functions. Functions with the same reason share a line.
func (t *text) findings(x *Contrast, of []Seen) {
	if x.view.Total == 0 {
		t.Para(termtext.Normal, "sampling saw nothing at all: the program ended too soon for it, or did nothing that it sees")
		return
	}
	var said []string
	names := map[string][]string{}
	for i := range of {
		s := x.words(&of[i])
		if s == "" {
			continue
		}
		if names[s] == nil {
			said = append(said, s)
		}
		names[s] = append(names[s], t.Line(x.calls.names.of(of[i].Name)))
	}
	for _, s := range said {
		t.Para(termtext.Normal, "%s: %s", strings.Join(names[s], ", "), s)
	}
}

// probability returns a chance with two digits.
func probability(p float64) figure {
	switch {
	case p >= 1:
		return figure{whole: "always"}
	case p > 0.99:
		return figure{">0", ".99", ""}
	case p < 1e-4:
		return figure{"<0", ".0001", ""}
	}
	places := min(4, 1-int(math.Floor(math.Log10(p))))
	return split(units.Fixed(p, places), "")
}

// brief returns a time in ns without zeros behind the point.
func brief(ns float64) string {
	f := duration(ns, 0)
	for len(f.part) > 0 && (f.part[len(f.part)-1] == '0' || f.part == ".") {
		f.part = f.part[:len(f.part)-1]
	}
	return f.String()
}

// words returns why the two profiles disagree on a function, nothing if they agree.
func (x *Contrast) words(s *Seen) string {
	call := brief(roundTo(s.Call, 2))
	switch s.Finding {
	case Missed:
		out := fmt.Sprintf("not sampled (a call of %s is sampled with probability %s", call, probability(s.One))
		if x.how.Mode == record.SampledCPU {
			out += " if it does not wait"
		}
		if s.Calls > 1 {
			out += fmt.Sprintf(", one of %s calls with %s", units.Count(s.Calls), probability(s.Any))
		}
		return out + ")"
	case Unseen:
		return fmt.Sprintf("not sampled, although its calls, of %s each, should be: the two runs were different, or the sampler counts its time to its caller or to another name", call)
	case Distorted:
		return fmt.Sprintf("distorted by tracing: %s of its time is that of probes", percent(probes(s.rec)))
	case Waits:
		return "waiting: tracing counts the time in which it waits, and sampling by CPU time does not"
	case Differ:
		return "the difference is larger than sampling error: the two runs were different, or calls are not at random times"
	}
	return ""
}

func roundTo(ns float64, digits int) float64 {
	if !(ns >= leastTime) {
		return 0
	}
	step := decade(ns) / math.Pow10(digits-1)
	return math.Round(ns/step) * step
}

// others writes which functions without probes were sampled.
func (t *text) others(x *Contrast) {
	const few = 3
	if len(x.Others) == 0 || x.view.Total <= 0 {
		return
	}
	shown, rest := textpage.Cut(x.Others, few)
	var names []string
	for _, f := range shown {
		names = append(names, x.calls.names.of(f.Name)+" "+percent(x.view.Share(f.Self)).String())
	}
	if len(rest) > 0 {
		names = append(names, units.Count(len(rest))+" more")
	}
	t.List("sampled in functions without probes", names)
	if x.several() {
		t.Para(termtext.Normal, "shares are of the time of all goroutines, %s", rounded(float64(x.view.Total), 0, 3))
	}
	t.Blank()
}

// tracing returns what the probes cost.
func (x *Contrast) tracing() string {
	c := x.calls
	s := "probes took about " + rounded(c.added(), 0, 2).String()
	if c.all > 0 {
		s += ", " + percent(c.added()/c.all).String() + " of the time in functions with probes"
	}
	return s + slower(x.runs.Plain, x.runs.Traced)
}

// sampling returns what the samples cost.
func (x *Contrast) sampling() string {
	s := units.Plural(x.how.Samples, "sample")
	if x.how.SampleCost > 0 {
		s += " of " + rounded(x.how.SampleCost, 0, 2).String() + " each"
	}
	if x.how.Cost > 0 {
		s += ", " + percent(x.how.Cost).String() + " of the time"
	}
	return s + slower(x.runs.Plain, x.runs.Sampled)
}

// slower returns how much longer a run took than the plain one.
func slower[D ~int64](plain, watched D) string {
	if plain <= 0 || watched <= 0 {
		return ""
	}
	word, share := "longer", float64(watched)/float64(plain)-1
	if share < 0 {
		word, share = "shorter", -share
	}
	return fmt.Sprintf("; the run took %s, %s %s than the %s of one by itself", rounded(float64(watched), 0, 3), percent(share), word, rounded(float64(plain), 0, 3))
}
