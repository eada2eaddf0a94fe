package footprint

import (
	"math/bits"
	"unsafe"
)

// The set of visited memory has, for each page of 8 KiB, one bit for each word that
// can hold a pointer. So overlapping views of one object add up to the object in any
// order, and the memory of the walk is bounded by the memory that it visits.
const (
	wordShift  = 2 + wordBytes/8
	pageShift  = 13
	pageBytes  = 1 << pageShift
	pageWords  = pageBytes >> wordShift
	arenaShift = 26
	arenaPages = 1 << (arenaShift - pageShift)
	// maxTiny is the size in bytes below which the allocator puts several
	// pointer-free objects into one block.
	maxTiny = 16
)

// addressSet is a set of memory blocks, each with the kind of its contents.
type addressSet struct {
	arenas map[uintptr]*arena
	last   *arena
}

type arena struct {
	base  uintptr
	pages [arenaPages]*page
}

// page describes 8 KiB of address space.
type page struct {
	cover [pageWords / 64]uint64  // words that belong to a block
	start [pageWords / 64]uint64  // of these the first of each block
	tiny  *[pageBytes / 64]uint64 // bytes that belong to tiny objects
	notes []note                  // kinds of the blocks that start in the page
}

// note is an offset in a page and the kind of the block that starts there.
type note uint32

const (
	kindBits = 32 - pageShift
	maxKinds = 1 << kindBits
)

func newNote(offset uintptr, kind uint32) note { return note(offset<<kindBits) | note(kind) }
func (n note) offset() uintptr                 { return uintptr(n >> kindBits) }
func (n note) kind() uint32                    { return uint32(n) & (maxKinds - 1) }

func newAddressSet() *addressSet { return &addressSet{arenas: map[uintptr]*arena{}} }

// slot returns where the page of an address is stored.
func (s *addressSet) slot(addr uintptr) **page {
	base := addr >> arenaShift << arenaShift
	if s.last == nil || s.last.base != base {
		a := s.arenas[base]
		if a == nil {
			a = &arena{base: base}
			s.arenas[base] = a
		}
		s.last = a
	}
	return &s.last.pages[addr>>pageShift&(arenaPages-1)]
}

// fullPage stands for all pages that lie within one large block. It is never written
// to, because it is covered completely.
var fullPage = func() *page {
	p := new(page)
	for i := range p.cover {
		p.cover[i] = ^uint64(0)
	}
	return p
}()

// add adds size bytes from addr on, as a block of the given kind. Blocks that start
// within become a part of it; if it starts within another block, it becomes a part of
// that. It returns the range of new bytes as offsets from addr, the end exclusive: 0,
// 0 if none is new.
func (s *addressSet) add(addr, size uintptr, kind uint32) (lo, hi uintptr) {
	first, last := addr>>wordShift, (addr+size-1)>>wordShift
	from, to := s.addPage(first, min(last, first|(pageWords-1)), true)
	for w := first | (pageWords - 1) + 1; w <= last; w += pageWords {
		f, t := s.addPage(w, min(last, w|(pageWords-1)), false)
		if t == 0 {
			continue
		}
		if to == 0 {
			from = f
		}
		to = t
	}
	if to == 0 {
		return 0, 0
	}
	(*s.slot(addr)).name(first&(pageWords-1), kind, from == first)
	return max(from<<wordShift, addr) - addr, min(to<<wordShift, addr+size) - addr
}

// addPage adds words of one page, both ends inclusive; a block starts at the first if
// head is set. It returns the first new word and the end of the new words.
func (s *addressSet) addPage(first, last uintptr, head bool) (from, to uintptr) {
	at := s.slot(first << wordShift)
	switch {
	case *at == nil && !head && last-first == pageWords-1:
		*at = fullPage
		return first, last + 1
	case *at == nil:
		*at = new(page)
	case *at == fullPage:
		return 0, 0
	}
	from, to = (*at).add(first&(pageWords-1), last&(pageWords-1), head)
	if to == 0 {
		return 0, 0
	}
	base := first &^ (pageWords - 1)
	return base + from, base + to
}

