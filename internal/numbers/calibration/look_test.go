package calibration

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tarebench/tare/record"
)

// TestLooks: the search keeps the shortest time of each N, in order.
func TestLooks(t *testing.T) {
	s := &Search{}
	for _, look := range []struct {
		n     int64
		timed []float64
	}{{1, []float64{90, 80, 0}}, {900, []float64{500}}, {30, []float64{200, 210}}, {30, []float64{190, 250}}, {7, []float64{0}}, {8, nil}} {
		var its []Iteration
		for _, ns := range look.timed {
			its = append(its, Iteration{Wall: 1000, Timed: ns})
		}
		s.AddLook(look.n, its)
	}
	if want := []record.CalibrationLook{{N: 1, Ns: 80}, {N: 30, Ns: 190}, {N: 900, Ns: 500}}; !slices.Equal(s.Result().Seen, want) {
		t.Errorf("%v, want %v", s.Result().Seen, want)
	}
	r, _ := quiet.search(rand.New(rand.NewPCG(1, 2)), subject{op: 96}, 50*ms)
	if len(r.Seen) < 2 || r.Seen[0].N != 1 || r.Seen[len(r.Seen)-1].N < r.N/3 {
		t.Errorf("a search kept %v, N is %d", r.Seen, r.N)
	}
}
