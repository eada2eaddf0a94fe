package plantext

import (
	"strings"
	"testing"

	"github.com/tarebench/tare/record"
)

// TestList: a benchmark has one line, at once and whatever its sides, and what it prints is no control character.
func TestList(t *testing.T) {
	var out strings.Builder
	cases := []*record.Case{{Pkg: "p", Name: "A", Procs: 1}, {Pkg: "p", Name: "A", Procs: 2, Side: "new"}, {Pkg: "q", Name: "A/\x1b[31mx"}}
	l := NewLister(&out)
	for i, c := range cases {
		l.Add(c)
		if i == 0 && out.String() != "p A\n" {
			t.Errorf("%q", out.String())
		}
	}
	if err := l.Close([]string{"p B: fails: exit\nstatus\x07 2"}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	if len(lines) != 4 || lines[0] != "p A" || !strings.HasPrefix(lines[1], "q A/") || !strings.HasPrefix(lines[2], "p B: fails: exit; status") {
		t.Errorf("%q", lines)
	}
	if strings.ContainsAny(out.String(), "\x1b\x07") {
		t.Errorf("control characters in %q", out.String())
	}
}