// add is addPage with word indices of the page.
func (p *page) add(first, last uintptr, head bool) (from, to uintptr) {
	for i := first / 64; i <= last/64; i++ {
		mask := ^uint64(0)
		if i == first/64 {
			mask <<= first % 64
		}
		if i == last/64 {
			mask &= ^uint64(0) >> (63 - last%64)
		}
		fresh := mask &^ p.cover[i]
		if head && i == first/64 {
			bit := uint64(1) << (first % 64)
			p.start[i] = p.start[i]&^(mask&^bit) | fresh&bit
		} else {
			p.start[i] &^= mask
		}
		if fresh == 0 {
			continue
		}
		p.cover[i] |= fresh
		if to == 0 {
			from = i*64 + uintptr(bits.TrailingZeros64(fresh))
		}
		to = i*64 + uintptr(bits.Len64(fresh))
	}
	return from, to
}

// name records the kind of the block that starts at a word, if one does. The largest
// view of a block determines its kind. A new block has no older note, unless a tiny
// object was found there.
func (p *page) name(word uintptr, kind uint32, isNew bool) {
	if p == fullPage || !p.starts(word) {
		return
	}
	n := newNote(word<<wordShift, kind)
	if !isNew || p.hasTiny(word<<wordShift) {
		for i, old := range p.notes {
			if old.offset() == n.offset() {
				p.notes[i] = n
				return
			}
		}
	}
	p.notes = append(p.notes, n)
}

// addTiny adds a pointer-free object of less than 16 bytes, and reports whether it is
// new. Several tiny objects share a block.
func (s *addressSet) addTiny(addr, size uintptr, kind uint32) bool {
	at := s.slot(addr)
	if *at == nil {
		*at = new(page)
	}
	p, offset := *at, addr&(pageBytes-1)
	if p.covers(offset >> wordShift) {
		return false
	}
	if p.tiny == nil {
		p.tiny = new([pageBytes / 64]uint64)
	}
	head, fresh := !p.hasTiny(offset), false
	for o := offset; o < min(offset+size, pageBytes); o++ {
		fresh = fresh || !p.hasTiny(o)
		p.tiny[o/64] |= 1 << (o % 64)
	}
	if head {
		p.notes = append(p.notes, newNote(offset, kind))
	}
	return fresh
}

func (p *page) covers(word uintptr) bool { return p.cover[word/64]>>(word%64)&1 != 0 }
func (p *page) starts(word uintptr) bool { return p.start[word/64]>>(word%64)&1 != 0 }
func (p *page) hasTiny(offset uintptr) bool {
	return p.tiny != nil && p.tiny[offset/64]>>(offset%64)&1 != 0
}

// end returns the word after a run that continues at a word: the first that is not
// covered, starts a block of its own, or does not belong to this page.
func (p *page) end(word uintptr) uintptr {
	for i := word / 64; i < uintptr(len(p.cover)); i++ {
		stop := ^p.cover[i] | p.start[i]
		if i == word/64 {
			stop &= ^uint64(0) << (word % 64)
		}
		if stop != 0 {
			return i*64 + uintptr(bits.TrailingZeros64(stop))
		}
	}
	return pageWords
}

// bytes returns the size of the set itself.
func (s *addressSet) bytes() int64 {
	var n uintptr
	for _, a := range s.arenas {
		n += unsafe.Sizeof(*a)
		for _, p := range a.pages {
			if p == nil || p == fullPage {
				continue
			}
			n += unsafe.Sizeof(*p) + uintptr(cap(p.notes))*unsafe.Sizeof(note(0))
			if p.tiny != nil {
				n += unsafe.Sizeof(*p.tiny)
			}
		}
	}
	return int64(n)
}
