package perfevent

import (
	"bytes"
	"encoding/binary"
	"slices"
	"sort"
	"time"
)

// Types of records in a ring, see perf_event_open(2).
const (
	recordLost        = 2
	recordComm        = 3
	recordThrottle    = 5
	recordFork        = 7
	recordSample      = 9
	recordMmap2       = 10
	recordLostSamples = 13
)

// Bits of misc in the header of a record.
const (
	miscModeMask = 7
	miscKernel   = 1
	miscExec     = 1 << 13 // of recordComm: because of an exec
)

const (
	headerSize  = 8
	sampleSize  = headerSize + 32 // identifier, address, process and thread, time
	trailerSize = 24              // process and thread, time, identifier: what every other record ends with
	mmap2Name   = headerSize + 64 // where the name of the file begins
)

// decoder makes sense of what is in the rings. Records are those of events with
// the sample type of [attributes] and sample_id_all.
type decoder struct {
	cfg Config
	ids map[uint64]uint8 // what the kernel calls an event → its index
	out *Samples

	spaces spaces // as they were when See got its last sample
}

// decode reads whole records. A ring never holds half of one, so that what is left at
// the end was damaged.
func (d *decoder) decode(b []byte) {
	for len(b) >= headerSize {
		size := int(binary.NativeEndian.Uint16(b[6:]))
		if size < headerSize || size > len(b) {
			break
		}
		d.record(binary.NativeEndian.Uint32(b), binary.NativeEndian.Uint16(b[4:]), b[:size])
		b = b[size:]
	}
	d.out.Damaged += int64(len(b))
}

// record reads one; b is the whole of it. Types that say nothing to us are passed over,
// and so are records that are shorter than their type is.
func (d *decoder) record(typ uint32, misc uint16, b []byte) {
	u64 := func(at int) uint64 { return binary.NativeEndian.Uint64(b[at:]) }
	i32 := func(at int) int32 { return int32(binary.NativeEndian.Uint32(b[at:])) }
	short := func(size int) bool {
		if len(b) < size {
			d.out.Damaged += int64(len(b))
		}
		return len(b) < size
	}
	switch typ {
	case recordSample:
		if !short(sampleSize) {
			x := Sample{IP: u64(16), PID: i32(24), TID: i32(28), Time: int64(u64(32)), Kernel: misc&miscModeMask == miscKernel}
			x.at, x.depth = d.stack(b[sampleSize:])
			d.sample(u64(8), x)
		}
	case recordLost:
		if !short(headerSize + 16) {
			d.out.Lost += int64(u64(16))
		}
	case recordLostSamples:
		if !short(headerSize + 8) {
			d.out.Lost += int64(u64(8))
		}
	case recordThrottle:
		if !short(headerSize + 24) {
			d.out.Events[d.ids[u64(16)]].Throttled++
		}
	case recordFork:
		if !short(headerSize + 24 + trailerSize) {
			d.change(change{what: forked, time: int64(u64(24)), pid: i32(8), from: i32(12)})
		}
	case recordComm:
		if misc&miscExec != 0 && !short(headerSize+8+trailerSize) {
			d.exec(i32(8), int64(u64(len(b)-16)))
		}
	case recordMmap2:
		if !short(mmap2Name + trailerSize) {
			name, _, _ := bytes.Cut(b[mmap2Name:len(b)-trailerSize], []byte{0})
			start := u64(16)
			d.change(change{what: mapped, time: int64(u64(len(b) - 16)), pid: i32(8), m: Map{
				Start: start, End: start + u64(24), Offset: u64(32), Path: string(name),
			}})
		}
	}
}

// stack keeps the addresses behind a sample, if there are any, and says where. Those
// from contexts on are none, but say whose the next ones are.
func (d *decoder) stack(b []byte) (at, depth uint32) {
	const contexts = ^uint64(4095) + 1 // PERF_CONTEXT_MAX
	if !d.cfg.Stacks || len(b) < 8 {
		return 0, 0
	}
	start := len(d.out.addrs)
	n := binary.NativeEndian.Uint64(b)
	for b = b[8:]; n > 0 && len(b) >= 8; n-- {
		if a := binary.NativeEndian.Uint64(b); a < contexts {
			d.out.addrs = append(d.out.addrs, a)
		}
		b = b[8:]
	}
	return uint32(start), uint32(len(d.out.addrs) - start)
}

func (d *decoder) sample(id uint64, s Sample) {
	s.Event = d.ids[id]
	e := &d.out.Events[s.Event]
	e.Samples++
	d.out.List = append(d.out.List, s)
}

func (d *decoder) change(c change) { d.out.spaces = append(d.out.spaces, c) }

func (d *decoder) exec(pid int32, time int64) {
	d.change(change{what: executed, time: time, pid: pid})
	if d.out.Exec == 0 || time < d.out.Exec {
		d.out.Exec = time
	}
}

// late is by how much a record may be read after one that is younger: all rings are
// emptied one after the other.
const late = 100 * time.Millisecond

// hand gives See the samples that no older one can follow: at the end, all.
func (d *decoder) hand(end bool) {
	s := d.out
	if d.cfg.See == nil || len(s.List) == 0 {
		return
	}
	s.order()
	n := len(s.List)
	if before := s.List[n-1].Time - int64(late); !end {
		n = sort.Search(n, func(i int) bool { return s.List[i].Time >= before })
	}
	s.spaces = slices.Clone(d.spaces.walk(d.chosen(s.List[:n]), s.spaces, func(x Sample, m *Map) { d.cfg.See(x, m, s.Stack(x)) }))
	s.List = slices.Delete(s.List, 0, n)
	var addrs []uint64
	for i := range s.List {
		x := &s.List[i]
		at := uint32(len(addrs))
		addrs = append(addrs, s.Stack(*x)...)
		x.at = at
	}
	s.addrs = addrs
}

// chosen are the samples that Config keeps of those in the order of time, in the memory of
// all; an exec before them has been read.
func (d *decoder) chosen(list []Sample) []Sample {
	if d.cfg.Delay == 0 && d.cfg.Length == 0 {
		return list
	}
	kept := list[:0]
	for _, x := range list {
		if d.cfg.keeps(x.Time - d.out.Exec) {
			kept = append(kept, x)
		} else {
			d.out.Events[x.Event].Skipped++
		}
	}
	return kept
}

// finish puts what was read into order, and hands it over or leaves what Config keeps.
func (d *decoder) finish() {
	d.out.order()
	if d.hand(true); d.cfg.See == nil {
		d.out.List = d.chosen(d.out.List)
	}
}

// unwrap appends what lies between two positions of a ring, whose size is a power of
// two; positions only grow. From a ring that was overrun, which the kernel does not do,
// it takes nothing.
func unwrap(b, data []byte, tail, head uint64) []byte {
	size := uint64(len(data))
	if head-tail > size {
		return b
	}
	from, to := tail&(size-1), head&(size-1)
	if from < to || head == tail {
		return append(b, data[from:to]...)
	}
	return append(append(b, data[from:]...), data[:to]...)
}
