package footprint

import (
	"slices"
	"testing"
)

// FuzzAddresses puts stretches of memory into the set, and compares with a list
// of words: which are covered, and where blocks start.
func FuzzAddresses(f *testing.F) {
	f.Add([]byte{1, 0, 3, 9, 0, 1, 2, 0, 200})
	f.Add([]byte{0, 4, 255, 0, 0, 255, 4, 4, 255, 0, 8, 3})
	f.Add([]byte{255, 3, 2, 0, 4, 9, 254, 3, 9})
	f.Fuzz(func(t *testing.T, ops []byte) {
		ops = ops[:min(len(ops), 300)]
		const base, words = 5<<arenaShift - 4*pageBytes, 1 << 13
		s := newAddressSet()
		var covered, start [words + 1]bool
		var kinds [words]uint32
		for kind := uint32(1); len(ops) >= 3; ops, kind = ops[3:], kind+1 {
			first := (int(ops[0]) + int(ops[1])<<8) % words
			n := min(int(ops[2])%64+1, words-first)
			if ops[2] > 250 {
				n = min(3*pageWords, words-first)
			}
			wantLo, wantHi := 0, 0
			for w := first; w < first+n; w++ {
				if !covered[w] {
					if wantHi == 0 {
						wantLo = w - first
					}
					wantHi = w - first + 1
				}
			}
			if !covered[first] {
				start[first] = true
			}
			if start[first] && wantHi > 0 {
				kinds[first] = kind
			}
			for w := first; w < first+n; w++ {
				covered[w] = true
				start[w] = start[w] && w == first
			}
			lo, hi := s.add(base+uintptr(first)<<wordShift, uintptr(n)<<wordShift, kind)
			if int(lo) != wantLo<<wordShift || int(hi) != wantHi<<wordShift {
				t.Fatalf("adding %d words at %d: %d to %d is new, want %d to %d", n, first, lo, hi, wantLo<<wordShift, wantHi<<wordShift)
			}
		}
		var want, got []block
		for w := 0; w < words; w++ {
			if start[w] {
				end := w + 1
				for covered[end] && !start[end] {
					end++
				}
				want = append(want, block{base + uintptr(w)<<wordShift, uintptr(end-w) << wordShift, kinds[w]})
			}
		}
		s.blocks(func(b block) { got = append(got, b) }, func(uintptr, uintptr, []uint32) { t.Error("a tiny object") })
		if !slices.Equal(got, want) {
			t.Fatalf("blocks %v, want %v", got, want)
		}
	})
}

// TestTinyBlocks: tiny objects share blocks of 16 bytes, and are no more where a
// larger object covers them.
func TestTinyBlocks(t *testing.T) {
	const base = 1 << arenaShift
	s := newAddressSet()
	for _, tiny := range []struct {
		at, size uintptr
		isNew    bool
	}{
		{0, 3, true}, {3, 5, true}, {0, 3, false}, {4, 2, false}, {2, 8, true}, {16, 8, true}, {24, 8, true}, {64, 1, true}, {8190, 1, true},
	} {
		if got := s.addTiny(base+tiny.at, tiny.size, 7); got != tiny.isNew {
			t.Errorf("%d bytes at %d: new %v, want %v", tiny.size, tiny.at, got, tiny.isNew)
		}
	}
	s.add(base+56, 24, 9)
	if s.addTiny(base+72, 8, 7) {
		t.Error("a part of an object is new")
	}
	type group struct {
		at, used uintptr
		n        int
	}
	var got []group
	s.blocks(func(b block) {
		if b != (block{base + 56, 24, 9}) {
			t.Errorf("block %v", b)
		}
	}, func(addr, used uintptr, kinds []uint32) { got = append(got, group{addr - base, used, len(kinds)}) })
	if want := []group{{0, 10, 2}, {16, 16, 2}, {8176, 1, 1}}; !slices.Equal(got, want) {
		t.Errorf("groups %v, want %v", got, want)
	}
}

// TestSameStart: the kind of a block is that of the largest object seen there.
func TestSameStart(t *testing.T) {
	const base = 1 << arenaShift
	s := newAddressSet()
	s.addTiny(base, 8, 1)
	s.add(base, 16, 2)
	s.add(base, 32, 3)
	s.add(base, 24, 4)
	s.blocks(func(b block) {
		if b != (block{base, 32, 3}) {
			t.Errorf("block %v", b)
		}
	}, func(uintptr, uintptr, []uint32) { t.Error("a tiny object") })
}
