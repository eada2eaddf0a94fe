package calibration

import (
	"slices"

	"github.com/tarebench/tare/record"
)

// AddLook keeps the shortest time that the benchmark measured for n operations. Waits only lengthen it.
func (s *Search) AddLook(n int64, its []Iteration) {
	least := 0.0
	for _, i := range its {
		if i.Timed > 0 && (least == 0 || i.Timed < least) {
			least = i.Timed
		}
	}
	if least == 0 {
		return
	}
	at, found := slices.BinarySearchFunc(s.seen, n, func(l record.CalibrationLook, n int64) int { return int(min(1, max(-1, l.N-n))) })
	if found {
		s.seen[at].Ns = min(s.seen[at].Ns, least)
		return
	}
	s.seen = slices.Insert(s.seen, at, record.CalibrationLook{N: n, Ns: least})
}
