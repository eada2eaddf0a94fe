// Package selftest shows to people what a self-test found: how often each of two ways of
// measuring called a binary different from itself, and which changes the machine can show.
package selftest

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/numbers/aatest"
	"github.com/tarebench/tare/internal/show/table"
	"github.com/tarebench/tare/internal/show/textpage"
	"github.com/tarebench/tare/stat"
)

// text is a self-test being written.
type text struct {
	*textpage.Page
	*aatest.Result
}

// Text writes a self-test.
func Text(w io.Writer, r *aatest.Result, o textpage.Options) error {
	t := text{textpage.New(o), r}
	if r.Run != nil {
		c := r.Run.Config
		t.Items(termtext.Dim, append(textpage.Machine(r.Run.Env),
			fmt.Sprintf("forks of (%d+%d) × %s, seed %s", c.Warmup, c.Iterations, units.Duration(c.Time), r.Run.Seed))...)
		t.Blank()
	}
	t.ways()
	t.smallest()
	t.benchmarks()
	t.advice()
	t.failures()
	for _, n := range r.Notes {
		t.Note(termtext.Yellow, "warning:", n.Text, n.Advice)
	}
	t.verdict()
	t.Repeat(r.Run)
	return t.Flush(w)
}

// Summary writes a self-test without its benchmarks, its advice and its notes.
func Summary(w io.Writer, r *aatest.Result, o textpage.Options) error {
	t := text{textpage.New(o), r}
	t.ways()
	t.smallest()
	t.failures()
	t.verdict()
	return t.Flush(w)
}

// ways compares the two ways.
func (t text) ways() {
	t.Para(termtext.Normal, "the same binary against itself: %s of %d+%d forks, %d of -count=%d, in alternating blocks",
		units.Plural(t.This.Windows, "window"), t.Window, t.Window, t.Usual.Windows, t.Window)
	tb := &table.Table{Columns: []table.Column{{}, {Kind: table.Right}, {Kind: table.Right}, {Kind: table.Right, Drop: 1, Quiet: true}}}
	row := func(name string, w aatest.Way) {
		l := table.Line{Cells: []table.Cell{{Text: "  " + name}}}
		if w.Windows == 0 {
			l.Rest = fmt.Sprintf("no window could be judged, of %d", w.Lost)
		} else {
			for _, s := range []string{fmt.Sprintf("%d of %d called different", w.Different, w.Windows), units.PercentTo(float64(w.Rate), 1), between(w.Lo, w.Hi)} {
				l.Cells = append(l.Cells, table.Cell{Text: s})
			}
		}
		tb.Add(l)
	}
	row("this way (forks, interleaved)", t.This)
	row(fmt.Sprintf("usual way (-count=%d, before/after)", t.Window), t.Usual)
	t.Table(tb.Fit(t.Charset, t.Columns, textpage.LeastName))
	if min(t.This.Windows, t.Usual.Windows) < t.Needed {
		t.Hang(termtext.Yellow, "  ", t.TooFew()+": the rates are rough")
	}
}

// smallest says which change is found, and by how much medians differ.
func (t text) smallest() {
	if t.This.Windows == 0 {
		return
	}
	found := "none,"
	if s := t.Smallest; !math.IsInf(float64(s.Value), 1) {
		found = units.PercentTo(float64(s.Value), 1) + " " + between(s.Lo, s.Hi)
	}
	t.Para(termtext.Normal, "smallest change found 8 times of 10: %s with %d forks a side", found, t.Window)
	line := "medians differ by up to " + medianDifference(t.This.Difference) + " this way"
	if t.Usual.Windows > 0 {
		line += ", " + medianDifference(t.Usual.Difference) + " the usual way"
	}
	t.Para(termtext.Normal, "%s (p95)", line)
}

func medianDifference(a aatest.Difference) string {
	return units.PercentTo(float64(a.Value), 1) + " " + between(a.Lo, a.Hi)
}

// between writes an interval of shares: (0.1 … 13.2).
func between(lo, hi stat.Number) string {
	bound := func(x stat.Number) string { return strings.TrimSuffix(units.PercentTo(float64(x), 1), " %") }
	return "(" + bound(lo) + units.Dots + bound(hi) + ")"
}

// benchmarks has a row for each benchmark.
func (t text) benchmarks() {
	tb := &table.Table{Columns: []table.Column{{}, {Title: "this way", Kind: table.Right}, {Title: "usual way", Kind: table.Right},
		{Title: "smallest change", Kind: table.Right}, {Title: "sd within", Kind: table.Right, Drop: 1}, {Title: "between", Kind: table.Right, Drop: 2}, {Title: "ICC", Kind: table.Right, Drop: 3}}}
	for _, b := range t.Benchmarks {
		l := table.Line{Cells: []table.Cell{{Text: "    " + t.Name(b.Name)}, {Text: called(b.This)}, {Text: called(b.Usual)}}}
		for _, x := range []stat.Number{b.Smallest.Value, b.Spread.Within, b.Spread.Between} {
			l.Cells = append(l.Cells, table.Cell{Text: units.PercentTo(float64(x), 1)})
		}
		l.Cells = append(l.Cells, table.Cell{Text: decimal(b.Spread.ICC)})
		tb.Under("  "+t.Name(b.Pkg), l)
	}
	if len(tb.Blocks) == 0 {
		return
	}
	t.Blank()
	t.Table(tb.Fit(t.Charset, t.Columns, textpage.LeastName))
	t.Items(termtext.Dim, "this way, usual way: windows called different", "sd: within forks, and between them")
	t.Blank()
}

