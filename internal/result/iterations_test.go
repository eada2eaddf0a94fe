package result

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func TestIterations(t *testing.T) {
	s := read(t, `
case 1 Two
s 1 w 9
s 1 m 10 B/op=16
s 1 m 11 B/op=17
fork 1 case=1 ok
s 2 m 12
fork 2 case=1 ok
s 3 m 13 B/op=18
fork 3 case=1 failed
s 4 m B/op=19
fork 4 case=1 ok
s 5 m 14 B/op=20
fork 5 case=1 ok
`)
	r := s.Results[0]
	if want := [][]float64{{10, 11}, {12}, {14}}; !reflect.DeepEqual(r.Iterations, want) || len(r.Values) != len(want) || r.Iterated != 2 || r.SingleShot {
		t.Errorf("%+v", r)
	}
	if want := [][]float64{{16, 17}, nil, {20}}; !reflect.DeepEqual(r.Metrics[0].Iterations, want) || len(r.Metrics[0].Values) != len(want) {
		t.Errorf("%+v", r.Metrics[0])
	}
}

// What only forks of profilers reported has theirs.
func TestIterationsProfiled(t *testing.T) {
	r := read(t, `
case 1 Two
s 1 m 10
fork 1 case=1 ok
s 2 m 99 cycles/op=40
s 2 m 98 cycles/op=41
fork 2 case=1 ok purpose=counter
s 3 m 12
fork 3 case=1 ok
`).Results[0]
	if want := [][]float64{{10}, {12}}; !reflect.DeepEqual(r.Iterations, want) || r.Iterated != 1 {
		t.Errorf("%+v", r)
	}
	if m := r.Metrics[0]; m.Unit != "cycles/op" || !reflect.DeepEqual(m.Iterations, [][]float64{{40, 41}}) || len(m.Values) != 1 {
		t.Errorf("%+v", m)
	}
}

// TestIterationsBound: only a bounded part of a long fork is kept, and the full length is reported.
func TestIterationsBound(t *testing.T) {
	var b strings.Builder
	b.WriteString("case 1 Long\n")
	for i := range 100 {
		fmt.Fprintf(&b, "s 1 m %d\n", i)
	}
	b.WriteString("fork 1 case=1 ok\n")
	r := read(t, b.String()).Results[0]
	if len(r.Iterations) != 1 || len(r.Iterations[0]) != keptIterations || r.Iterations[0][31] != 31 || r.Iterated != 100 {
		t.Errorf("%+v", r)
	}
}
