package instrument

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// ErrNotRun is wrapped by the error for an arena that no process has written to.
var ErrNotRun = errors.New("no program with probes has started")

// decoder reads an arena. The process may have been killed at any moment or still write, or the file may be damaged,
// so it checks each offset and number.
type decoder struct {
	b     []byte
	base  uint64 // address of the file in the program
	funcs int    // functions of the build
	calls int    // elements read so far, a limit against damaged files
}

// damaged returns the error for a file that probes cannot have written.
func damaged(format string, args ...any) error {
	return fmt.Errorf("damaged: "+format, args...)
}

// word reads a field. Callers have checked that the structure is in the file.
func (d *decoder) word(at, field uint64) uint64 { return binary.NativeEndian.Uint64(d.b[at+field:]) }

func (d *decoder) float(at, field uint64) float64 { return math.Float64frombits(d.word(at, field)) }

// header checks the header of the file.
func (d *decoder) header() error {
	if len(d.b) < pathAt || d.word(0, hdrMagic) != magic {
		return damaged("not the arena of a program with probes on this machine")
	}
	switch {
	case d.word(0, hdrLayout) != version:
		return damaged("layout %d, want %d", d.word(0, hdrLayout), version)
	case d.word(0, hdrSize) != uint64(len(d.b)):
		return damaged("%d bytes of %d", len(d.b), d.word(0, hdrSize))
	case d.word(0, hdrFuncs) != uint64(d.funcs):
		return damaged("%d functions, but the build has %d", d.word(0, hdrFuncs), d.funcs)
	case d.word(0, hdrTaken) == 0:
		return ErrNotRun
	case d.word(0, hdrPath) != pathAt || d.word(0, hdrSteps) > uint64(len(d.b)-pathAt)/stepBytes:
		return damaged("the path does not fit")
	case d.word(0, hdrOver) < pathAt || d.word(0, hdrOver)%8 != 0 || d.word(0, hdrOver) > uint64(len(d.b)) || uint64(len(d.b))-d.word(0, hdrOver) < 8*uint64(d.funcs):
		return damaged("the counters do not fit")
	}
	for _, cost := range []uint64{hdrOutside, hdrInside, hdrLight, hdrLooseIn, hdrLoose} {
		if f := d.float(0, cost); !(f >= 0 && f < 1e9) {
			return damaged("a probe takes %g ticks", f)
		}
	}
	d.base = d.word(0, hdrBase)
	return nil
}

// at returns the offset of a structure of n bytes that the program refers to by pointer, or 0 for nil.
func (d *decoder) at(pointer, n uint64) (uint64, error) {
	if pointer == 0 {
		return 0, nil
	}
	return d.offset(pointer-d.base, n)
}

func (d *decoder) offset(o, n uint64) (uint64, error) {
	if o < hdrBytes || o%8 != 0 || o > uint64(len(d.b)) || uint64(len(d.b))-o < n {
		return 0, damaged("an address outside of the file")
	}
	return o, nil
}

// tick returns the length of a clock tick in ns.
func (d *decoder) tick() (float64, error) {
	if d.word(0, hdrClock) == clockKernel {
		return 1, nil
	}
	ticks := float64(d.word(0, hdrTicks1) - d.word(0, hdrTicks0))
	nanos := float64(d.word(0, hdrNanos1) - d.word(0, hdrNanos0))
	if !(ticks > 0 && nanos > 0) || nanos/ticks > 1e4 || nanos/ticks < 1e-4 {
		return 0, damaged("%g ticks in %g ns: the process ended before its clock was calibrated", ticks, nanos)
	}
	return nanos / ticks, nil
}

// step returns the resolution of the clock in ns.
func (d *decoder) step(tick float64) float64 {
	if s := d.word(0, hdrStep); s > 0 && float64(s)*tick < 1e6 {
		return float64(s) * tick
	}
	return tick
}

// states visits the states of all goroutines.
func (d *decoder) states(visit func(at uint64) error) error {
	next := d.word(0, hdrStates)
	for n := 0; next != 0; n++ {
		if n > len(d.b)/stateBytes {
			return damaged("endless list of goroutines")
		}
		at, err := d.offset(next, stateBytes)
		if err != nil {
			return err
		}
		if err := visit(at); err != nil {
			return err
		}
		next = d.word(at, stateNext)
	}
	return nil
}

// walkTrie visits a structure and those below its four links.
func (d *decoder) walkTrie(pointer, size, links uint64, visit func(at uint64) error) error {
	todo := []uint64{pointer}
	for len(todo) > 0 {
		at, err := d.at(todo[len(todo)-1], size)
		todo = todo[:len(todo)-1]
		if err != nil {
			return err
		}
		if at == 0 {
			continue
		}
		if d.calls++; d.calls > len(d.b)/funcBytes {
			return damaged("endless tree of calls")
		}
		if err := visit(at); err != nil {
			return err
		}
		for i := uint64(0); i < 4; i++ {
			todo = append(todo, d.word(at, links+8*i))
		}
	}
	return nil
}

// id reads the function number of a structure.
func (d *decoder) id(at uint64) (int, error) {
	if id := d.word(at, callID); id < uint64(d.funcs) {
		return int(id), nil
	}
	return 0, damaged("a call of function %d of %d", d.word(at, callID), d.funcs)
}
