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
	full   bool     // there was no room for more
	path   string   // of the program, as it was called
	names  []string // of the reasons to wait
	stacks []stack
	looks  []look
	took   int64 // ns, of the last look; 0: not known
	hits   []hit
	hz     int64 // of the CPU profiler
	lost   int64 // of its samples
}

// stack is a call stack, innermost first.
type stack struct {
	pcs     []uint64 // the first where it stands, the others where calls return
	cut     bool     // outer functions are missing
	logical bool     // functions that were inlined are elements of their own
}

// look is one look at all goroutines: what is different from the one before.
type look struct {
	at         int64 // CLOCK_MONOTONIC ns
	took       int64 // ns, of the look before
	skipped    int64 // that were due since
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
)

const (
	stackCut     = 1
	stackLogical = 2
)

const (
	maxSlots = 1 << 26
	maxDepth = 1 << 12
	maxNames = 1 << 10
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

func (v *varints) ns() int64 { return int64(v.upTo(1 << 60)) }

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

// decode reads all records.
func (s *seen) decode(b []byte) error {
	v := &varints{b: b}
	for len(v.b) > 0 {
		switch kind := v.next(); kind {
		case kindLook:
			s.look(v)
		case kindHit:
			s.hit(v)
		case kindNames:
			s.readNames(v)
		case kindPath:
			s.path = v.text()
		default:
			v.fail(fmt.Errorf("no kind of record is %d", kind))
		}
	}
	return v.err
}

func (s *seen) look(v *varints) {
	last := s.start
	if n := len(s.looks); n > 0 {
		last = s.looks[n-1].at
	}
	l := look{at: last + v.ns(), took: v.ns(), skipped: v.ns(), goroutines: v.ns()}
	slot := -1
	for {
		distance := v.upTo(maxSlots)
		if distance == 0 {
			break
		}
		if slot += distance; slot > maxSlots {
			v.fail(fmt.Errorf("goroutine %d", slot))
		}
		c := change{slot: slot, state: uint64(v.upTo(inWaiting + maxNames))}
		if c.state != inGone {
			c.goid = v.next()
			c.stack = s.stack(v)
		}
		if v.err != nil {
			return
		}
		l.changes = append(l.changes, c)
	}
	if v.err == nil {
		s.looks = append(s.looks, l)
	}
}

// stack reads one, or which one it is.
func (s *seen) stack(v *varints) int {
	if n := v.upTo(uint64(len(s.stacks))); n > 0 {
		return n - 1
	}
	what, n := v.next(), v.upTo(maxDepth)
	x := stack{cut: what&stackCut != 0, logical: what&stackLogical != 0}
	for range n {
		x.pcs = append(x.pcs, v.next())
		if v.err != nil {
			return 0
		}
	}
	s.stacks = append(s.stacks, x)
	return len(s.stacks) - 1
}

func (s *seen) hit(v *varints) {
	h := hit{at: s.start + v.ns(), n: v.ns(), stack: s.stack(v)}
	if v.err != nil {
		return
	}
	pcs := s.stacks[h.stack].pcs
	switch {
	case len(pcs) == 0 && s.hz == 0: // the first tells the rate
		s.hz = h.n
	case h.n == 0 && len(pcs) == 1:
		s.lost += int64(min(pcs[0], 1<<40))
	case len(pcs) > 0:
		s.hits = append(s.hits, h)
	}
}

func (s *seen) readNames(v *varints) {
	s.names = nil
	for range v.upTo(maxNames) {
		name := v.text()
		if v.err != nil {
			return
		}
		s.names = append(s.names, name)
	}
}
