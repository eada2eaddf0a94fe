package runner

import (
	"errors"
	"io"
	"testing"

	"github.com/tarebench/tare/internal/build"
	"github.com/tarebench/tare/internal/exit"
	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/record"
)

// TestSideNotBuilt: a side of which nothing was built ends the run before anything is measured, because there is nothing to
// compare the others with. One package of several may fail.
func TestSideNotBuilt(t *testing.T) {
	progress, err := session.NewProgress(io.Discard, "none")
	if err != nil {
		t.Fatal(err)
	}
	killed := errors.New("the go command was ended by a signal: killed")
	for _, c := range []struct {
		what string
		errs []error // of a's and b's binaries of two packages
		ends bool
	}{
		{"all built", []error{nil, nil, nil, nil}, false},
		{"one package of a side", []error{killed, nil, nil, nil}, false},
		{"the base", []error{killed, killed, nil, nil}, true},
		{"another side", []error{nil, nil, killed, killed}, true},
		{"everything", []error{killed, killed, killed, killed}, true},
	} {
		a, b := &side{Side: &record.Side{Name: "a"}}, &side{Side: &record.Side{Name: "b"}}
		var todo []*binary
		for _, s := range []*side{a, a, b, b} {
			todo = append(todo, &binary{side: s, pkg: build.Package{ImportPath: "p"}})
		}
		built := &Built{Config: Config{Progress: progress}, sides: []*side{a, b}}
		err := built.keep(todo, c.errs)
		if e := exit.As(err); c.ends != (e != nil) || c.ends && (e.Code != exit.Failure || !e.Printed) {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}
