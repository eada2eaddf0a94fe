package main

import (
	"fmt"

	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
	"github.com/tarebench/tare/suites/queues"
)

// A distance is where the cores were while a window was measured.
type distance int

const (
	near    distance = iota // a cache line took less than queues.FarNs, before and after
	far                     // it took more, both times
	between                 // it took less before and more after, or the other way round
	wild                    // it took longer than a line does: the machine was busy
	unknown                 // the benchmark does not say
)

var distances = []distance{near, far}

func (d distance) String() string {
	return [...]string{"near", "far", "between", "wild", "unknown"}[d]
}

// distanceOf tells by the time of a line before a window and after it.
func distanceOf(before, after float64) distance {
	switch {
	case before == 0 || after == 0:
		return unknown
	case before > queues.WildNs || after > queues.WildNs:
		return wild
	case before < queues.FarNs && after < queues.FarNs:
		return near
	case before >= queues.FarNs && after >= queues.FarNs:
		return far
	}
	return between
}

// The units of LineNs in records.
const (
	lineBefore = "line-before-ns"
	lineAfter  = "line-after-ns"
)

// A window is what one iteration of one fork has measured: unit → value, the role
// before the unit as in consumer-op/s.
type window map[string]float64

func (w window) add(role string, vs record.Values) {
	for _, v := range vs {
		unit := v.Unit
		if role != "" {
			unit = role + "-" + unit
		}
		w[unit] = v.Value
	}
}

func (w window) distance() distance { return distanceOf(w[lineBefore], w[lineAfter]) }

// A row is one benchmark: for each distance and unit one value per fork.
type row struct {
	name   string
	params map[string]string
	forks  int
	failed int
	values map[distance]map[string][]float64
	all    map[string][]float64 // without regard to the distance
}

func newRow(name string, params []record.Param) *row {
	r := &row{name: name, params: map[string]string{}, values: map[distance]map[string][]float64{}, all: map[string][]float64{}}
	for _, p := range params {
		r.params[p.Key] = p.Value
	}
	return r
}

// addFork adds the windows of a fork. Its value at a distance is the median of the
// windows that were measured at it: windows of one process are not independent.
func (r *row) addFork(windows []window) {
	r.forks++
	by := map[distance]map[string][]float64{}
	all := map[string][]float64{}
	for _, w := range windows {
		d := w.distance()
		if by[d] == nil {
			by[d] = map[string][]float64{}
		}
		for unit, v := range w {
			by[d][unit] = append(by[d][unit], v)
			all[unit] = append(all[unit], v)
		}
	}
	for d, units := range by {
		if r.values[d] == nil {
			r.values[d] = map[string][]float64{}
		}
		for unit, vs := range units {
			r.values[d][unit] = append(r.values[d][unit], stat.Median(vs))
		}
	}
	for unit, vs := range all {
		r.all[unit] = append(r.all[unit], stat.Median(vs))
	}
}

// at is the figure of a unit over the forks at a distance.
func (r *row) at(d distance, unit string) stat.Interval {
	if r == nil {
		return stat.MedianInterval(nil, confidence)
	}
	return stat.MedianInterval(r.values[d][unit], confidence)
}

// anywhere is the figure over all forks, for what does not depend on the distance.
func (r *row) anywhere(unit string) stat.Interval {
	return stat.MedianInterval(r.all[unit], confidence)
}

// way says how elements are handed over, in words.
func (r *row) way() string {
	p := r.params
	if p["how"] != "" {
		return "JCTools " + p["queue"] + ", " + p["how"] + ", " + p["wait"]
	}
	s := p["queue"]
	switch b := p["batch"]; {
	case p["queue"] == "channel" && b != "1" && b != "":
		s += " of slices of " + b
	case p["queue"] == "BufferedBoth":
		s = fmt.Sprintf("SPSC, Buffered(%s) and BufferedConsumer", b)
	case p["queue"] == "Buffered":
		s = fmt.Sprintf("SPSC, Buffered(%s)", b)
	case p["queue"] == "BufferedConsumer":
		s = "SPSC, BufferedConsumer"
	case b != "1" && b != "":
		s += ", batches of " + b
	}
	if p["wait"] != "" && p["wait"] != string(queues.Own) {
		s += ", " + p["wait"]
	}
	return s
}
