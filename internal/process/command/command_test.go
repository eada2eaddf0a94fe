package command

import (
	"strings"
	"testing"
)

func TestNameSides(t *testing.T) {
	long := strings.Repeat("x", 50)
	for _, c := range []struct{ lines, want []string }{
		{[]string{"./sort-par 100"}, []string{"sort-par"}},
		{[]string{"/a/sort-par 100", "b/sort-seq 100"}, []string{"sort-par", "sort-seq"}},
		{[]string{"sort -p", "sort -s"}, []string{"sort -p", "sort -s"}},
		{[]string{"old/sort", "new/sort"}, []string{"old/sort", "new/sort"}},
		{[]string{"sleep 1", "sleep 1"}, []string{"sleep 1", "sleep 1 (2)"}},
		{[]string{"A=1 ./x", "y"}, []string{"x", "y"}},
		{[]string{"A=1 ./x", "./x"}, []string{"A=1 ./x", "./x"}},
		{[]string{"ls | wc", "wc"}, []string{"ls | wc", "wc"}},
		{[]string{"a " + long + "1", "a " + long + "2"}, []string{"…" + long[:12] + "1", "…" + long[:12] + "2"}},
		{[]string{"sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; true'", "sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; false'"}, []string{"…+1)); done; true'", "…+1)); done; false'"}},
		{[]string{"a " + long, "a " + long}, []string{"a " + long[:37] + "…", "a " + long[:37] + "… (2)"}},
	} {
		var ps []*Program
		for _, l := range c.lines {
			ps = append(ps, &Program{Line: l})
		}
		NameSides(ps)
		for i, p := range ps {
			if p.Name != c.want[i] {
				t.Errorf("%q: %q, want %q", c.lines, p.Name, c.want[i])
			}
		}
	}
}

// TestNameSidesGiven: a name that was given stays, and no other has it.
func TestNameSidesGiven(t *testing.T) {
	ps := []*Program{{Line: "./sort -n"}, {Name: "sort", Line: "sort"}, {Line: "y"}, {Name: "x", Line: "y"}}
	NameSides(ps)
	for i, want := range []string{"./sort -n", "sort", "y", "x"} {
		if ps[i].Name != want {
			t.Errorf("%q, want %q", ps[i].Name, want)
		}
	}
	ps = []*Program{{Line: "sort"}, {Line: "sort"}, {Name: "sort", Line: "sort"}, {Name: "sort (2)", Line: "sort"}}
	NameSides(ps)
	if ps[0].Name != "sort (3)" || ps[1].Name != "sort (4)" || ps[2].Name != "sort" {
		t.Errorf("%q, %q, %q", ps[0].Name, ps[1].Name, ps[2].Name)
	}
}
