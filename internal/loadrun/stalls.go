package loadrun

import (
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/record"
)

// writeStalls writes the stalls of a phase, if the database tells of them.
func (r *Runner) writeStalls(s *system, total *load.Interval) error {
	x, ok := s.db.(kv.Staller)
	if !ok || total == nil {
		return nil
	}
	for _, stall := range x.Stalls(total.Start, total.Start+total.Length) {
		if err := r.out.Write(&record.Stall{By: r.plan.Binding.Name, Start: stall.Start, Length: stall.Length}); err != nil {
			return err
		}
	}
	return nil
}
