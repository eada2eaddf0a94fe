package benchrun

import (
	"errors"
	"io"
	"testing"

	"github.com/tarebench/tare/internal/golang/build"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/record"
)

// TestKeep: without the binary that is timed, that of a profiler is of no use; without that of a profiler, the other
// is.
func TestKeep(t *testing.T) {
	p, err := session.NewProgress(io.Discard, "none")
	if err != nil {
		t.Fatal(err)
	}
	s := &builtSide{Side: &record.Side{}}
	plain := func(path string) *binary { return &binary{pkg: build.Package{ImportPath: path}, side: s} }
	of := func(path string) *binary { return plain(path).with(func(x *binary) { x.Purpose = "asm" }) }
	todo := []*binary{plain("a"), of("a"), plain("b"), of("b")}
	killed := errors.New("killed")
	for _, tt := range []struct {
		name string
		errs []error
		want []int // of todo
	}{
		{"none fails", make([]error, 4), []int{0, 1, 2, 3}},
		{"the timed one of a", []error{killed, nil, nil, nil}, []int{2, 3}},
		{"that of a profiler", []error{nil, killed, nil, nil}, []int{0, 2, 3}},
		{"both timed ones", []error{killed, nil, killed, nil}, nil},
	} {
		b := &Built{Config: Config{Progress: p}, sides: []*builtSide{s}}
		err := b.keep(todo, tt.errs)
		if (err != nil) != (tt.want == nil) || len(b.bins) != len(tt.want) {
			t.Errorf("%s: %v, %d binaries; want %d", tt.name, err, len(b.bins), len(tt.want))
			continue
		}
		for i, x := range b.bins {
			if x != todo[tt.want[i]] || x.ID != i+1 {
				t.Errorf("%s: binary %d is %s %q with ID %d", tt.name, i, x.pkg.ImportPath, x.Purpose, x.ID)
			}
		}
	}
}
