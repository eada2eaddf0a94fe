package bench

import (
	"testing"

	"github.com/tarebench/tare/record"
)

// warning is a warning about the benchmark. detail is about one window.
type warning struct {
	*record.Warn
	detail string
}

// send sends the results of the last window to tare. It also logs warnings through testing.
func (s *benchmark) send(b *testing.B, c *config) {
	b.Helper()
	p, r := process.pipeWriter(), s.result
	if s.iter == 1 {
		s.sendFloor(p)
		if r.clock > 0 {
			p.say(&record.Overhead{Clock: float64(r.clock)})
		}
	}
	r.send(p, s, record.PhaseMeasure, s.iter)
	for _, d := range r.warnings {
		if !s.warned[d.Code] { // one of each kind per process is enough
			p.say(d.Warn)
		}
		s.warned[d.Code] = true
		b.Logf("bench: %s; %s", d.Text, d.detail)
	}
	p.flush()
}

// sendFloor sends the floors.
func (s *benchmark) sendFloor(p *pipeWriter) {
	if !s.floorMeasured {
		return
	}
	send := func(x *score) {
		if floor := x.floor; floor > 0 {
			p.say(&record.Sample{
				Iter: 1, Phase: record.PhaseBaseline, Role: x.role, T: x.from,
				V: record.Values{{Unit: "ns/op", Value: floor}},
			})
		}
	}
	for i := range s.result.roles {
		send(&s.result.roles[i])
	}
	send(&s.result.whole)
}
