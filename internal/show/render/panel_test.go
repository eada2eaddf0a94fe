package render

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/result"
)

// TestFamilies: what is drawn together, in which groups, and how its bars are called.
func TestFamilies(t *testing.T) {
	row := func(pkg, name, side string) result.Benchmark {
		r := benchRow(pkg, name, interval(100, 98, 103), around(8, 100, 97, 105))
		r.Side = side
		return r
	}
	for _, c := range []struct {
		name string
		rows []result.Benchmark
		want []string
	}{
		{"alone in their functions", []result.Benchmark{row("m", "A", ""), row("m", "B/size=1", "")}, []string{"m: A, B/size=1"}},
		{"one parameter", []result.Benchmark{row("m", "A/size=1k", ""), row("m", "A/size=2k", "")}, []string{"A: size=1k, size=2k"}},
		{"a size groups", []result.Benchmark{row("m", "A/size=1/kind=x", ""), row("m", "A/size=2/kind=x", ""), row("m", "A/size=1/kind=y", ""), row("m", "A/size=2/kind=y", "")},
			[]string{"A: [size=1] kind=x, [size=1] kind=y, [size=2] kind=x, [size=2] kind=y"}},
		{"the first groups", []result.Benchmark{row("m", "A/kind=x/mode=s", ""), row("m", "A/kind=y/mode=s", ""), row("m", "A/kind=y/mode=t", "")},
			[]string{"A: [kind=x] mode=s, [kind=y] mode=s, [kind=y] mode=t"}},
		{"what does not differ is left out", []result.Benchmark{row("m", "A/fixed=1/ASCII/16", ""), row("m", "A/fixed=1/Mixed/16", "")}, []string{"A: ASCII, Mixed"}},
		{"sides", []result.Benchmark{row("m", "A/n=1", "old"), row("m", "A/n=1", "new"), row("m", "A/n=2", "old"), row("m", "A/n=2", "new")},
			[]string{"A: [n=1] old, [n=1] new, [n=2] old, [n=2] new"}},
		{"a key twice, and one that lacks", []result.Benchmark{row("m", "A/k=1/k=2", ""), row("m", "A/k=1/k=3", ""), row("m", "A/k=1", "")}, []string{"A: k=2, k=3, A/k=1"}},
		{"packages", []result.Benchmark{row("m", "A/n=1", ""), row("m", "A/n=2", ""), row("o", "A", "")}, []string{"A (m): n=1, n=2", "o: A"}},
	} {
		p := newView(newSummary(c.rows...), Options{UTF8: true})
		var got []string
		for _, f := range p.families() {
			var members []string
			for _, m := range f.members {
				text := m.label
				if m.group != "" {
					text = fmt.Sprintf("[%s] %s", m.group, m.label)
				}
				members = append(members, text)
			}
			got = append(got, f.name+": "+strings.Join(members, ", "))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\ngot  %q\nwant %q", c.name, got, c.want)
		}
	}
}

// TestPanels: families without the unit, or with nothing of it, have no chart; one of too many bars says so.
func TestPanels(t *testing.T) {
	var rows []result.Benchmark
	for i := range maxBars + 7 {
		rows = append(rows, benchRow("m", fmt.Sprintf("A/i=x%d", i), interval(100, 98, 103), around(8, 100, 97, 105), constant("B/op", 0, 8)))
	}
	p := newView(newSummary(rows...), Options{UTF8: true})
	if got := panels(p.families(), "B/op"); len(got) != 0 {
		t.Errorf("%d charts of nothing", len(got))
	}
	if got := panels(p.families(), "VmRSS-B"); len(got) != 0 {
		t.Errorf("%d charts of what was not measured", len(got))
	}
	got := panels(p.families(), "ns/op")
	if len(got) != 1 || len(got[0].items) != maxBars {
		t.Fatalf("%d charts", len(got))
	}
	if c := got[0].bars(p, 0.95); len(c.Notes) != 1 || !strings.HasPrefix(c.Notes[0], "the first 80 of 87") || c.Bars[0].Lo >= c.Bars[0].Hi {
		t.Errorf("notes %q, first bar %+v", c.Notes, c.Bars[0])
	}
}
