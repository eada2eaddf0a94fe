package perfevent

import (
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestAttributes: each event has the right attributes for the kernel.
func TestAttributes(t *testing.T) {
	const always = unix.PerfBitDisabled | unix.PerfBitEnableOnExec | unix.PerfBitInherit | unix.PerfBitExcludeHv | unix.PerfBitFreq |
		unix.PerfBitWatermark | unix.PerfBitSampleIDAll | unix.PerfBitUseClockID
	const lead = unix.PerfBitMmap | unix.PerfBitMmap2 | unix.PerfBitComm | unix.PerfBitCommExec | unix.PerfBitTask
	const p1, p2 = unix.PerfBitPreciseIPBit1, unix.PerfBitPreciseIPBit2
	for _, c := range []struct {
		event  string
		lead   bool
		typ    uint32
		config uint64
		bits   uint64
		want   Event
	}{
		{"cycles:ppp", true, 0, 0, always | lead | p1 | p2, Event{Name: "cycles:ppp", Precise: true, Frequency: 997}},
		{"cycles:pp", true, 0, 0, always | lead | p2, Event{Name: "cycles:pp", Precise: true, Frequency: 997}},
		{"cycles:p", true, 0, 0, always | lead | p1, Event{Name: "cycles:p", Frequency: 997}},
		{"cycles", true, 0, 0, always | lead, Event{Name: "cycles", Frequency: 997}},
		{"instructions:u", false, 0, 1, always | unix.PerfBitExcludeKernel, Event{Name: "instructions:u", UserOnly: true, Frequency: 997}},
		{"cpu-clock", true, 1, 0, always | lead, Event{Name: "cpu-clock", Frequency: 997, Period: 1003009 * time.Nanosecond}},
		{"task-clock:u", true, 1, 1, always | lead | unix.PerfBitExcludeKernel, Event{Name: "task-clock:u", UserOnly: true, Frequency: 997, Period: 1003009 * time.Nanosecond}},
		{"page-faults", true, 1, 2, always | lead, Event{Name: "page-faults", Frequency: 997}},
		{"LLC-load-misses", true, 3, 0x10002, always | lead, Event{Name: "LLC-load-misses", Frequency: 997}},
		{"r01c2", true, 4, 0x1c2, always | lead, Event{Name: "r01c2", Frequency: 997}},
	} {
		k, err := parseEvent(c.event)
		if err != nil {
			t.Fatal(err)
		}
		a := k.attributes(997, 16, c.lead, false)
		if a.Type != c.typ || a.Config != c.config || a.Bits != c.bits || a.Sample != 997 || a.Clockid != unix.CLOCK_MONOTONIC {
			t.Errorf("%s: %+v, want type %d, config %#x, bits %#x", c.event, a, c.typ, c.config, c.bits)
		}
		if int(a.Wakeup) != 16*pageSize()/4 || a.Size < unix.PERF_ATTR_SIZE_VER5 {
			t.Errorf("%s: wakes after %d bytes, size %d", c.event, a.Wakeup, a.Size)
		}
		if e := k.opened(997); e != c.want {
			t.Errorf("%s: %+v, want %+v", c.event, e, c.want)
		}
	}
	k := namedEvents()["cycles"]
	if a := k.attributes(1, 8, false, true); a.Sample_type != sampleType|unix.PERF_SAMPLE_CALLCHAIN || a.Bits&unix.PerfBitExcludeCallchainKernel == 0 {
		t.Errorf("with stacks: %+v", a)
	}
}
