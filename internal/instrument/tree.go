package instrument

import (
	"encoding/binary"
	"slices"
)

func uint32At(b []byte, at uint64) uint32 { return binary.NativeEndian.Uint32(b[at:]) }

// node is an element of the tree of calls of all goroutines together.
type node struct {
	fn   int
	from *node
	to   *node // itself, or the one further up that a recursive call leads back to
	kids map[int]*node
	tally
}

// funcTally is what is known of a function besides its calls.
type funcTally struct {
	active, goroutines uint64
}

// forest is the content of an arena.
type forest struct {
	root             *node
	funcs            []funcTally
	counts           []uint64 // where calls are only counted
	over             []uint64 // calls by function for which there was no room in a tree
	probes           float64  // that all goroutines went through, in units
	goroutines, lost uint64
}

func newNode(fn int, from *node) *node {
	n := &node{fn: fn, from: from, kids: make(map[int]*node)}
	n.to = n
	return n
}

// grow reads the trees of all goroutines into one.
func (d *decoder) grow() (*forest, error) {
	f := &forest{root: newNode(-1, nil), funcs: make([]funcTally, d.funcs), counts: make([]uint64, d.funcs), over: make([]uint64, d.funcs)}
	f.lost = d.word(0, hdrLost)
	for i := range f.over {
		f.over[i] = d.word(d.word(0, hdrOver), 8*uint64(i))
	}
	err := d.states(func(at uint64) error {
		f.goroutines += d.word(at, stateGoroutines)
		f.lost += d.word(at, stateLost)
		if p, since := d.word(at, stateProbes), d.word(at, stateSince); p > since {
			f.probes += float64(p - since)
		}
		if err := d.functions(f, d.word(at, stateFuncs)); err != nil {
			return err
		}
		if err := d.pages(f, d.word(at, statePages)); err != nil {
			return err
		}
		return d.kids(f.root, at+stateRoot)
	})
	f.root.prune()
	return f, err
}

// prune removes elements whose calls were discarded, unless others were made below them later. It
// reports whether the element stays.
func (n *node) prune() bool {
	for id, kid := range n.kids {
		if !kid.prune() {
			delete(n.kids, id)
		}
	}
	return n.calls > 0 || len(n.kids) > 0
}

func (d *decoder) functions(f *forest, pointer uint64) error {
	return d.trie(pointer, funcBytes, funcKids, func(at uint64) error {
		id, err := d.id(at)
		if err != nil {
			return err
		}
		t := &f.funcs[id]
		t.active += d.word(at, funcActive)
		t.goroutines += d.word(at, funcGoroutines)
		return nil
	})
}

// kids reads the elements below one, which is n in the common tree.
func (d *decoder) kids(n *node, at uint64) error {
	return d.trie(d.word(at, callKids), callBytes, callNext, func(at uint64) error {
		id, err := d.id(at)
		if err != nil {
			return err
		}
		kid := n.kids[id]
		if kid == nil {
			kid = newNode(id, n)
			for up := n; up.from != nil; up = up.from {
				if up.fn == id {
					kid.to = up
					break
				}
			}
			n.kids[id] = kid
		}
		t, err := d.call(at)
		if err != nil {
			return err
		}
		kid.add(t)
		return d.kids(kid, at)
	})
}

func (d *decoder) pages(f *forest, pointer uint64) error {
	size := uint64(d.funcs+page-1) / page * 8
	at, err := d.at(pointer, size)
	if err != nil || at == 0 {
		return err
	}
	for i := uint64(0); i < size/8; i++ {
		p, err := d.at(d.word(at, i*8), page*8)
		if err != nil {
			return err
		}
		for c := uint64(0); p != 0 && c < page && i*page+c < uint64(d.funcs); c++ {
			f.counts[i*page+c] += d.word(p, c*8)
		}
	}
	return nil
}

// walk visits the elements of the tree, each after the one above it, in the order of functions.
func (f *forest) walk(visit func(n *node)) {
	todo := []*node{f.root}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if n != f.root {
			visit(n)
		}
		ids := make([]int, 0, len(n.kids))
		for id := range n.kids {
			ids = append(ids, id)
		}
		slices.Sort(ids)
		for _, id := range slices.Backward(ids) {
			todo = append(todo, n.kids[id])
		}
	}
}
