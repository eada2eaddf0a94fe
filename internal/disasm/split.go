package disasm

import (
	"cmp"
	"slices"
)

// maxPasses bounds how often a function is decoded: each pass may find jumps into the
// middle of what the pass before took for an instruction.
const maxPasses = 4

// split finds the instructions of a function.
//
// It decodes one after the other, and begins anew at addresses that are known to begin
// one, if an instruction would reach over them. Where jumps lead to is as good to know,
// if the jump itself is not in doubt; so those that lead to no instruction are added,
// and the function is decoded again.
func split(d decoder, addr uint64, code []byte, known []uint64) []decoded {
	s := splitter{d: d, addr: addr, code: code}
	s.learn(known, 1)
	for pass := 1; ; pass++ {
		s.run()
		before := len(s.begins)
		s.learn(s.missed(), 2)
		if len(s.begins) == before || pass == maxPasses {
			return s.all
		}
	}
}

// splitter takes a function to pieces. It counts from the function's own address, so
// that it need not care where the address space ends.
type splitter struct {
	d       decoder
	addr    uint64
	code    []byte
	begins  []beginning // sorted
	all     []decoded
	targets []uint64 // of jumps that are not in doubt: addresses
}

// beginning is a place in the code that is known to begin an instruction.
type beginning struct {
	at     int
	weight int // of what speaks for it: a jump's word counts for more than a line table's
}

// learn adds addresses, as far as they are in the code.
func (s *splitter) learn(addrs []uint64, weight int) {
	for _, a := range addrs {
		if at := a - s.addr; at < uint64(len(s.code)) && at%uint64(s.d.unit()) == 0 {
			s.begins = append(s.begins, beginning{int(at), weight})
		}
	}
	slices.SortFunc(s.begins, func(x, y beginning) int {
		return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(y.weight, x.weight))
	})
	s.begins = slices.CompactFunc(s.begins, func(x, y beginning) bool { return x.at == y.at })
}

// run decodes the function with what is known.
func (s *splitter) run() {
	s.all = slices.Grow(s.all[:0], len(s.code)/4)
	s.targets = s.targets[:0]
	doubt := false // behind bytes that are no instruction, until the next known beginning
	begins := s.begins
	for at := 0; at < len(s.code); {
		for len(begins) > 0 && begins[0].at <= at {
			doubt = doubt && begins[0].at != at
			begins = begins[1:]
		}
		in := s.inst(at)
		if len(begins) > 0 && in.covers(at, begins[0].at) && (doubt || s.better(begins[0].at, at)) {
			in = bad(in.Addr, 1)
		}
		s.all = append(s.all, in)
		doubt = doubt || in.Bad
		if (in.Flow == Jump || in.Flow == Branch) && !doubt {
			s.targets = append(s.targets, in.Target)
		}
		at += in.Len
	}
}

func (s *splitter) inst(at int) decoded {
	return s.d.inst(s.addr+uint64(at), s.code[at:])
}

// covers reports whether a place is in the middle of the instruction at another. Behind
// a prefix is not: jumps skip one (so C libraries leave out LOCK where there is one
// thread), and for Go's assembler it is an instruction of its own, with a line of its own.
func (in *decoded) covers(at, place int) bool {
	return at < place && place < at+in.Len && place != at+in.prefix
}

// better reports whether less speaks against the code if an instruction begins at a
// place than if it is in the middle of the one before. It is not enough that it is
// said to begin one: assembly that spells an instruction in bytes, each on a line of
// its own, has a line table that says so of each byte.
func (s *splitter) better(at, before int) bool {
	const far = 32 // by then x86 code has fallen into step
	return 1+s.against(at, at+far) < s.against(before, at+far)
}

// against counts what speaks against the instructions from one place to another: bytes
// that are none, and known beginnings in their middle.
func (s *splitter) against(from, to int) int {
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

// missed are the targets in the code that begin no instruction.
func (s *splitter) missed() []uint64 {
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
