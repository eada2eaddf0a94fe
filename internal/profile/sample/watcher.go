package sample

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"time"
)

// Sizes in bytes of elements of slices and maps, without their texts.
const (
	sampleBytes = 100
	changeBytes = 32
	stackBytes  = 150
	frameBytes  = 50
	reasonBytes = 100
)

// watcher converts answers to samples in the form of the sampler inside a process.
type watcher struct {
	interval time.Duration
	seen     fileContent
	stacks   [][]frame
	last     []located      // by id
	spare    []located      // what was last, to be reused
	at       map[string]int // of stacks
	reasons  map[string]int
	took     int64           // cost of the last sample, ns
	costs    []time.Duration // of the last few samples
	slower   time.Duration   // total excess over the interval that no sample has yet
	skipped  int64
	over     int64 // samples omitted because the last one was not finished
	weight   int   // approximate memory of all samples, in bytes
	cutOff   bool  // the process has cut off an answer
}

// located is where a goroutine was found.
type located struct {
	id uint64
	key
}

// due returns when the next sample is due: after a random time, as in tareSampleDue, whose mean limits the share of
// time for samples.
func (w *watcher) due(last, now time.Duration) time.Duration {
	const floor = 16
	mean := max(w.interval, costDivisor*w.usual())
	w.slower += mean - w.interval
	w.skipped = int64(w.slower / w.interval)
	w.slower %= w.interval
	next := last
	for w.over = -1; next <= now; w.over++ {
		next += mean/floor + rand.N(2*(mean-mean/floor))
	}
	w.over = max(w.over, 0)
	return next
}

// usual returns the median cost of the last samples, as tareSampleMedianCost does; 0 after only one.
func (w *watcher) usual() time.Duration {
	if len(w.costs) < 2 {
		return 0
	}
	return slices.Sorted(slices.Values(w.costs))[(len(w.costs)-1)/2]
}

// addSample adds an answer as a sample.
func (w *watcher) addSample(at, took int64, gs []goroutine) {
	l := wallSample{at: at, took: w.took, skipped: w.skipped, over: w.over, goroutines: int64(len(gs))}
	w.took = took
	w.costs = append(w.costs, time.Duration(took))
	w.costs = w.costs[max(0, len(w.costs)-costSamples):]
	now := w.locate(gs)
	l.changes = make([]change, 0, changed(w.last, now))
	eachChange(w.last, now, func(c change) { l.changes = append(l.changes, c) })
	w.weight += sampleBytes + changeBytes*len(l.changes)
	w.last, w.spare = now, w.last
	w.seen.samples = append(w.seen.samples, l)
}

// locate returns where the goroutines are, by id.
func (w *watcher) locate(gs []goroutine) []located {
	keys := map[*site]key{}
	now := slices.Grow(w.spare[:0], len(gs))
	for i := range gs {
		k, ok := keys[gs[i].site]
		if !ok {
			k = w.key(gs[i].site)
			keys[gs[i].site] = k
		}
		now = append(now, located{gs[i].id, k})
	}
	slices.SortStableFunc(now, func(a, b located) int { return cmp.Compare(a.id, b.id) })
	return slices.CompactFunc(now, func(a, b located) bool { return a.id == b.id })
}

// key returns the stack and the state of a place.
func (w *watcher) key(x *site) key {
	k := key{w.stack(x), x.state}
	if x.state == inWaiting {
		k.state += w.reason(x.reason)
	}
	return k
}

// changed returns how many changes there are.
func changed(last, now []located) (n int) {
	eachChange(last, now, func(change) { n++ })
	return n
}

// eachChange calls f for each goroutine that came, went on or ended since the last sample.
func eachChange(last, now []located, f func(change)) {
	for len(last)+len(now) > 0 {
		switch {
		case len(now) == 0 || len(last) > 0 && last[0].id < now[0].id:
			f(change{slot: int(last[0].id), state: inGone})
			last = last[1:]
			continue
		case len(last) == 0 || now[0].id < last[0].id:
			f(now[0].change())
		default:
			if last[0].key != now[0].key {
				f(now[0].change())
			}
			last = last[1:]
		}
		now = now[1:]
	}
}

func (l located) change() change {
	return change{int(l.id), l.state, l.id, l.stack}
}

func (w *watcher) reason(s string) uint64 {
	n, ok := w.reasons[s]
	if !ok {
		n = len(w.seen.names)
		w.reasons[s] = n
		w.seen.names = append(w.seen.names, s)
		w.weight += reasonBytes + len(s)
	}
	return uint64(n)
}

func (w *watcher) stack(x *site) int {
	id := appendFrames(nil, x.frames)
	n, ok := w.at[string(id)]
	if !ok {
		n = len(w.stacks)
		w.at[string(id)] = n
		w.stacks = append(w.stacks, x.frames)
		w.weight += stackBytes + 2*len(id) + frameBytes*len(x.frames) // in the map and in frames
		w.seen.stacks = append(w.seen.stacks, stack{cut: x.cut})
	}
	return n
}
