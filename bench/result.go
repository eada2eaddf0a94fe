package bench

import (
	"math"
	"slices"
	"testing"

	"github.com/tarebench/tare/record"
)

// A result is what a window came to.
type result struct {
	roles  []score // of roles that have a name
	whole  score
	clock  int64 // subtracted from latencies, ns
	doubts []doubt
}

// resultOf makes the result of a window that has ended well.
func resultOf(win *window, c *config, o outcome) *result {
	r := &result{whole: scoreOf("", win.workers)}
	single := len(win.crews) == 1
	for _, crew := range win.crews {
		s := scoreOf(crew.cfg.Name, crew.workers)
		if crew.tracks != nil {
			s.listen(crew.workers)
		}
		s.vs = s.values(c)
		if crew.cfg.Name != "" {
			r.roles = append(r.roles, s)
		} else if single {
			r.whole = s
		}
	}
	if len(r.roles) > 0 { // counts and latencies are those of the roles
		r.whole.counts = nil
		r.whole.vs = r.whole.values(c)
	}
	r.whole.vs = append(r.whole.vs, memory(win, o)...)
	return r
}

// memory is what was allocated per operation, by all that was done between the
// starts of the bodies and their ends. Operations outside of the workers' windows
// are in it on both sides of the division.
func memory(win *window, o outcome) record.Values {
	var ops int64
	for _, w := range win.workers {
		ops += w.own.total * w.per
	}
	if ops <= 0 {
		return nil
	}
	return record.Values{
		{Unit: "B/op", Value: float64(o.bytes) / float64(ops)},
		{Unit: "allocs/op", Value: float64(o.objects) / float64(ops)},
	}
}

// report gives the result to testing, in place of what it measured itself. With
// b.N set to all operations, and the timer having run for the whole window,
// testing does not call the function again. If the timer has not, it does until
// it has asked for maxN; it then must believe that it gets there in big steps.
func (r *result) report(b *testing.B, s *subject) {
	//lint:ignore SA3001 b.N is what testing divides by and prints
	b.N = int(min(r.whole.ops, math.MaxInt))
	if a := readFlags(); a.count == 0 && b.Elapsed() < a.length && s.n < maxN {
		//lint:ignore SA3001 as above
		b.N = int(min(maxN, math.MaxInt64/4/int64(a.length))) // testing multiplies the two
	}
	if !slices.ContainsFunc(r.whole.vs, func(v record.Value) bool { return v.Unit == "ns/op" }) {
		b.ReportMetric(0, "ns/op") // testing prints none then
	}
	for _, v := range r.whole.vs {
		b.ReportMetric(v.Value, v.Unit)
	}
	for _, s := range r.roles {
		for _, v := range s.vs {
			b.ReportMetric(v.Value, s.role+"-"+v.Unit)
		}
	}
	if r.whole.floor > 0 {
		b.ReportMetric(r.whole.floor, "floor-ns/op")
	}
	if r.clock > 0 {
		b.ReportMetric(float64(r.clock), "clock-ns")
	}
}

// maxN is the most that testing asks for.
const maxN = 1e9

// setFloors gives the scores what empty bodies took, per operation.
func (r *result) setFloors(s *subject) {
	set := func(x *score) {
		if x.perNext > 0 {
			x.floor = s.floor[x.role] / x.perNext
		}
	}
	set(&r.whole)
	for i := range r.roles {
		set(&r.roles[i])
	}
}
