package result

import (
	"math"
	"slices"

	"github.com/tarebench/tare/internal/numbers/loss"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// FloorPrefix stands before the unit of an empty body of the benchmark's shape,
// measured in the same forks: "floor-ns/op".
const FloorPrefix = "floor-"

// series summarizes the samples of one role of one fork: a few figures per unit.
type series struct {
	role  string
	units []unitSeries
	share float64 // median measured share of the iterations' wall time, an upper bound; 0 if unknown
	wall  float64 // median wall time of an iteration, ns; 0 if unknown
	ns    float64 // median measured time of an iteration, ns; 0 if unknown
	ops   int64   // operations of the last iteration
	ahead float64 // median of the measured over the wall time of an iteration, above 1 only by what the benchmark reports; 0 if unknown

	unbounded bool // share is no upper bound: it is not known how long threads waited
}

// unitSeries are the measured iterations of one unit, reduced.
type unitSeries struct {
	unit   string
	median float64
	n      int
	logM2  float64   // sum of squared deviations of the logs from their mean
	values []float64 // the first keptIterations
	ends   []float64 // first and last iteration, if there are two
	lo, hi float64   // the extreme iterations
}

// forkData is a fork that counts.
type forkData struct {
	line   record.Fork
	series []series
	times  loss.Sum // of its measured iterations
}

// A gathering is what the samples of a fork that has not ended come to: one
// number for each value. The samples themselves are not kept.
type gathering struct {
	roles []*gathered // in the order in which they appear
	times loss.Sum
}

// gathered is one role of a gathering.
type gathered struct {
	role              string
	units             []column // in the order in which they appear
	floors            []column // of an empty body of the same shape, in the order in which they appear
	ns, walls, shares []float64
	ahead             []float64
	ops               int64
	unbounded         []float64 // shares of iterations of which it is not known how long threads waited
}

// column is one unit with its values in time order.
type column struct {
	unit   string
	values []float64
}

// add takes a sample. Warm-up does not count.
func (g *gathering) add(s *record.Sample) {
	g.times.Add(s)
	r := g.role(s.Role)
	switch s.Phase {
	case record.PhaseBaseline:
		fill(&r.floors, s.V)
		return
	case record.PhaseMeasure:
		fill(&r.units, s.V)
	default:
		return
	}
	// The wall time of a first iteration includes the start of the process.
	if s.Wall > 0 && s.Iter > 1 {
		r.walls = append(r.walls, float64(s.Wall))
		if s.Ns > 0 {
			r.addShare(s)
		}
		if s.Ns > 0 && !s.Batched {
			r.ahead = append(r.ahead, float64(s.Ns)/float64(s.Wall))
		}
	}
	r.ops = s.Ops
	if s.Ns > 0 {
		r.ns = append(r.ns, float64(s.Ns))
	}
}

// addShare adds the share of an iteration in which its timer ran: an upper bound, of the time in which no thread waited
// for a processor. What runs beside the timer, as the collector between iterations, waits for all threads.
func (r *gathered) addShare(s *record.Sample) {
	if s.Delay <= 0 {
		r.unbounded = append(r.unbounded, float64(s.Ns)/float64(s.Wall))
		return
	}
	r.shares = append(r.shares, min(1, float64(s.Ns)/max(1, float64(s.Wall-s.Delay))))
}

func (g *gathering) role(name string) *gathered {
	for _, r := range g.roles {
		if r.role == name {
			return r
		}
	}
	r := &gathered{role: name}
	g.roles = append(g.roles, r)
	return r
}

// fill adds the values of one iteration to the columns of their units.
func fill(columns *[]column, vs record.Values) {
	for i, v := range vs {
		if !slices.ContainsFunc(vs[:i], func(w record.Value) bool { return w.Unit == v.Unit }) { // the first counts
			c := columnOf(columns, v.Unit, i)
			c.values = append(c.values, v.Value)
		}
	}
}

// columnOf returns the column of a unit, which it adds if it is new. It first tries the index likely, where the
// unit was in the sample before.
func columnOf(columns *[]column, unit string, likely int) *column {
	cs := *columns
	if likely < len(cs) && cs[likely].unit == unit {
		return &cs[likely]
	}
	for i := range cs {
		if cs[i].unit == unit {
			return &cs[i]
		}
	}
	*columns = append(cs, column{unit: unit})
	return &(*columns)[len(cs)]
}

// fork returns the fork that has ended.
func (g *gathering) fork(l *record.Fork) forkData {
	out := forkData{line: *l, series: g.reduce()}
	if g != nil {
		out.times = g.times
	}
	return out
}

// reduce returns one series per role of the fork.
func (g *gathering) reduce() []series {
	if g == nil {
		return nil
	}
	var out []series
	for _, r := range g.roles {
		if len(r.units)+len(r.ns) > 0 {
			out = append(out, r.reduce())
		}
	}
	return out
}

func (r *gathered) reduce() series {
	out := series{role: r.role, ns: medianOr0(r.ns), wall: medianOr0(r.walls), share: medianOr0(r.shares), ops: r.ops, ahead: medianOr0(r.ahead)}
	if len(r.shares) == 0 {
		out.share, out.unbounded = medianOr0(r.unbounded), true
	}
	for _, c := range r.units {
		out.units = append(out.units, reduceUnit(c.unit, c.values))
	}
	for _, c := range r.floors {
		out.units = append(out.units, reduceUnit(FloorPrefix+c.unit, c.values))
	}
	return out
}

func medianOr0(xs []float64) float64 {
	if len(xs) == 0 {
		return 0
	}
	return stat.Median(xs)
}

func reduceUnit(unit string, xs []float64) unitSeries {
	u := unitSeries{unit: unit, median: stat.Median(xs), n: len(xs), values: slices.Clone(xs[:min(len(xs), keptIterations)])}
	if len(xs) > 0 {
		u.lo, u.hi = slices.Min(xs), slices.Max(xs) // NaN if one is
	}
	if len(xs) < 2 {
		return u
	}
	u.ends = []float64{xs[0], xs[len(xs)-1]}
	var mean float64
	for i, x := range xs { // Welford's update
		l := math.Log(x)
		d := l - mean
		mean += d / float64(i+1)
		u.logM2 += d * (l - mean)
	}
	return u
}

func (f *forkData) role(name string) *series {
	for i := range f.series {
		if f.series[i].role == name {
			return &f.series[i]
		}
	}
	return nil
}

func (s *series) unit(name string) *unitSeries {
	for i := range s.units {
		if s.units[i].unit == name {
			return &s.units[i]
		}
	}
	return nil
}
