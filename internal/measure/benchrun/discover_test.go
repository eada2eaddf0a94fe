package benchrun

import (
	"testing"

	"github.com/tarebench/tare/record"
)

// TestDifferIn: benchmarks that differ in more than the key, or only in package or GOMAXPROCS, are nothing to compare.
func TestDifferIn(t *testing.T) {
	for _, c := range []struct {
		names [2]string
		pkg   string
		want  bool
	}{
		{[2]string{"Sort/impl=a/n=1", "Sort/impl=b/n=1"}, "p", true},
		{[2]string{"Sort/impl=a/n=1", "Sort/impl=b/n=2"}, "p", false},
		{[2]string{"Sort/impl=a", "Find/impl=b"}, "p", false},
		{[2]string{"Sort/impl=a", "Sort/impl=b"}, "q", false},
	} {
		cases := []*record.Case{{Pkg: "p", Name: c.names[0], Procs: 1}, {Pkg: c.pkg, Name: c.names[1], Procs: 1}}
		if got := differIn(cases, "impl"); got != c.want {
			t.Errorf("%v: %v", c, got)
		}
	}
}
