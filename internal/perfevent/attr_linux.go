package perfevent

import (
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// sampleType is what each sample holds; decoder knows the order.
const sampleType = unix.PERF_SAMPLE_IDENTIFIER | unix.PERF_SAMPLE_IP | unix.PERF_SAMPLE_TID | unix.PERF_SAMPLE_TIME

// attributes are what the kernel is told of an event. Only one event of a thread tells
// of its memory: lead.
func (k kind) attributes(frequency, pages int, lead, stacks bool) *unix.PerfEventAttr {
	a := &unix.PerfEventAttr{
		Type:        k.typ,
		Config:      k.config,
		Size:        uint32(unsafe.Sizeof(unix.PerfEventAttr{})),
		Sample:      uint64(frequency),
		Sample_type: sampleType,
		Read_format: unix.PERF_FORMAT_TOTAL_TIME_ENABLED | unix.PERF_FORMAT_TOTAL_TIME_RUNNING,
		Bits: unix.PerfBitDisabled | unix.PerfBitEnableOnExec | unix.PerfBitInherit | unix.PerfBitExcludeHv |
			unix.PerfBitFreq | unix.PerfBitWatermark | unix.PerfBitSampleIDAll | unix.PerfBitUseClockID,
		Wakeup:  uint32(pages * pageSize() / 4), // with the bit above: bytes
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

// event describes it as it was opened.
func (k kind) event(frequency int) Event {
	e := Event{Name: k.String(), Precise: k.precise >= 2, UserOnly: k.userOnly, Asked: frequency}
	if k.clock() {
		e.Period = time.Duration(int(time.Second) / frequency)
	}
	return e
}
