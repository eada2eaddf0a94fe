package benchrun

import (
	"errors"
	"io"
	"testing"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/golang/build"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/record"
)

// TestSideNotBuilt: a base of which nothing was built ends the run before anything is measured, because there is
// nothing to compare the others with. Another side has lost what fails there. What the machine is at fault for is
// lost nowhere.
func TestSideNotBuilt(t *testing.T) {
	progress, err := session.NewProgress(io.Discard, "none")
	if err != nil {
		t.Fatal(err)
	}
	broken, killed := errors.New("a.go:1:1: undefined: x"), errors.New("the go command was ended by a signal: killed")
	for _, c := range []struct {
		what string
		errs []error // of a's and b's binaries of two packages
		ends bool
	}{
		{"all built", []error{nil, nil, nil, nil}, false},
		{"one package of a side", []error{broken, nil, nil, nil}, false},
		{"the base", []error{broken, broken, nil, nil}, true},
		{"another side", []error{nil, nil, broken, broken}, false},
		{"everything", []error{broken, broken, broken, broken}, true},
		{"one package by the machine", []error{nil, nil, nil, killed}, true},
		{"another side by the machine", []error{nil, nil, killed, killed}, true},
	} {
		a, b := &builtSide{Side: &record.Side{Name: "a"}}, &builtSide{Side: &record.Side{Name: "b"}}
		var todo []*binary
		for _, s := range []*builtSide{a, a, b, b} {
			todo = append(todo, &binary{side: s, pkg: build.Package{ImportPath: "p"}})
		}
		built := &Built{Config: Config{Progress: progress}, sides: []*builtSide{a, b}}
		err := built.keep(todo, c.errs)
		if e := exit.As(err); c.ends != (e != nil) || c.ends && e.Code != exit.Failure {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}
