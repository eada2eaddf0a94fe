package testing

import (
	"slices"
	"strconv"
)

func tareMemValues(b *B, v *tareLine) {
	m := &tareMemory
	if m.how != "" {
		v.float("usedMem_fin-B", float64(m.fin.used))
		v.float("usedMem_settled-B", float64(m.settled.used))
		v.float("usedHeap_settled-B", float64(m.settled.heap))
		v.float("usedHeap_growth-B", float64(m.settled.heap)-float64(m.base.heap))
		v.float("totalMem_settled-B", float64(m.settled.total))
	}
	v.float("usedHeap_baseline-B", float64(m.base.heap))
	v.float("usedMem_baseline-B", float64(m.base.used))
	v.float("usedHeap_returned-B", float64(m.left))
	m.reads.values(v)
	if m.seen.Load() > 0 && !m.fewPeaks() && !m.reads.noPeaks() { // reads may have seen more than was live at the end of any cycle
		used, total := m.usedMax.Load(), m.totalMax.Load()
		if m.how != "" {
			used, total = max(used, m.fin.used), max(total, m.fin.total)
		}
		v.float("usedMem_max-B", float64(used))
		v.float("totalMem_max-B", float64(total))
		v.float("mem-poll-share", m.share)
	}
	peak := uint64(0)
	if m.hwm != 0 && m.status["VmHWM"] != 0 && !m.reads.noPeaks() {
		peak = max(m.status["VmHWM"], m.resident)
	}
	for _, x := range []struct {
		unit  string
		bytes uint64
	}{{"VmRSS_baseline-B", m.rss}, {"VmHWM-B", peak}, {"VmRSS-B", m.resident}, {"PSS-B", m.pss}} {
		if x.bytes > 0 {
			v.float(x.unit, float64(x.bytes))
		}
	}
}

// tareMemWarnings writes warnings about figures that are missing or inexact.
func tareMemWarnings(b *B) {
	m := &tareMemory
	if b.tare.iter < 2 {
		return // warm-up
	}
	switch {
	case m.how == "":
		tareWarn("not-settled", "mem: nothing was read while the subject lived: its loop is in a file that is not a test of the package, and the window was too short for it, or is the first",
			"move the loop over b.N into the test file, where it is read at its end, or use a larger --time")
	case m.how == "mid-run":
		tareWarn("mid-run", "mem: settled figures were read while the benchmark ran, by collections forced in the last fifth of the window: its loop is in a file that is not a test of the package",
			"move the loop over b.N into the test file, where it is read at its end")
	}
	if m.how == "mid-run" && m.spread > m.settled.heap/20 {
		tareWarn("heap-spread", "mem: the heap settled is a lower bound, and may be "+strconv.FormatUint(m.spread>>10, 10)+" KiB more: the benchmark allocated as much while the collections ran, and it is not known what of that lives",
			"move the loop over b.N into the test file, where it is read at its end, when nothing allocates")
	}
	if r := m.reads; r.enough() {
		if spread, median := r.spread(), tareMemMedian(slices.Sorted(slices.Values(r.live))); float64(spread) > median/20 {
			tareWarn("reads-spread", "mem: the heap on the way may have been "+strconv.FormatUint(spread>>10, 10)+" KiB smaller: the benchmark allocated as much while the heap was read",
				"read min, median and max on the way as upper bounds; heap settled is exact")
		}
	}
	if m.how != "" && m.rounds >= tareMemRounds {
		tareWarn("unsettled", "mem: the heap was still shrinking after "+strconv.Itoa(m.rounds)+" collections", "something frees memory in the background; read the figures as upper bounds")
	}
	if seen := m.seen.Load(); 10*(seen+1) < 9*m.cycles && !m.reads.noPeaks() {
		text := "mem: peaks were read at " + strconv.Itoa(int(seen)) + " of " + strconv.Itoa(int(m.cycles)) + " cycles of the collector"
		if m.fewPeaks() {
			text += ": too few for a peak of memory in use or committed, which are left out"
		}
		tareWarn("peaks-missed", text, "VmHWM, which the kernel keeps, misses none")
	}
	if m.status["VmHWM"] == 0 || m.hwm == 0 {
		tareWarn("not-available", "mem: peak RSS of the window: not available: /proc/self/status or clear_refs cannot be used here", "the peak of the whole fork is in its line")
	}
}
