package objfile

import (
	"cmp"
	"slices"
)

// Layout of runtime.inlinedCall, a node of a function's inlining tree.
const (
	inlName   = 4 // offset of the name
	inlParent = 8 // an instruction at the call's source line, relative to the function's entry
	inlSize   = 16
)

// maxDepth limits the depth of inlining.
const maxDepth = 1 << 10

// inlinedCall is a node of the inlining tree.
type inlinedCall struct {
	name   string
	parent uint32
}

// inlined reads a node of the inlining tree.
func (f pclnFunc) inlined(i int32) (inlinedCall, bool) {
	off, ok := f.funcData(pclnInlTree)
	if i < 0 || !ok || f.inl == nil {
		return inlinedCall{}, false
	}
	b := f.inl(uint64(off)+uint64(i)*inlSize, inlSize)
	if len(b) < inlSize {
		return inlinedCall{}, false
	}
	c := inlinedCall{cString(f.names, f.order.Uint32(b[inlName:])), f.order.Uint32(b[inlParent:])}
	return c, c.name != "" && uint64(c.parent) < f.end-f.entry
}

// inlineTree collects the functions inlined into a function.
type inlineTree struct {
	pclnFunc
	calls, files, lines []pcValue
	seen                map[int32]*inlineNode
}

type inlineNode struct {
	Inline
	parent *inlineNode
	depth  int
}

// inlines returns the functions inlined into this one, outer before inner.
func (f pclnFunc) inlines() []Inline {
	calls := f.values(f.table(pclnInlTable))
	if len(calls) == 0 {
		return nil
	}
	t := inlineTree{f, calls, f.values(f.field(pclnFiles)), f.values(f.field(pclnLines)), map[int32]*inlineNode{}}
	for _, v := range t.calls {
		for n := t.node(v.value); n != nil; n = n.parent {
			n.add(v.from, min(v.to, f.end))
		}
	}
	return t.list()
}

// node returns a node with its parents, or nil if it is invalid.
func (t *inlineTree) node(i int32) *inlineNode {
	if n, ok := t.seen[i]; ok {
		return n
	}
	t.seen[i] = nil // in case its parents form a cycle
	call, ok := t.inlined(i)
	if !ok {
		return nil
	}
	at := t.entry + uint64(call.parent)
	n := &inlineNode{Inline: Inline{
		Name: call.name, CallFile: t.file(valueAt(t.files, at)), CallLine: int(valueAt(t.lines, at)),
	}}
	if n.parent = t.node(valueAt(t.calls, at)); n.parent != nil {
		if n.depth = n.parent.depth + 1; n.depth > maxDepth {
			return nil
		}
	}
	t.seen[i] = n
	return n
}

// add adds a range. Ranges come in order of address.
func (n *inlineNode) add(from, to uint64) {
	if last := len(n.Ranges) - 1; last >= 0 && n.Ranges[last][1] == from {
		n.Ranges[last][1] = to
		return
	}
	n.Ranges = append(n.Ranges, [2]uint64{from, to})
}

func (t *inlineTree) list() []Inline {
	var nodes []*inlineNode
	for _, n := range t.seen {
		if n != nil && len(n.Ranges) > 0 {
			nodes = append(nodes, n)
		}
	}
	slices.SortFunc(nodes, func(a, b *inlineNode) int {
		return cmp.Or(cmp.Compare(a.depth, b.depth), cmp.Compare(a.Ranges[0][0], b.Ranges[0][0]), cmp.Compare(a.Name, b.Name))
	})
	list := make([]Inline, len(nodes))
	for i, n := range nodes {
		list[i] = n.Inline
	}
	return list
}
