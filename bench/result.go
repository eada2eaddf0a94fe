package bench

import (
	"math"
	"slices"
	"testing"

	"github.com/tarebench/tare/record"
)

// A result is the result of one window.
type result struct {
	roles    []score // of roles that have a name
	whole    score
	clock    int64 // subtracted from latencies, ns
	warnings []warning
}

// resultOf returns the result of a window that ended without error.
func resultOf(win *window, c *config, o outcome) *result {
	r := &result{whole: scoreOf("", win.workers)}
	single := len(win.roleGroups) == 1
	for _, roleGroup := range win.roleGroups {
		s := scoreOf(roleGroup.cfg.Name, roleGroup.workers)
		if roleGroup.hists != nil {
			s.mergeLatencies(roleGroup.workers)
		}
		s.metrics = s.values(c)
		if roleGroup.cfg.Name != "" {
			r.roles = append(r.roles, s)
		} else if single {
			r.whole = s
		}
	}
	if len(r.roles) > 0 { // counts and latencies are reported by role
		r.whole.counts = nil
		r.whole.metrics = r.whole.values(c)
	}
	r.whole.metrics = append(r.whole.metrics, memory(win, o)...)
	return r
}

// memory returns bytes and objects allocated per operation from the start of the bodies to their end. Both
// counts include operations outside of the workers' windows.
func memory(win *window, o outcome) record.Values {
	var ops int64
	for _, w := range win.workers {
		ops += w.own.total * w.opsPerNext
	}
	if ops <= 0 {
		return nil
	}
	return record.Values{
		{Unit: "B/op", Value: float64(o.bytes) / float64(ops)},
		{Unit: "allocs/op", Value: float64(o.objects) / float64(ops)},
	}
}

// report passes the result to testing, in place of its own measurement. If b.N is the number of all operations
// and the timer ran for the whole window, testing does not call the function again. Otherwise testing goes on
// until b.N is maxN; a large b.N makes that few calls.
func (r *result) report(b *testing.B, s *benchmark) {
	//lint:ignore SA3001 b.N is what testing divides by and prints
	b.N = int(min(r.whole.ops, math.MaxInt))
	if a := readFlags(); a.count == 0 && b.Elapsed() < a.length && s.n < maxN {
		//lint:ignore SA3001 as above
		b.N = int(min(maxN, math.MaxInt64/4/int64(a.length))) // testing multiplies the two
	}
	if !slices.ContainsFunc(r.whole.metrics, func(v record.Value) bool { return v.Unit == "ns/op" }) {
		b.ReportMetric(0, "ns/op") // testing prints none then
	}
	for _, v := range r.whole.metrics {
		b.ReportMetric(v.Value, v.Unit)
	}
	for _, s := range r.roles {
		for _, v := range s.metrics {
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

// maxN is testing's largest b.N.
const maxN = 1e9

// setFloors sets the scores' floors: the time of empty bodies per operation.
func (r *result) setFloors(s *benchmark) {
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
