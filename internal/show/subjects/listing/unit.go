package listing

import (
	"math"

	"github.com/tarebench/tare/record"

	"github.com/tarebench/tare/internal/base/units"
)

// unit writes samples as the configuration asks for.
type unit struct {
	counts Counts
	all    []int64
	ns     []float64 // CPU time of a sample for each operation; 0: the event is no clock
	places []int     // after the point, of ns
}

func newUnit(a *record.Asm, c Counts) unit {
	u := unit{counts: c}
	for _, e := range a.Events {
		u.all = append(u.all, e.Samples)
		ns := 0.0
		if a.Ops > 0 && e.Period > 0 && !math.IsInf(e.Period, 0) {
			ns = e.Period / float64(a.Ops)
		}
		u.ns = append(u.ns, ns)
		total := ns * float64(e.Samples)
		places := 0
		if total > 0 {
			places = min(max(3-int(math.Floor(math.Log10(total))), 0), 9)
		}
		u.places = append(u.places, places)
	}
	if c == PerOp && u.ns[0] == 0 {
		u.counts = Percent
	}
	return u
}

// title returns the unit of event e's column.
func (u *unit) title(e int) string {
	switch u.of(e) {
	case Raw:
		return "samples"
	case PerOp:
		return "ns/op"
	}
	return "share"
}

// of returns the unit of event e: that of a column may be another where it is no clock.
func (u *unit) of(e int) Counts {
	if u.counts == PerOp && u.ns[e] == 0 {
		return Percent
	}
	return u.counts
}

// text writes n samples of event e; none are nothing.
func (u *unit) text(e int, n int64) string {
	if n == 0 {
		return ""
	}
	switch u.of(e) {
	case Raw:
		return units.Count(n)
	case PerOp:
		return nanoseconds(u.ns[e]*float64(n), u.places[e])
	}
	return units.PercentTo(float64(n)/float64(u.all[e]), 2)
}

// perOp returns the CPU time of an operation in ns, by the first event; "" if it is not known.
func (u *unit) perOp() string {
	if u.ns[0] == 0 || u.all[0] == 0 {
		return ""
	}
	return nanoseconds(u.ns[0]*float64(u.all[0]), u.places[0])
}

// nanoseconds writes a time with so many digits after the point.
func nanoseconds(x float64, places int) string {
	if places == 0 && x < 1e15 {
		return units.Count(int64(math.Round(x)))
	}
	return units.Fixed(x, places)
}

// deviation returns the standard error of a share of n samples: that of a binomial.
func deviation(share float64, n int64) float64 {
	return math.Sqrt(share * (1 - share) / float64(n))
}

// points writes a standard error in points of percent.
func points(d float64) string { return units.Fixed(100*d, 2) }
