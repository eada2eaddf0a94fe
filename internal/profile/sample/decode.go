package sample

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// fileContent is the decoded content of a sample file.
type fileContent struct {
	anchor     uint64   // address of its function anchorName
	start      int64    // CLOCK_MONOTONIC ns
	end        int64    // when it ended; 0: unknown
	full       bool     // the file was full
	path       string   // of the program, as it was started
	names      []string // of the reasons to wait
	stacks     []stack
	samples    []wallSample
	due        int64 // when the next sample was due, CLOCK_MONOTONIC ns; 0: unknown
	took       int64 // cost of the last sample, ns; 0: unknown
	cpuSamples []cpuSample
	hz         int64 // of the CPU profiler
	lost       int64 // of its samples
	cpu        int64 // ns that the program used while the hits were taken; 0: unknown
	within     int64 // samples of that time
}

// stack is a call stack, innermost first.
type stack struct {
	pcs     []uint64 // the first is the current address, the others are return addresses; none: unknown
	cut     bool     // outer functions are missing
	logical bool     // inlined functions are elements of their own
	moved   bool     // it is from right after the goroutine was found running
}

// wallSample is one sample of all goroutines, as the changes since the one before.
type wallSample struct {
	at         int64 // CLOCK_MONOTONIC ns
	took       int64 // cost of the sample before, ns
	skipped    int64 // samples omitted since, to limit the cost
	spared     int64 // samples omitted since, to save room
	over       int64 // samples omitted because the one before was not finished
	late       int64 // ns after it was due
	goroutines int64
	changes    []change
}

// change is a goroutine whose state or stack differs from that in the sample before.
type change struct {
	slot  int
	state uint64 // inGone …
	goid  uint64
	stack int // index in stacks
}

// cpuSample is a sample of the CPU profiler.
type cpuSample struct {
	at    int64 // CLOCK_MONOTONIC ns
	n     int64
	stack int
}

// States of goroutines in the file.
const (
	inGone = iota
	inRunning
	inRunnable
	inSyscall
	inWaiting // and an index in names
)

// Kinds of records in the file.
const (
	kindWallSample = 1
	kindCPUSample  = 2
	kindNames      = 3
	kindPath       = 4
	kindStack      = 5
	kindSame       = 6
	kindRate       = 7
	kindLost       = 8
	kindUsed       = 9
)

const (
	stackCut     = 1
	stackLogical = 2
	stackMoved   = 4
)

const (
	maxSlots = 1 << 26
	maxDepth = 1 << 12
	maxNames = 1 << 10
	maxPCs   = 1 << 14 * 3 / 4 // addresses with numbers
)

var errEnds = errors.New("ends in the middle of a record")

// varints reads unsigned varints. It keeps the first error; later reads return 0.
type varints struct {
	b   []byte
	err error
}

func (v *varints) next() uint64 {
	x, n := binary.Uvarint(v.b)
	if n <= 0 {
		if v.err == nil {
			v.err = errEnds
		}
		v.b = nil
		return 0
	}
	v.b = v.b[n:]
	return x
}

// upTo reads a number. It fails if the number exceeds the bound.
func (v *varints) upTo(bound uint64) int {
	x := v.next()
	if x > bound {
		v.fail(fmt.Errorf("number %d: want at most %d", x, bound))
		return 0
	}
	return int(x)
}

// ns reads a time in ns. It fails beyond two years, so that sums do not overflow.
func (v *varints) ns() int64 { return int64(v.upTo(1 << 56)) }

func (v *varints) fail(err error) {
	if v.err == nil {
		v.err = err
	}
	v.b = nil
}

// text reads a string: its length, then its bytes.
func (v *varints) text() string {
	n := v.upTo(uint64(len(v.b)))
	if v.err != nil || n > len(v.b) {
		v.fail(errEnds)
		return ""
	}
	s := string(v.b[:n])
	v.b = v.b[n:]
	return s
}

// decoder decodes records. It resolves the numbers of stacks and addresses.
type decoder struct {
	varints
	*fileContent
	began       int64          // ns of CPU time before the CPU profiler
	pcs         []uint64       // by number, from 1
	stack       map[uint64]int // by number: index in seen.stacks
	goids       map[int]uint64 // by slot
	sampleCount int64          // of the CPU profiler
}

