package profile

import (
	"errors"
	"maps"
	"math"
	"slices"

	pprof "github.com/google/pprof/profile"

	"github.com/tarebench/tare/record"
)

// Merge returns the sum of several runs of a program that were sampled in the same way, and
// an error if they were not. The arguments are not changed.
func Merge(hows []*record.Sampled, profiles []*pprof.Profile) (*record.Sampled, *pprof.Profile, error) {
	sum := *hows[0]
	if len(hows) == 1 {
		return &sum, profiles[0], nil
	}
	var achieved, sample, cost float64 // weighted by samples, and by time
	var all, unnoted float64           // time of the windows, with that in which the timer stood
	weighed := func(h *record.Sampled) {
		window := float64(h.Wall) / max(1-h.Stopped, 1e-9)
		all += window
		unnoted += h.Unlogged * window
		achieved += h.Achieved * float64(h.Samples)
		sample += h.SampleCost * float64(h.Samples)
		cost += h.Cost * float64(h.Wall)
	}
	weighed(&sum)
	for _, h := range hows[1:] {
		if h.Mode != sum.Mode || h.Source != sum.Source || h.Interval != sum.Interval {
			return nil, nil, errors.New("its forks were sampled in different ways")
		}
		weighed(h)
		sum.Windows, sum.Ops = sum.Windows+h.Windows, sum.Ops+h.Ops
		sum.Samples, sum.Skipped, sum.Lost = sum.Samples+h.Samples, sum.Skipped+h.Skipped, sum.Lost+h.Lost
		sum.Spared, sum.Late, sum.Unseen = sum.Spared+h.Spared, sum.Late+h.Late, sum.Unseen+h.Unseen
		sum.Wall, sum.CPU = sum.Wall+h.Wall, sum.CPU+h.CPU
		sum.Goroutines, sum.MaxSampleCost = max(sum.Goroutines, h.Goroutines), max(sum.MaxSampleCost, h.MaxSampleCost)
		if h.Window == record.AsmRough {
			sum.Window = h.Window
		}
	}
	sum.Achieved, sum.SampleCost, sum.Cost = mean(achieved, sum.Samples), mean(sample, sum.Samples), mean(cost, sum.Wall)
	if all > 0 {
		sum.Stopped, sum.Unlogged = max(0, 1-float64(sum.Wall)/all), unnoted/all
	}
	times, running := make([]float64, len(profiles)), make([]float64, len(profiles))
	for i, p := range profiles {
		times[i], running[i] = timesOf(p)
	}
	sum.EffectiveSamples, sum.Cut = mergedDraws(hows), mergedCut(hows, times)
	sum.Errors = mergedErrors(hows, times, func(h *record.Sampled) []record.SampledError { return h.Errors })
	sum.RunningErrors = mergedErrors(hows, running, func(h *record.Sampled) []record.SampledError { return h.RunningErrors })
	p, err := pprof.Merge(profiles)
	return &sum, p, err
}

func mean(sum float64, n int64) float64 {
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

// timesOf returns the time that a profile has in all, ns: of all goroutines, or of the processors. The second result
// is the part in which no goroutine waited.
func timesOf(p *pprof.Profile) (all, running float64) {
	i := slices.IndexFunc(p.SampleType, func(t *pprof.ValueType) bool { return t.Type == record.TypeWall || t.Type == record.TypeCPU })
	for _, s := range p.Sample {
		if i < 0 || i >= len(s.Value) {
			continue
		}
		all += float64(s.Value[i])
		if label(s, record.LabelState) != record.StateWaiting {
			running += float64(s.Value[i])
		}
	}
	return all, running
}

// mergedDraws returns how many samples of the same weight all of them are worth: the squares of their
// weights add up.
func mergedDraws(hows []*record.Sampled) float64 {
	var weight, squares float64
	for _, h := range hows {
		if h.EffectiveSamples > 0 {
			w := float64(h.Wall)
			weight += w
			squares += w * w / h.EffectiveSamples
		} else if h.Samples > 0 {
			return 0 // not known of all
		}
	}
	if squares == 0 {
		return 0
	}
	return weight * weight / squares
}

// mergedCut returns the part of all times whose stacks are cut.
func mergedCut(hows []*record.Sampled, times []float64) float64 {
	var cut, all float64
	for i, h := range hows {
		cut += h.Cut * times[i]
		all += times[i]
	}
	if all == 0 {
		return 0
	}
	return cut / all
}

// mergedErrors returns those of the sums: forks are off independently, so that squares add up. A share
// counts by its fork's part of the time. of returns the errors of a fork.
func mergedErrors(hows []*record.Sampled, times []float64, of func(*record.Sampled) []record.SampledError) []record.SampledError {
	at := map[string]*record.SampledError{} // squares
	all := 0.0
	for i, h := range hows {
		if len(of(h)) == 0 && times[i] > 0 {
			return nil // not known of all
		}
		all += times[i]
		for _, e := range of(h) {
			x := at[e.Name]
			if x == nil {
				x = &record.SampledError{Name: e.Name}
				at[e.Name] = x
			}
			x.Self += e.Self * e.Self
			x.Total += e.Total * e.Total
			x.SelfShare += e.SelfShare * e.SelfShare * times[i] * times[i]
			x.TotalShare += e.TotalShare * e.TotalShare * times[i] * times[i]
		}
	}
	var out []record.SampledError
	for _, name := range slices.Sorted(maps.Keys(at)) {
		x := at[name]
		out = append(out, record.SampledError{Name: x.Name, Self: math.Sqrt(x.Self), Total: math.Sqrt(x.Total),
			SelfShare: math.Sqrt(x.SelfShare) / max(all, 1), TotalShare: math.Sqrt(x.TotalShare) / max(all, 1)})
	}
	return out
}