func called(w aatest.Way) string {
	if w.Windows == 0 {
		return units.None
	}
	return fmt.Sprintf("%d of %d", w.Different, w.Windows)
}

// decimal writes a number with two decimals.
func decimal(x stat.Number) string { return units.Rounding{Places: 2}.Text(float64(x)) }

// advice says what to add, whether pairs would pay, and what each way cost.
func (t text) advice() {
	var forks, iterations []string
	most := 0.0
	for _, b := range t.Benchmarks {
		switch b.Spread.Advice {
		case aatest.AddForks:
			forks = append(forks, t.Name(b.Name))
		case aatest.AddIterations:
			iterations = append(iterations, t.Name(b.Name))
			most = math.Max(most, float64(b.Spread.Optimal))
		}
	}
	upTo := "up to " + units.Fixed(most, 0) + " a fork of this length"
	if math.IsInf(most, 1) {
		upTo = "as many as you like"
	}
	switch {
	case len(forks) > 0 && len(iterations) == 0:
		t.Para(termtext.Normal, "add forks, not iterations: processes differ, and more iterations do not make up for it")
	case len(iterations) > 0 && len(forks) == 0:
		t.Para(termtext.Normal, "add iterations, %s: processes differ little", upTo)
	case len(forks) > 0:
		t.Para(termtext.Normal, "add forks for %s; iterations, %s, for %s", strings.Join(forks, ", "), upTo, strings.Join(iterations, ", "))
	}
	t.pairs()
	if t.This.Took > 0 {
		t.Para(termtext.Normal, "forks took %s with their start and warm-up, the usual way %s for the same measured time", took(t.This.Took), took(t.Usual.Took))
	}
}

// pairs says how much alike neighbours are.
func (t text) pairs() {
	p := t.Pairs
	if len(p.Correlation) == 0 {
		return
	}
	pay := "would not pay"
	if p.Pay {
		pay = "would pay"
	}
	s := fmt.Sprintf("pairs %s: forks of a round correlate by %s (%s%s%s)", pay, decimal(p.Correlation[0]), decimal(p.Lo), units.Dots, decimal(p.Hi))
	if len(p.Correlation) > 1 {
		s += ", in the rounds after by"
		for _, x := range p.Correlation[1:] {
			s += " " + decimal(x)
		}
	}
	t.Para(termtext.Normal, "%s", s)
}

func (t text) failures() {
	for _, b := range t.Benchmarks {
		if b.Failed > 0 {
			t.Hang(termtext.Red, "failed: ", fmt.Sprintf("%s %s: %s: %s", t.Name(b.Pkg), t.Name(b.Name), units.Plural(b.Failed, "process"), t.Name(b.Why)))
		}
	}
}

// Above these the machine has other work to do.
const (
	busyLoad  = 1.0  // processes, before the first of ours
	busySteal = 0.01 // of the machine's CPU time
)

// verdict says what else was seen, and what the machine is fit for.
func (t text) verdict() {
	t.Hang(termtext.Red, "partial: ", t.Partial)
	seen := []string{"took " + took(t.Took), "steal " + units.PercentTo(float64(t.Steal), 1)}
	if t.Load > 0 {
		seen = append(seen, "load "+units.Fixed(t.Load, 1)+" at the start")
	}
	t.Items(termtext.Normal, seen...)
	v, advice := t.Verdict, ""
	if v.Fit == aatest.Unfit && (t.Load >= busyLoad || float64(t.Steal) >= busySteal) {
		advice = "the machine was busy with other things: try again when it is quiet"
	}
	switch v.Fit {
	case aatest.Fit:
		t.Note(termtext.Green, "verdict:", fmt.Sprintf("fit for comparisons of %s and more with %d forks a side (assuming that %s)",
			units.PercentTo(float64(v.Change), 1), aatest.DefaultForks, t.Smallest.Assumption), "")
	case aatest.Unfit:
		t.Note(termtext.Red, "verdict:", "not fit: "+strings.Join(v.Reasons, "; "), advice)
	default:
		t.Note(termtext.Yellow, "verdict:", "none: "+strings.Join(v.Reasons, "; "), "")
	}
}

// took rounds a duration for people.
func took(ns int64) string {
	d, step := time.Duration(ns), 100*time.Millisecond
	if d < 10*time.Second {
		step = 10 * time.Millisecond
	}
	return units.Duration(d.Round(step))
}
