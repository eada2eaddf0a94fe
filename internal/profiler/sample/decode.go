package sample

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// seen is what a process has written about itself.
type seen struct {
	anchor uint64   // where its function anchorName was
	start  int64    // CLOCK_MONOTONIC ns
	end    int64    // likewise, when it has ended; 0: not known
	full   bool     // there was no room for more
	path   string   // of the program, as it was called
	names  []string // of the reasons to wait
	stacks []stack
	looks  []look
	due    int64 // when the next look was due, CLOCK_MONOTONIC ns; 0: not known
	took   int64 // ns, of the last look; 0: not known
	hits   []hit
	hz     int64 // of the CPU profiler
	lost   int64 // of its samples
	cpu    int64 // ns that the program used while those in hits were taken; 0: not known
	within int64 // samples of that time
}

// stack is a call stack, innermost first.
type stack struct {
	pcs     []uint64 // the first where it stands, the others where calls return; none: not found out
	cut     bool     // outer functions are missing
	logical bool     // functions that were inlined are elements of their own
	moved   bool     // where it came to right after it was found running
}

// look is one look at all goroutines: what is different from the one before.
type look struct {
	at         int64 // CLOCK_MONOTONIC ns
	took       int64 // ns, of the look before
	skipped    int64 // looks left out since, to keep the cost down
	spared     int64 // likewise, to save room
	over       int64 // likewise, because the one before was not over
	late       int64 // ns after it was due
	goroutines int64
	changes    []change
}

// change is a goroutine that is not where it was.
type change struct {
	slot  int
	state uint64 // inGone …
	goid  uint64
	stack int // index in stacks
}

// hit is what the CPU profiler has found.
type hit struct {
	at    int64 // CLOCK_MONOTONIC ns
	n     int64
	stack int
}

// States as the process writes them.
const (
	inGone = iota
	inRunning
	inRunnable
	inSyscall
	inWaiting // and an index in names
)

// Kinds of records.
const (
	kindLook  = 1
	kindHit   = 2
	kindNames = 3
	kindPath  = 4
	kindStack = 5
	kindSame  = 6
	kindRate  = 7
	kindLost  = 8
	kindUsed  = 9
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

var errEnds = errors.New("it ends in the middle of a record")

// varints reads numbers, and remembers that there were no more.
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

// upTo reads a number that is not larger than a bound.
func (v *varints) upTo(bound uint64) int {
	x := v.next()
	if x > bound {
		v.fail(fmt.Errorf("%d, where %d is the most", x, bound))
		return 0
	}
	return int(x)
}

// ns reads a time, of two years at the most: sums of them are in no danger.
func (v *varints) ns() int64 { return int64(v.upTo(1 << 56)) }

func (v *varints) fail(err error) {
	if v.err == nil {
		v.err = err
	}
	v.b = nil
}

// text reads a length and so many bytes.
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

// decoder knows what the numbers in the records stand for.
type decoder struct {
	varints
	*seen
	began   int64          // ns of CPU time before the CPU profiler
	pcs     []uint64       // by number, from 1
	stack   map[uint64]int // by number: index in seen.stacks
	goids   map[int]uint64 // by slot
	samples int64
}

// decode reads all records. Where a stack was never found out, there is one without
// addresses.
func (s *seen) decode(b []byte) error {
	d := &decoder{varints: varints{b: b}, seen: s, stack: map[uint64]int{}, goids: map[int]uint64{}}
	for len(d.b) > 0 {
		d.record()
	}
	d.resolve()
	return d.err
}

func (d *decoder) record() {
	switch kind := d.next(); kind {
	case kindLook:
		d.look()
	case kindHit:
		d.hit()
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
		d.cpu, d.within = max(0, d.ns()-d.began), d.samples
	default:
		d.fail(fmt.Errorf("no kind of record is %d", kind))
	}
}

func (d *decoder) look() {
	last := d.start
	if n := len(d.looks); n > 0 {
		last = d.looks[n-1].at
	}
	l := look{at: last + d.ns(), took: d.ns(), skipped: d.ns(), spared: d.ns(), over: d.ns(), late: d.ns(), goroutines: d.ns()}
	slot := -1
	for {
		distance := d.upTo(maxSlots)
		if distance == 0 {
			break
		}
		if slot += distance; slot > maxSlots {
			d.fail(fmt.Errorf("goroutine %d", slot))
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
		d.looks = append(d.looks, l)
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

// pc reads an address, or which one it is.
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

func (d *decoder) hit() {
	h := hit{at: d.start + d.ns(), n: int64(d.upTo(1 << 28)), stack: d.upTo(1 << 60)}
	if d.err == nil {
		d.hits = append(d.hits, h)
		d.samples += h.n
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

// resolve puts indices in the place of the numbers of stacks.
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
	for _, l := range d.looks {
		for i := range l.changes {
			if c := &l.changes[i]; c.state != inGone {
				c.stack = index(c.stack)
			}
		}
	}
	for i := range d.hits {
		d.hits[i].stack = index(d.hits[i].stack)
	}
}