// decode reads all records of a file. A stack whose record is missing has no addresses.
func (s *fileContent) decode(b []byte) error {
	d := &decoder{varints: varints{b: b}, fileContent: s, stack: map[uint64]int{}, goids: map[int]uint64{}}
	for len(d.b) > 0 {
		d.record()
	}
	d.resolve()
	return d.err
}

func (d *decoder) record() {
	switch kind := d.next(); kind {
	case kindWallSample:
		d.readWallSample()
	case kindCPUSample:
		d.readCPUSample()
	case kindNames:
		d.readNames()
	case kindPath:
		d.path = d.text()
	case kindStack:
		d.readStack()
	case kindSame:
		number, same := d.next(), d.next()
		if i, ok := d.stack[same]; ok {
			d.stack[number] = i
		}
	case kindRate:
		d.hz, d.began = d.ns(), d.ns()
	case kindLost:
		d.lost += int64(d.upTo(1 << 40))
	case kindUsed:
		d.cpu, d.within = max(0, d.ns()-d.began), d.sampleCount
	default:
		d.fail(fmt.Errorf("unknown kind of record %d", kind))
	}
}

func (d *decoder) readWallSample() {
	last := d.start
	if n := len(d.samples); n > 0 {
		last = d.samples[n-1].at
	}
	l := wallSample{at: last + d.ns(), took: d.ns(), skipped: d.ns(), spared: d.ns(), over: d.ns(), late: d.ns(), goroutines: d.ns()}
	slot := -1
	for {
		distance := d.upTo(maxSlots)
		if distance == 0 {
			break
		}
		if slot += distance; slot > maxSlots {
			d.fail(fmt.Errorf("malformed change of goroutine %d", slot))
		}
		x := d.upTo(2*(inWaiting+maxNames) + 1)
		c := change{slot: slot, state: uint64(x / 2)}
		if x%2 == 1 {
			d.goids[slot] = d.next()
		}
		if c.state != inGone {
			c.goid, c.stack = d.goids[slot], d.upTo(1<<60)
		}
		if d.err != nil {
			return
		}
		l.changes = append(l.changes, c)
	}
	if d.err == nil {
		d.samples = append(d.samples, l)
	}
}

func (d *decoder) readStack() {
	number, what, n := d.next(), d.next(), d.upTo(maxDepth)
	x := stack{cut: what&stackCut != 0, logical: what&stackLogical != 0, moved: what&stackMoved != 0}
	for range n {
		x.pcs = append(x.pcs, d.pc())
		if d.err != nil {
			return
		}
	}
	d.stack[number] = len(d.stacks)
	d.stacks = append(d.stacks, x)
}

// pc reads an address. The file contains each address once; later it contains only its number.
func (d *decoder) pc() uint64 {
	if n := d.upTo(uint64(len(d.pcs))); n > 0 {
		return d.pcs[n-1]
	}
	pc := d.next()
	if len(d.pcs) < maxPCs {
		d.pcs = append(d.pcs, pc)
	}
	return pc
}

func (d *decoder) readCPUSample() {
	h := cpuSample{at: d.start + d.ns(), n: int64(d.upTo(1 << 28)), stack: d.upTo(1 << 60)}
	if d.err == nil {
		d.cpuSamples = append(d.cpuSamples, h)
		d.sampleCount += h.n
	}
}

func (d *decoder) readNames() {
	d.names = nil
	for range d.upTo(maxNames) {
		name := d.text()
		if d.err != nil {
			return
		}
		d.names = append(d.names, name)
	}
}

// resolve replaces the numbers of stacks by indices.
func (d *decoder) resolve() {
	unknown := -1
	index := func(number int) int {
		if i, ok := d.stack[uint64(number)]; ok {
			return i
		}
		if unknown < 0 {
			unknown = len(d.stacks)
			d.stacks = append(d.stacks, stack{})
		}
		return unknown
	}
	for _, l := range d.samples {
		for i := range l.changes {
			if c := &l.changes[i]; c.state != inGone {
				c.stack = index(c.stack)
			}
		}
	}
	for i := range d.cpuSamples {
		d.cpuSamples[i].stack = index(d.cpuSamples[i].stack)
	}
}
