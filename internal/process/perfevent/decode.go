package perfevent

import (
	"bytes"
	"encoding/binary"
	"slices"
	"sort"
	"time"
)

// Types of records in a ring; see perf_event_open(2).
const (
	recordLost        = 2
	recordComm        = 3
	recordThrottle    = 5
	recordFork        = 7
	recordSample      = 9
	recordMmap2       = 10
	recordLostSamples = 13
)

// Bits of the field misc of a record's header.
const (
	miscModeMask = 7
	miscKernel   = 1
	miscExec     = 1 << 13 // in recordComm: the name changed because of an exec
)

const (
	headerSize  = 8
	sampleSize  = headerSize + 32 // identifier, address, process and thread, time
	trailerSize = 24              // process and thread, time, identifier: the end of all other records
	mmap2Name   = headerSize + 64 // offset of the file name
)

// decoder decodes the records of the rings. The events must use [sampleType] and sample_id_all.
type decoder struct {
	cfg Config
	ids map[uint64]uint8 // kernel's identifier of an event → its index
	out *Samples

	spaces addressSpaces // as of the last sample given to Visit
}

// decode decodes whole records. The kernel never writes part of a record, so a rest counts as damaged.
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

// record decodes one record, which is all of b. It ignores unknown types. Records that are too short count
// as damaged.
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

// stack stores the addresses after a sample and returns their position. It drops context markers, which
// are not addresses.
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

// maxReorder is how much later than a younger record a record may be read, because the rings are read in turn.
const maxReorder = 100 * time.Millisecond

// flush passes samples to Visit: those that no older sample can follow, or all at the end.
func (d *decoder) flush(end bool) {
	s := d.out
	if d.cfg.Visit == nil || len(s.List) == 0 {
		return
	}
	s.sortByTime()
	n := len(s.List)
	if before := s.List[n-1].Time - int64(maxReorder); !end {
		n = sort.Search(n, func(i int) bool { return s.List[i].Time >= before })
	}
	s.spaces = slices.Clone(d.spaces.walk(d.filter(s.List[:n]), s.spaces, func(x Sample, m *Map) { d.cfg.Visit(x, m, s.Stack(x)) }))
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

// filter returns the samples of list that Config keeps. It reuses the memory of list, which must be
// in order of time, after the exec has been read.
func (d *decoder) filter(list []Sample) []Sample {
	if d.cfg.Delay == 0 && d.cfg.Duration == 0 {
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

// finish sorts the samples, then passes them to Visit or drops those that Config does not keep.
func (d *decoder) finish() {
	d.out.sortByTime()
	if d.flush(true); d.cfg.Visit == nil {
		d.out.List = d.filter(d.out.List)
	}
}

// appendRing appends the bytes between two positions of a ring. The ring's size is a power of two and
// positions only grow. It appends nothing if the positions differ by more than the size of the ring.
func appendRing(b, data []byte, tail, head uint64) []byte {
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
