package bench

import (
	"strconv"
	"testing"

	"github.com/tarebench/tare/record"
)

// doubt is a warning about the benchmark. The detail is of one window.
type doubt struct{ code, text, detail, advice string }

// tell sends everything about the last window to tare, and what is in words to
// testing, too.
func (s *subject) tell(b *testing.B, c *config) {
	b.Helper()
	p, r := this.speaker(), s.result
	if s.iter == 1 {
		s.tellFloor(p)
		if r.clock > 0 {
			p.say(&record.Tare{Clock: float64(r.clock)})
		}
	}
	r.tell(p, s, record.PhaseMeasure, s.iter)
	for _, d := range r.doubts {
		if !s.doubted[d.code] { // a record has enough with one of each process
			p.say(&record.Warn{About: record.AboutCase, Code: d.code, Text: d.text, Advice: d.advice})
		}
		s.doubted[d.code] = true
		b.Logf("bench: %s; %s", d.text, d.detail)
	}
	p.flush()
}

// tellFloor sends what empty bodies took.
func (s *subject) tellFloor(p *speaker) {
	if !s.weighed {
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

// rate writes a rate as people do, with so many significant digits.
func rate(x float64, digits int) string {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', digits-1, 64), 64)
	if err != nil {
		rounded = x
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64) + "/s"
}
