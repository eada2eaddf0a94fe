package perfevent

import (
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// sampleType selects the fields of each sample. [decoder] depends on their order.
const sampleType = unix.PERF_SAMPLE_IDENTIFIER | unix.PERF_SAMPLE_IP | unix.PERF_SAMPLE_TID | unix.PERF_SAMPLE_TIME

// attributes returns the kernel's description of the event. Only the event with lead set reports
// mappings, forks and execs: one per thread is enough.
func (k eventSpec) attributes(frequency, pages int, lead, stacks bool) *unix.PerfEventAttr {
	a := &unix.PerfEventAttr{
		Type:        k.typ,
		Config:      k.config,
		Size:        uint32(unsafe.Sizeof(unix.PerfEventAttr{})),
		Sample:      uint64(frequency),
		Sample_type: sampleType,
		Read_format: unix.PERF_FORMAT_TOTAL_TIME_ENABLED | unix.PERF_FORMAT_TOTAL_TIME_RUNNING,
		Bits: unix.PerfBitDisabled | unix.PerfBitEnableOnExec | unix.PerfBitInherit | unix.PerfBitExcludeHv |
			unix.PerfBitFreq | unix.PerfBitWatermark | unix.PerfBitSampleIDAll | unix.PerfBitUseClockID,
		Wakeup:  uint32(pages * pageSize() / 4), // bytes, because of PerfBitWatermark
		Clockid: unix.CLOCK_MONOTONIC,
	}
	if lead {
		a.Bits |= unix.PerfBitMmap | unix.PerfBitMmap2 | unix.PerfBitComm | unix.PerfBitCommExec | unix.PerfBitTask
	}
	if stacks {
		a.Sample_type |= unix.PERF_SAMPLE_CALLCHAIN
		a.Bits |= unix.PerfBitExcludeCallchainKernel
	}
	if k.userOnly {
		a.Bits |= unix.PerfBitExcludeKernel
	}
	if k.precise&1 != 0 {
		a.Bits |= unix.PerfBitPreciseIPBit1
	}
	if k.precise&2 != 0 {
		a.Bits |= unix.PerfBitPreciseIPBit2
	}
	return a
}

// opened returns the event as it was opened.
func (k eventSpec) opened(frequency int) Event {
	e := Event{Name: k.String(), Precise: k.precise >= 2, UserOnly: k.userOnly, Frequency: frequency}
	if k.isClock() {
		e.Period = time.Duration(int(time.Second) / frequency)
	}
	return e
}
