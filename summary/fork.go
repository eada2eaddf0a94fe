package summary

import (
	"math"
	"slices"

	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// A series is what remains of one role of one fork: a few figures per unit.
type series struct {
	role  string
	units []unitSeries
	share float64 // median measured share of the iterations' wall time; 0 if unknown
	wall  float64 // median wall time of an iteration, ns; 0 if unknown
	ns    float64 // median measured time of an iteration, ns; 0 if unknown
}

// unitSeries are the measured iterations of one unit, reduced.
type unitSeries struct {
	unit   string
	median float64
	n      int
	logM2  float64   // sum of squared deviations of the logs from their mean
	values []float64 // the first keptIterations
	ends   []float64 // first and last iteration, if there are two
}

// forkData is a fork that counts.
type forkData struct {
	line   record.Fork
	series []series
}

// reduce boils the samples of one fork down, one series per role in the order
// in which the roles appear. Warm-up does not count.
func reduce(samples []*record.Sample) []series {
	var out []series
	for _, role := range roles(samples) {
		var mine []*record.Sample
		for _, s := range samples {
			if s.Role == role && s.Phase == record.PhaseMeasure {
				mine = append(mine, s)
			}
		}
		if len(mine) > 0 {
			out = append(out, reduceRole(role, mine))
		}
	}
	return out
}

func roles(samples []*record.Sample) []string {
	var out []string
	seen := map[string]bool{}
	for _, s := range samples {
		if !seen[s.Role] {
			seen[s.Role] = true
			out = append(out, s.Role)
		}
	}
	return out
}

func reduceRole(role string, samples []*record.Sample) series {
	out := series{role: role}
	var order []string
	values := map[string][]float64{}
	var shares, ns, walls []float64
	for _, s := range samples {
		for _, v := range s.V {
			if values[v.Unit] == nil {
				order = append(order, v.Unit)
			}
			values[v.Unit] = append(values[v.Unit], v.Value)
		}
		if s.Wall > 0 && s.Iter > 1 {
			walls = append(walls, float64(s.Wall))
		}
		if s.Ns > 0 {
			ns = append(ns, float64(s.Ns))
			// The wall time of a first iteration includes the start of the process.
			if s.Wall > 0 && s.Iter > 1 {
				shares = append(shares, float64(s.Ns)/float64(s.Wall))
			}
		}
	}
	for _, u := range order {
		out.units = append(out.units, reduceUnit(u, values[u]))
	}
	if len(ns) > 0 {
		out.ns = stat.Median(ns)
	}
	if len(walls) > 0 {
		out.wall = stat.Median(walls)
	}
	if len(shares) > 0 {
		out.share = stat.Median(shares)
	}
	return out
}

func reduceUnit(unit string, xs []float64) unitSeries {
	u := unitSeries{unit: unit, median: stat.Median(xs), n: len(xs), values: slices.Clone(xs[:min(len(xs), keptIterations)])}
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
