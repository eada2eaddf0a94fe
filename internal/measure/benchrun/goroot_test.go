package benchrun

import (
	"slices"
	"testing"
)

// TestGoroot: forks find the Go that built their binary, unless their environment names another.
func TestGoroot(t *testing.T) {
	f := fakeFound(t, openRecord(t), 0)
	f.bins[0].built.Root, f.bins[1].built.Root = "/go/one", "/go/two"
	f.forks.Environ = []string{"A=1"}
	f.sides[1].Setenv = []string{"A=2"}
	if got := f.sideEnviron(f.sides[0]); !slices.Equal(got, []string{"A=1", "GOROOT=/go/one"}) {
		t.Errorf("%q", got)
	}
	if got := f.sideEnviron(f.sides[1]); !slices.Contains(got, "A=2") || !slices.Contains(got, "GOROOT=/go/two") || slices.Contains(got, "A=1") {
		t.Errorf("%q", got)
	}
	f.sides[1].Setenv = []string{"GOROOT=/side"}
	f.forks.Environ = []string{"GOROOT=/user"}
	if got := f.sideEnviron(f.sides[0]); !slices.Equal(got, []string{"GOROOT=/user"}) {
		t.Errorf("%q", got)
	}
	if got := f.sideEnviron(f.sides[1]); !slices.Equal(got, []string{"GOROOT=/side"}) {
		t.Errorf("%q", got)
	}
}
