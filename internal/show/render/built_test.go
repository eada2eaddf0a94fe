package render

import (
	"slices"
	"testing"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// TestBuilt: settings that all sides have stand in the header, others with their side, unless its definition has them.
func TestBuilt(t *testing.T) {
	sides := []record.Side{{Name: "old"}, {Name: "new", Flags: []string{"-race"}}}
	one := func(settings ...string) []result.Built { return []result.Built{{Settings: settings}} }
	for _, c := range []struct {
		what  string
		run   record.Run
		built []result.Built
		head  string
		new   []string
	}{
		{"as by default", record.Run{}, nil, "", nil},
		{"one side", record.Run{}, one("-race", "GOAMD64=v3"), "built with -race, GOAMD64=v3", nil},
		{"of one side only", record.Run{Sides: sides, Command: []string{"x"}}, []result.Built{{Side: "new", Settings: []string{"-race", "CGO_ENABLED=0"}}}, "", []string{"CGO_ENABLED=0"}},
		{"of both", record.Run{Sides: sides, Command: []string{"x"}}, []result.Built{{Side: "old", Settings: []string{"GOAMD64=v3"}}, {Side: "new", Settings: []string{"-race", "GOAMD64=v3"}}}, "built with GOAMD64=v3", nil},
		{"of records", record.Run{Sides: sides}, []result.Built{{Side: "new", Settings: []string{"-race"}}}, "", []string{"-race"}},
	} {
		s := &result.Result{Run: &c.run, Build: c.built}
		if got := builtWith(s); got != c.head {
			t.Errorf("%s: %q, want %q", c.what, got, c.head)
		}
		if got := ofSideAlone(s, sides[1]); !slices.Equal(got, c.new) {
			t.Errorf("%s: of a side %q, want %q", c.what, got, c.new)
		}
	}
}
