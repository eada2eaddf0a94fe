package render

import (
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/stat"
)

// TestShiftNotes: what moved is said by its name where not everything has moved alike, and nothing where it has.
func TestShiftNotes(t *testing.T) {
	shift := func(quantity string, ratio, lo, hi float64) *result.Shift {
		return &result.Shift{Quantity: quantity, Ratio: result.Number(ratio), Lo: result.Number(lo), Hi: result.Number(hi)}
	}
	same, slower, faster := shift("", 1, 0.99, 1.01), shift("", 1.06, 1.04, 1.08), shift("", 0.9, 0.88, 0.92)
	gc := *shift("GC cycles", 2.1, 1.9, 2.3)
	for _, c := range []struct {
		undisturbed, typical *result.Shift
		also                 []result.Shift
		want                 string
	}{
		{nil, nil, []result.Shift{gc}, ""},
		{same, same, nil, ""},
		{slower, slower, nil, ""},
		{same, slower, nil, "typical iterations changed by +6.0 %, undisturbed ones are unchanged within ± 1.0 %"},
		{same, slower, []result.Shift{gc}, "typical iterations changed by +6.0 %, undisturbed ones are unchanged within ± 1.0 %; GC cycles changed by +110 %"},
		{same, same, []result.Shift{gc}, "GC cycles changed by +110 % (no verdict depends on it)"},
		{faster, slower, nil, "undisturbed iterations changed by -10 %, but typical ones by +6.0 %: no verdict covers both"},
		{slower, shift("", 1.2, 1.15, 1.25), nil, "undisturbed iterations changed by +6.0 %, typical ones by +20 %"},
	} {
		var got []string
		for _, w := range shiftNotes(&result.Comparison{Undisturbed: c.undisturbed, Typical: c.typical, Also: c.also}) {
			got = append(got, w.Text)
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%+v, %+v, %+v: %q, want %q", c.undisturbed, c.typical, c.also, s, c.want)
		}
	}
	ws := shiftNotes(&result.Comparison{Undisturbed: same, Typical: slower, Unseen: []string{result.QuantityCollection}})
	if len(ws) != 1 || !strings.HasSuffix(ws[0].Text, "unchanged within ± 1.0 %, as by garbage collection (--deep counts it)") {
		t.Errorf("%+v", ws)
	}
}

// TestOtherRatio: ratios that are not those of the medians beside them are said to be others, once.
func TestOtherRatio(t *testing.T) {
	alloc := result.Comparison{Old: 10200, New: 600, Ratio: 0.131, Lo: 0.12, Hi: 0.14, By: stat.ByUndisturbed, Undisturbed: &result.Shift{}}
	alike, typical, u := alloc, alloc, alloc
	alike.New = 1300
	typical.By = stat.ByTypical
	u.Undisturbed = nil
	for _, c := range []struct {
		rows []result.Comparison
		want int
	}{{nil, 0}, {[]result.Comparison{alike, typical, u}, 0}, {[]result.Comparison{alike, alloc, alloc}, 1}} {
		v := versus{blocks: []pairBlock{{}}}
		for i := range c.rows {
			v.blocks[0].pairs = append(v.blocks[0].pairs, pair{main: &ratio{c: &c.rows[i]}})
		}
		if got := v.ratioNote(); len(got) != c.want {
			t.Errorf("%+v: %q", c.rows, got)
		}
	}
}

// TestCounts: a verdict that is not trusted is not counted among those that are.
func TestCounts(t *testing.T) {
	var got []string
	for _, c := range counts([]*result.Comparison{
		{Main: true, Verdict: slower}, {Main: true, Verdict: undecided, Trusted: true}, {Verdict: faster, Trusted: true},
	}) {
		got = append(got, c.String())
	}
	if want := "0 faster, 0 slower, 0 equivalent, 1 inconclusive, 1 slower (?)"; strings.Join(got, ", ") != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestUnseen: quantities that were not compared are said once, with how many rows they are of.
func TestUnseen(t *testing.T) {
	row := func(unseen ...string) pair {
		return pair{main: &ratio{c: &result.Comparison{Undisturbed: &result.Shift{}, Unseen: unseen}}}
	}
	gc, tail := result.QuantityCollection, result.QuantityTail
	for _, c := range []struct {
		rows []pair
		want string
	}{
		{nil, ""},
		{[]pair{row(), row()}, ""},
		{[]pair{row(gc), row(gc)}, "not compared: GC cycles (--deep counts them)"},
		{[]pair{row(gc), row(gc, tail)}, "not compared: GC cycles (--deep counts them), slowest iterations of 1 of 2 rows (it takes 4 iterations a fork)"},
		{[]pair{row(tail), {main: &ratio{c: &result.Comparison{}}}}, "not compared: slowest iterations (it takes 4 iterations a fork)"},
	} {
		v := versus{blocks: []pairBlock{{pairs: c.rows}}}
		if got := strings.Join(v.unseen(), "|"); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
