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
		tareWarn("not-settled", "file", "of", "mem")
	case m.how == "mid-run":
		tareWarn("mid-run", "file")
	}
	if m.how == "mid-run" && m.spread > m.settled.heap/20 {
		tareWarn("heap-spread", "", "more", strconv.FormatUint(m.spread>>10, 10)+" KiB")
	}
	if r := m.reads; r.enough() {
		if spread, median := r.spread(), tareMemMedian(slices.Sorted(slices.Values(r.live))); float64(spread) > median/20 {
			tareWarn("reads-spread", "", "less", strconv.FormatUint(spread>>10, 10)+" KiB")
		}
	}
	if m.how != "" && m.rounds >= tareMemRounds {
		tareWarn("unsettled", "", "collections", strconv.Itoa(m.rounds))
	}
	if seen := m.seen.Load(); 10*(seen+1) < 9*m.cycles && !m.reads.noPeaks() {
		few := ""
		if m.fewPeaks() {
			few = "true"
		}
		tareWarn("peaks-missed", "", "read", strconv.Itoa(int(seen)), "cycles", strconv.Itoa(int(m.cycles)), "few", few)
	}
	if m.status["VmHWM"] == 0 || m.hwm == 0 {
		tareWarn("not-available", "peak")
	}
}
