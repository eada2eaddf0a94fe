package footprint

import (
	"maps"
	"math/bits"
	"slices"
)

// block is memory that the walk took for one object.
type block struct {
	addr, size uintptr // size is that of the visited part
	kind       uint32
}

// blocks calls one for each block of the set, in the order of addresses, and shared
// for each group of tiny objects in one block.
func (s *addressSet) blocks(one func(block), shared func(addr, used uintptr, kinds []uint32)) {
	var open block
	closeOpen := func() {
		if open.size > 0 {
			one(open)
		}
		open = block{}
	}
	for _, base := range slices.Sorted(maps.Keys(s.arenas)) {
		a := s.arenas[base]
		for i, p := range a.pages {
			addr := base + uintptr(i)<<pageShift
			if p == nil || open.size > 0 && open.addr+open.size != addr {
				closeOpen()
			}
			if p == nil {
				continue
			}
			if open.size > 0 {
				open.size += p.end(0) << wordShift
				if p.end(0) < pageWords {
					closeOpen()
				}
			}
			slices.Sort(p.notes)
			for _, n := range p.notes {
				w := n.offset() >> wordShift
				if n.offset()&(1<<wordShift-1) != 0 || !p.starts(w) {
					continue
				}
				closeOpen()
				end := p.end(w + 1)
				open = block{addr + n.offset(), (end - w) << wordShift, n.kind()}
				if end < pageWords {
					closeOpen()
				}
			}
			p.tinyBlocks(addr, shared)
		}
	}
	closeOpen()
}

// tinyBlocks groups the tiny objects of a page by the 16 bytes they lie in.
func (p *page) tinyBlocks(addr uintptr, shared func(addr, used uintptr, kinds []uint32)) {
	if p.tiny == nil {
		return
	}
	var kinds []uint32
	at := uintptr(0)
	flush := func() {
		if len(kinds) > 0 {
			used := p.tiny[at/64] >> (at % 64) & (1<<maxTiny - 1)
			shared(addr+at, uintptr(bits.OnesCount64(used)), kinds)
			kinds = kinds[:0]
		}
	}
	for _, n := range p.notes {
		if o := n.offset(); !p.covers(o>>wordShift) && p.hasTiny(o) {
			if b := o &^ (maxTiny - 1); b != at {
				flush()
				at = b
			}
			kinds = append(kinds, n.kind())
		}
	}
	flush()
}
