package profile

import (
	"math"

	"github.com/tarebench/tare/record"
)

// evidence finds out how many independent samples there are, of so many samples.
func (v *View) evidence(samples int64) {
	h := v.how
	if h == nil {
		return
	}
	v.draws, v.inAll = float64(samples), float64(v.Total)
	if h.Mode != record.SampledWall {
		return // each sample is independent
	}
	v.draws = float64(h.Samples)
	if h.EffectiveSamples > 0 {
		v.draws = h.EffectiveSamples
	}
	switch {
	case v.Type == record.TypeSamples:
		v.inAll = float64(h.Samples)
	case h.Wall > 0:
		v.inAll = float64(h.Wall)
	}
}

// addErrors says of functions how far off they are by chance, by what is known of all of them, or else by
// what they are. Shares are of all.
func (v *View) addErrors(list []Function, known []record.SampledError, all int64) {
	at := make(map[string]*record.SampledError, len(known))
	for i := range known {
		at[known[i].Name] = &known[i]
	}
	for i := range list {
		f := &list[i]
		if e := at[f.Name]; e != nil {
			f.SelfError, f.TotalError, f.SelfValueError, f.TotalValueError = e.SelfShare, e.TotalShare, e.Self, e.Total
			continue
		}
		f.SelfError, f.TotalError = v.chance(f.Self, all), v.chance(f.Total, all)
		f.SelfValueError, f.TotalValueError = v.off(f.Self), v.off(f.Total)
	}
}

// off returns the standard error of a value if no sample found more than one goroutine there: that
// of a binomial share of the samples. What is more than that, several were found, and is as far off
// as if they had come one by one.
func (v *View) off(value int64) float64 {
	if v.draws == 0 || v.inAll == 0 {
		return 0
	}
	const rounding = 1e-6
	m := float64(value) / v.inAll
	variance := m
	if m <= 1+rounding {
		variance = max(0, m*(1-m))
	}
	return v.inAll * math.Sqrt(variance/v.draws)
}

// chance returns the standard error of the share of such a value in all. All of it is all of it. Of a part of the time,
// as that in which goroutines ran, it is that of a binomial share of the samples that found this part, which are no more
// than its part of one goroutine's time.
func (v *View) chance(value, all int64) float64 {
	if value >= all {
		return 0
	}
	if all < v.Total && v.draws > 0 && v.inAll > 0 {
		p, draws := float64(value)/float64(all), v.draws*min(1, float64(all)/v.inAll)
		return math.Sqrt(p * (1 - p) / draws)
	}
	return v.off(value) / float64(all)
}

// several reports whether the values are sums over goroutines, of which there was more than one.
func (v *View) several() bool {
	return v.how != nil && v.Type == record.TypeWall && v.how.Goroutines > 1
}
