package textpage

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/result"
)

func stopped(row, figure string, severity float64) result.Warning {
	return result.Warning{
		Code: diagnosis.TimerStopped, Text: "the timer ran for " + figure + " of " + row, Advice: "use a larger --time",
		Figure: figure, Severity: severity,
	}
}

func exampleNotes() *Notes {
	n := &Notes{}
	n.Row("A", []result.Warning{stopped("A", "40 %", 0.6)})
	n.Row("B", []result.Warning{stopped("B", "0.9 %", 0.991), {Code: diagnosis.Bimodal, Text: "two groups of forks: 7 near 1 ns, 3 near 2 ns", Advice: "look at layouts"}})
	n.Row("C", nil)
	n.Row("D", []result.Warning{{Code: "x", Text: "something", Advice: "use a larger --time"}})
	n.Run(result.Warning{Code: "other", Text: "about the run"}, result.Warning{Code: diagnosis.Steal, Text: "1.8 % stolen", Advice: "wait"})
	return n
}

func TestNotes(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{UTF8: true}, `machine: 1.8 % stolen → wait
warning: about the run
¹ timer mostly stopped: 2 of 4 rows (worst 0.9 %: B) → use a larger --time
² two groups of forks: 7 near 1 ns, 3 near 2 ns
  → the machine may be the cause: see above, and measure again when it is quiet
³ something → as note 1
`},
		{Options{Verbose: true, Width: 60}, `machine: 1.8 % stolen -> wait
warning: about the run
[1] timer mostly stopped: 2 of 4 rows (worst 0.9 %: B)
    -> use a larger --time
    A: the timer ran for 40 % of A
    B: the timer ran for 0.9 % of B
[2] two groups of forks: 7 near 1 ns, 3 near 2 ns
    -> the machine may be the cause: see above, and measure
       again when it is quiet
[3] something -> as note 1
`},
	} {
		p := New(c.o)
		p.Notes(exampleNotes())
		var b bytes.Buffer
		p.WriteTo(&b)
		if b.String() != c.want {
			t.Errorf("got:\n%swant:\n%s", b.String(), c.want)
		}
	}
}

// TestMarks: a row's notes are numbered in the order in which their kinds came.
func TestMarks(t *testing.T) {
	a, b := result.Warning{Code: "a", Text: "x"}, result.Warning{Code: "b", Text: "y", Advice: "z"}
	same := a
	same.Code = "other"
	var n Notes
	p := New(Options{UTF8: true})
	for i, c := range []struct {
		ws   []result.Warning
		want string
	}{
		{nil, ""}, {[]result.Warning{a}, "¹"}, {[]result.Warning{b, a}, "¹ ²"}, {[]result.Warning{same, a}, "¹"}, {[]result.Warning{b}, "²"},
	} {
		if got := p.Marks(&n, "r", c.ws); got != c.want {
			t.Errorf("%d: %q, want %q", i, got, c.want)
		}
	}
}

// TestNotesMany: notes of one kind are one, with their number and how to see all.
func TestNotesMany(t *testing.T) {
	n := &Notes{}
	for i := range 500 {
		row := fmt.Sprintf("Row%d", i)
		n.Run(result.Warning{Code: diagnosis.OtherUnits, Text: row + " reports MB/s on new alone"})
		n.Row(row, []result.Warning{
			{Code: "unnamed", Text: fmt.Sprintf("%s needs %d forks", row, i)},
			{Text: "the interval excludes 1"},
		})
	}
	for _, verbose := range []bool{false, true} {
		list := n.List(verbose)
		if want := map[bool]int{false: 3, true: 502}[verbose]; len(list) != want {
			t.Fatalf("%d notes, want %d", len(list), want)
		}
		last := list[len(list)-2:]
		if verbose {
			if len(last[0].Rows) != 500 {
				t.Errorf("%d rows", len(last[0].Rows))
			}
			continue
		}
		for i, want := range []string{"Row0 reports MB/s on new alone (and 499 more notes of this kind: -v has all)", "Row0 needs 0 forks: all rows; -v has all", "the interval excludes 1 (all rows)"} {
			if list[i].Text != want {
				t.Errorf("%q, want %q", list[i].Text, want)
			}
		}
	}
}
