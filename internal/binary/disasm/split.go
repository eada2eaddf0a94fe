package disasm

import (
	"cmp"
	"slices"
)

// maxPasses limits how often a function is decoded. Each pass may find jumps into the middle of instructions
// of the pass before.
const maxPasses = 4

// split decodes the instructions of a function.
//
// It starts again at a known address if an instruction would cover it. Targets of jumps are known addresses,
// too, unless the jump follows undecodable bytes. If a target is not the address of an instruction, the
// function is decoded again with it.
func split(d decoder, addr uint64, code []byte, known []uint64) []decoded {
	s := splitter{d: d, addr: addr, code: code}
	s.addBeginnings(known, 1)
	for pass := 1; ; pass++ {
		s.run()
		before := len(s.begins)
		s.addBeginnings(s.targetsInside(), 2)
		if len(s.begins) == before || pass == maxPasses {
			return s.all
		}
	}
}

// splitter decodes one function. Positions are relative to the function, so that they cannot overflow at the
// end of the address space.
type splitter struct {
	d       decoder
	addr    uint64
	code    []byte
	begins  []beginning // sorted
	all     []decoded
	targets []uint64 // addresses, of jumps that do not follow undecodable bytes
}

// beginning is an offset in the function's code at which an instruction is known to begin.
type beginning struct {
	at     int
	weight int // how reliable it is: a jump counts more than a line table
}

// addBeginnings adds those addresses that lie in the function's code and are aligned.
func (s *splitter) addBeginnings(addrs []uint64, weight int) {
	for _, a := range addrs {
		if at := a - s.addr; at < uint64(len(s.code)) && at%uint64(s.d.alignment()) == 0 {
			s.begins = append(s.begins, beginning{int(at), weight})
		}
	}
	slices.SortFunc(s.begins, func(x, y beginning) int {
		return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(y.weight, x.weight))
	})
	s.begins = slices.CompactFunc(s.begins, func(x, y beginning) bool { return x.at == y.at })
}

// run decodes the function with the known beginnings.
func (s *splitter) run() {
	s.all = slices.Grow(s.all[:0], len(s.code)/4)
	s.targets = s.targets[:0]
	undecoded := false // after undecodable bytes, until the next known beginning
	begins := s.begins
	for at := 0; at < len(s.code); {
		for len(begins) > 0 && begins[0].at <= at {
			undecoded = undecoded && begins[0].at != at
			begins = begins[1:]
		}
		in := s.inst(at)
		if len(begins) > 0 && in.covers(at, begins[0].at) && (undecoded || s.fewerConflicts(begins[0].at, at)) {
			in = badInst(in.Addr, 1)
		}
		s.all = append(s.all, in)
		undecoded = undecoded || in.Bad
		if (in.Flow == Jump || in.Flow == Branch) && !undecoded {
			s.targets = append(s.targets, in.Target)
		}
		at += in.Len
	}
}

func (s *splitter) inst(at int) decoded {
	return s.d.inst(s.addr+uint64(at), s.code[at:])
}

// covers reports whether offset place lies inside the instruction at offset at. The end of a prefix does not count
// as inside: C libraries jump over LOCK if there is one thread, and Go's assembler gives a prefix a line of its
// own.
func (in *decoded) covers(at, place int) bool {
	return at < place && place < at+in.Len && place != at+in.prefix
}

// fewerConflicts reports whether the code has fewer conflicts if an instruction begins at offset at than if that
// offset lies inside the instruction at offset before. A known beginning alone is not enough: assembly that writes
// an instruction as bytes, one per line, has a line table entry for each byte.
func (s *splitter) fewerConflicts(at, before int) bool {
	const far = 32 // bytes after which x86 decoding is usually in step again
	return 1+s.conflicts(at, at+far) < s.conflicts(before, at+far)
}

// conflicts counts the conflicts between two positions: undecodable bytes, and known beginnings inside instructions.
func (s *splitter) conflicts(from, to int) int {
	i, _ := slices.BinarySearchFunc(s.begins, from, func(b beginning, at int) int { return cmp.Compare(b.at, at) })
	begins := s.begins[i:]
	count := 0
	for at := from; at < min(to, len(s.code)); {
		in := s.inst(at)
		if in.Bad {
			count++
		}
		for ; len(begins) > 0 && begins[0].at < at+in.Len; begins = begins[1:] {
			if in.covers(at, begins[0].at) {
				count += begins[0].weight
			}
		}
		at += in.Len
	}
	return count
}

// targetsInside returns the jump targets that lie inside an instruction.
func (s *splitter) targetsInside() []uint64 {
	var missed []uint64
	for _, t := range s.targets {
		at := t - s.addr
		if at >= uint64(len(s.code)) {
			continue
		}
		i, found := slices.BinarySearchFunc(s.all, at, func(in decoded, at uint64) int { return cmp.Compare(in.Addr-s.addr, at) })
		if !found && s.all[i-1].covers(int(s.all[i-1].Addr-s.addr), int(at)) {
			missed = append(missed, t)
		}
	}
	return missed
}
