package gather

import (
	"testing"

	"github.com/tarebench/tare/internal/result"
)

// TestChanged: the largest change comes first.
func TestChanged(t *testing.T) {
	res := &result.Result{Comparisons: []result.Comparison{
		{Name: "a", Main: true, Unit: "ns/op", Verdict: "slower", Ratio: 1.2}, {Name: "b", Main: true, Unit: "ns/op", Verdict: "faster", Ratio: 0.5},
		{Name: "c", Main: true, Unit: "ns/op", Verdict: "equivalent", Ratio: 3}, {Name: "d", Unit: "ns/op", Verdict: "slower", Ratio: 9},
		{Name: "e", Main: true, Unit: "B/op", Verdict: "slower", Ratio: 9}, {Name: "f", Main: true, Unit: "ns/op", Verdict: "slower", Ratio: 1.9},
	}}
	for _, c := range []struct {
		all  bool
		most int
		want string
	}{{false, 9, "bfa"}, {false, 2, "bf"}, {true, 9, "cbfa"}} {
		got := ""
		for _, x := range Changed(res, c.all, c.most) {
			got += x.Name
		}
		if got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}
