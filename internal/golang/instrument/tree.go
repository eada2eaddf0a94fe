package instrument

import (
	"encoding/binary"
	"slices"
)

func uint32At(b []byte, at uint64) uint32 { return binary.NativeEndian.Uint32(b[at:]) }

// node is an element of the tree of calls, merged over all goroutines.
type node struct {
	fn       int
	from     *node
	to       *node // itself, or the ancestor that a recursive call leads back to
	children map[int]*node
	tally
}

// funcTally is the data of a function other than its calls.
type funcTally struct {
	active, goroutines uint64
}

// forest is the content of an arena.
type forest struct {
	root             *node
	funcs            []funcTally
	counts           []uint64 // if calls are only counted
	over             []uint64 // calls without room in a tree, by function
	probes           float64  // executed by all goroutines, in units
	goroutines, lost uint64
}

func newNode(fn int, from *node) *node {
	n := &node{fn: fn, from: from, children: make(map[int]*node)}
	n.to = n
	return n
}

// readForest reads the trees of all goroutines and merges them.
func (d *decoder) readForest() (*forest, error) {
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
		if err := d.readFunctions(f, d.word(at, stateFuncs)); err != nil {
			return err
		}
		if err := d.readPages(f, d.word(at, statePages)); err != nil {
			return err
		}
		return d.readChildren(f.root, at+stateRoot)
	})
	f.root.prune()
	return f, err
}

// prune removes elements whose calls were discarded, unless there were later calls below them. It reports whether the
// element stays.
func (n *node) prune() bool {
	for id, kid := range n.children {
		if !kid.prune() {
			delete(n.children, id)
		}
	}
	return n.calls > 0 || len(n.children) > 0
}

func (d *decoder) readFunctions(f *forest, pointer uint64) error {
	return d.walkTrie(pointer, funcBytes, funcKids, func(at uint64) error {
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

// readChildren reads the elements below the one at at, which is n in the merged tree.
func (d *decoder) readChildren(n *node, at uint64) error {
	return d.walkTrie(d.word(at, callKids), callBytes, callNext, func(at uint64) error {
		id, err := d.id(at)
		if err != nil {
			return err
		}
		kid := n.children[id]
		if kid == nil {
			kid = newNode(id, n)
			for up := n; up.from != nil; up = up.from {
				if up.fn == id {
					kid.to = up
					break
				}
			}
			n.children[id] = kid
		}
		t, err := d.readTally(at)
		if err != nil {
			return err
		}
		kid.add(t)
		return d.readChildren(kid, at)
	})
}

func (d *decoder) readPages(f *forest, pointer uint64) error {
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

// walk visits the elements of the tree, parents first, in the order of functions.
func (f *forest) walk(visit func(n *node)) {
	todo := []*node{f.root}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if n != f.root {
			visit(n)
		}
		ids := make([]int, 0, len(n.children))
		for id := range n.children {
			ids = append(ids, id)
		}
		slices.Sort(ids)
		for _, id := range slices.Backward(ids) {
			todo = append(todo, n.children[id])
		}
	}
}
