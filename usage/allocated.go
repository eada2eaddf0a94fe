package usage

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/pprof"
	"strconv"
	"strings"
)

// Allocation is how much the tasks of a worker have allocated on the heap, an estimate.
type Allocation struct {
	Bytes     uint64 // including those freed since
	Low, High uint64 // between these with a confidence of 95 %
	Samples   int    // objects that the runtime has sampled
}

// Allocations are those of the workers of a Pool.
type Allocations struct {
	Each []Allocation // in the order of [Workers].Each

	// Rate is how many bytes the runtime lets pass from sample to sample, on average: runtime.MemProfileRate. With a rate
	// of 1 it samples all objects, so that the figures are exact, and slow.
	Rate int

	NotAvailable string // why Each has no figures; "" if it has
}

// Allocated estimates how much the tasks of each worker have allocated since the last Reset, or since NewPool. Go has no counter
// for a goroutine, so the estimate is made of the runtime's heap profile, which samples one object in about
// runtime.MemProfileRate bytes, with the stack that allocated it; the stack tells the worker. What large objects take is
// estimated well, since most of them are sampled.
//
// Included are tasks that have not ended, but not those that were running at Reset, nor goroutines that tasks have started.
// The exact bytes of a task, with all its goroutines, are those of [Measure] if nothing else runs.
//
// Allocated collects garbage, because the profile is that of the last collection, and takes some milliseconds or more.
// The rate must not change while tasks run. A program that does not call Allocated pays nothing for it.
func (p *Pool) Allocated() Allocations {
	w := p.Workers().Each
	out := Allocations{Each: make([]Allocation, len(w)), Rate: runtime.MemProfileRate}
	switch {
	case out.Rate <= 0:
		out.NotAvailable = "runtime.MemProfileRate is 0, so that the runtime samples no allocations"
		return out
	case strings.Contains(os.Getenv("GODEBUG"), "profstackdepth="):
		out.NotAvailable = "GODEBUG sets profstackdepth: stacks may be cut off before they tell the worker"
		return out
	}
	sites, err := heapSites()
	if err != nil {
		out.NotAvailable = err.Error()
		return out
	}
	place := make(map[uint64]int, len(w))
	for i, x := range w {
		place[x.mark] = i
	}
	each, lost := make([][]site, len(w)), []site(nil)
	for _, s := range sites {
		if i, ok := place[markOf(s.stack)]; ok {
			each[i] = append(each[i], s)
		} else if len(s.stack) >= maxStack && markOf(s.stack) == 0 {
			lost = append(lost, s)
		}
	}
	cut := estimate(lost, out.Rate)
	if len(lost) == 0 {
		cut.High = 0
	}
	for i := range each {
		out.Each[i] = estimate(each[i], out.Rate)
		out.Each[i].High += cut.High // any worker may have allocated it
	}
	return out
}

// maxStack is how many frames the runtime keeps of a stack, from the innermost one. Of deeper ones it is not known which worker
// they belong to.
const maxStack = 128

// site is what was allocated with one stack, as far as the runtime has sampled it.
type site struct {
	objects, bytes float64
	stack          []uintptr // return addresses, innermost first
}

// heapSites returns what was sampled since the program began. It reads the text of the heap profile, because
// runtime.MemProfile cuts stacks off after 32 frames.
func heapSites() ([]site, error) {
	runtime.GC()
	var text bytes.Buffer
	if err := pprof.Lookup("allocs").WriteTo(&text, 1); err != nil {
		return nil, fmt.Errorf("heap profile: %w", err)
	}
	return parseSites(text.String())
}

// parseSites reads lines such as "1: 64 [20: 1280] @ 0x47f5 0x4801": objects and bytes in use, and in brackets those that were
// allocated. Other lines are comments.
func parseSites(text string) (out []site, err error) {
	for line := range strings.Lines(text) {
		counts, addresses, ok := strings.Cut(line, "@ 0x")
		if !ok {
			continue
		}
		var s site
		var inUse, bytesInUse int64
		if _, err := fmt.Sscanf(counts, "%d: %d [%f: %f]", &inUse, &bytesInUse, &s.objects, &s.bytes); err != nil {
			return nil, fmt.Errorf("heap profile: %q is not understood", line)
		}
		for _, a := range strings.Fields("0x" + addresses) {
			pc, err := strconv.ParseUint(a, 0, 64)
			if err != nil {
				return nil, fmt.Errorf("heap profile: %q is not understood", line)
			}
			s.stack = append(s.stack, uintptr(pc))
		}
		if s.objects > 0 {
			out = append(out, s)
		}
	}
	return out, nil
}

// estimate computes what was allocated from what was sampled at a rate. The distance of samples is exponential, so that an object
// of s bytes is sampled with the probability 1 - exp(-s/rate), and stands for one over that. The interval treats the samples as
// Poisson counts of different weights (Fay and Feuer 1997, Statistics in Medicine 16:791), with quantiles by the
// cube root of Wilson and Hilferty; objects that were never sampled have at most the weight of the rate.
func estimate(sites []site, rate int) Allocation {
	var sum, variance, seen, samples float64
	for _, s := range sites {
		size := s.bytes / s.objects
		p := -math.Expm1(-size / float64(rate))
		sum += s.bytes / p
		variance += s.objects * size * size * (1 - p) / (p * p)
		seen += s.bytes
		samples += s.objects
	}
	low, unseen := sum, float64(rate)
	if variance > 0 {
		low = variance / sum * poissonLimit(sum*sum/variance, -z95)
	}
	more, spread := sum+unseen, variance+unseen*unseen
	high := spread / more * poissonLimit(more*more/spread, z95)
	if rate == 1 {
		sum, low, high = seen, seen, seen
	}
	return Allocation{Bytes: uint64(math.Round(max(sum, seen))), Low: uint64(max(low, seen)), High: uint64(math.Ceil(max(high, sum))), Samples: int(samples)}
}

// z95 is the normal quantile of a two-sided interval of 95 %.
const z95 = 1.959964

// poissonLimit returns the quantile of the gamma distribution of shape k at the normal quantile z.
func poissonLimit(k, z float64) float64 {
	return k * math.Pow(max(0, 1-1/(9*k)+z/(3*math.Sqrt(k))), 3)
}

// String returns a table with a row for each worker.
func (a Allocations) String() string {
	if a.NotAvailable != "" {
		return "allocated: not available: " + a.NotAvailable
	}
	rows := [][]string{{"worker", "allocated", "95 % from", "to", "samples"}}
	for i, x := range a.Each {
		rows = append(rows, []string{fmt.Sprint(i + 1), memory(float64(x.Bytes)), memory(float64(x.Low)), memory(float64(x.High)), fmt.Sprint(x.Samples)})
	}
	how := "exact: the runtime samples every object"
	if a.Rate > 1 {
		how = "estimated from the runtime's heap profile, which samples one object in about " + memory(float64(a.Rate))
	}
	return columns(rows, "rrrrr") + "allocated: " + how + "; by the tasks themselves, without goroutines that they start"
}
