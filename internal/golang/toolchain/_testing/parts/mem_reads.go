package testing

import (
	"runtime"
	"runtime/metrics"
	"slices"
	"time"
)

const (
	tareMemReadCost  = 4   // a read is followed by a pause of at least so many times what it took
	tareMemReadsMost = 256 // reads of a window
	tareMemReadsAim  = 64  // reads for which the pauses are made
	tareMemReadsFew  = 3   // fewer are no distribution
)

// tareMemReads are reads of the live heap while a benchmark runs, at times that do not depend on what it does: between
// two reads is a random pause. Each read forces a collection and takes what that found alive, which includes what the
// benchmark allocated meanwhile.
//
// Forced collections lower the peaks of the window. So of at least three iterations the last one has the reads, and
// only the others have peaks. With fewer iterations the reads are in the second half of the last window.
type tareMemReads struct {
	tareMemWindow
	whole     bool     // the reads are in the whole window
	live      []uint64 // bytes
	meanwhile []uint64 // bytes that were allocated during the collections
}

// The arrays of the reads are not on the heap, which is measured.
var tareMemLiveReads, tareMemMeanwhileReads [tareMemReadsMost]uint64

// tareMemStartReads returns nil if nothing is to be read in this window.
func tareMemStartReads(b *B) *tareMemReads {
	d := tareMemExpected(b)
	if d <= 0 || b.tare.iter < int(*count) || b.hasSub.Load() {
		return nil
	}
	r := &tareMemReads{
		tareMemWindow: tareMemOpen(), whole: *count >= 3,
		live: tareMemLiveReads[:0], meanwhile: tareMemMeanwhileReads[:0],
	}
	wait := time.Duration(0)
	if !r.whole {
		wait = d / 2
	}
	go r.run(wait, (d-wait)/tareMemReadsAim)
	return r
}

func (r *tareMemReads) run(wait, pause time.Duration) {
	defer close(r.done)
	random := uint64(tareNow()) | 1
	for len(r.live) < tareMemReadsMost && r.sleep(wait) {
		start := tareNow()
		live, meanwhile := tareMemReadNow()
		if r.over.Load() {
			return // the window may have ended before the collection
		}
		r.live, r.meanwhile = append(r.live, live), append(r.meanwhile, meanwhile)
		random ^= random << 13 // xorshift64, Marsaglia 2003
		random ^= random >> 7
		random ^= random << 17
		least := max(pause, tareMemReadCost*time.Duration(tareNow()-start))
		wait = least/2 + time.Duration(random%uint64(least+1))
	}
}

// tareMemReadNow collects and returns what was found alive, and what was allocated meanwhile.
func tareMemReadNow() (live, meanwhile uint64) {
	found := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	was := s.TotalAlloc
	runtime.GC()
	metrics.Read(found)
	runtime.ReadMemStats(&s)
	return found[0].Value.Uint64(), s.TotalAlloc - was
}

func (r *tareMemReads) end() {
	if r != nil {
		r.tareMemWindow.end()
	}
}

// enough reports whether the reads are a distribution.
func (r *tareMemReads) enough() bool { return r != nil && len(r.live) >= tareMemReadsFew }

// noPeaks reports whether forced collections have lowered the peaks of the whole window.
func (r *tareMemReads) noPeaks() bool { return r != nil && r.whole }

// values adds least, median and largest of the reads.
func (r *tareMemReads) values(v *tareLine) {
	if !r.enough() {
		return
	}
	live := slices.Sorted(slices.Values(r.live))
	v.float("usedHeap_min-B", float64(live[0]))
	v.float("usedHeap_p50-B", tareMemMedian(live))
	v.float("usedHeap_max-B", float64(live[len(live)-1]))
	v.int("usedHeap_reads", int64(len(live)))
}

// spread returns the median of what was allocated during a read: by as much the reads may be too high.
func (r *tareMemReads) spread() uint64 {
	return uint64(tareMemMedian(slices.Sorted(slices.Values(r.meanwhile))))
}

func tareMemMedian(sorted []uint64) float64 {
	n := len(sorted)
	return (float64(sorted[(n-1)/2]) + float64(sorted[n/2])) / 2
}
