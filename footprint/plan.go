package footprint

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// plan is how values of a type are walked.
type plan struct {
	typ      reflect.Type
	size     uintptr
	pointers bool    // has pointers to follow
	direct   bool    // an interface holds it in its own word
	numbers  uintptr // number of its uintptrs
	edges    []edge  // where its pointers are; filled in when the first value is walked
	ready    bool
	value    uint32 // kind of a value in a block of its own, once one was found
	array    uint32 // kind of a block of many
	swiss    *swiss // of a map
}

// edge is a place in a value at which the walk continues.
type edge struct {
	what   edgeKind
	offset uintptr
	to     *plan   // plan of the value there, or of the value it points to
	n      uintptr // number of elements that lie within
	gap    int     // index in the list of gaps, for a pointer without a type
}

type edgeKind uint8

const (
	toValue  edgeKind = iota // a pointer to a value
	toArray                  // a slice
	toString                 // a string
	toMap
	toChan
	toFunc
	toBoxed   // an interface
	toUnknown // a pointer without a type
	toNode    // a pointer in the tree of a sync.Map
	toSyncMap // a sync.Map within
	within    // elements of an array within
)

// maxInlineElements is the limit of edges that an array has one by one.
const maxInlineElements = 32

// plan returns the plan of a type, made at the first call.
func (w *walk) plan(t reflect.Type) *plan {
	if p := w.plans[t]; p != nil {
		return p
	}
	p := &plan{typ: t, size: t.Size()}
	w.plans[t] = p
	p.pointers, p.numbers = w.content(t)
	p.direct = p.pointers && p.size == wordBytes && isDirect(t)
	return p
}

// content reports whether values of a type hold pointers to follow, and how many
// uintptrs.
func (w *walk) content(t reflect.Type) (pointers bool, numbers uintptr) {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			p := w.plan(t.Field(i).Type)
			pointers = pointers || p.pointers
			numbers += p.numbers
		}
		if isTrie(t) {
			numbers = 0 // the seed of its hashes is no address
		}
	case reflect.Array:
		if t.Len() > 0 {
			p := w.plan(t.Elem())
			return p.pointers, p.numbers * uintptr(t.Len())
		}
	case reflect.Uintptr:
		return false, 1
	case reflect.Pointer, reflect.Slice, reflect.String, reflect.Map, reflect.Chan, reflect.Func,
		reflect.Interface, reflect.UnsafePointer:
		return true, 0
	}
	return pointers, numbers
}

// prepare fills in the edges, in the order in which they are pushed onto the stack.
// The last edge is walked first. Edges that cannot lead back to the type are last;
// edges that can, as in a list, stay below. So the stack stays short.
func (w *walk) prepare(p *plan) {
	p.ready = true
	p.edges = w.edges(nil, p.typ, 0, p.typ)
	rank := make([]int, len(p.edges))
	order := make([]int, len(p.edges))
	for i, e := range p.edges {
		order[i] = i
		rank[i] = canReach(e, p.typ)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rank[b], rank[a]) })
	sorted := make([]edge, len(order))
	for i, at := range order {
		sorted[i] = p.edges[at]
	}
	p.edges = sorted
}

// edges appends the edges of a value of a type at an offset in an owner.
func (w *walk) edges(list []edge, t reflect.Type, offset uintptr, owner reflect.Type) []edge {
	e := edge{offset: offset}
	switch t.Kind() {
	case reflect.Struct:
		return w.structEdges(list, t, offset)
	case reflect.Array:
		return w.arrayEdges(list, t, offset, owner)
	case reflect.Pointer:
		e.what, e.to = toValue, w.plan(t.Elem())
		if isTrieNode(t.Elem()) {
			e.what = toNode
		}
	case reflect.Slice:
		e.what, e.to = toArray, w.plan(t.Elem())
	case reflect.String:
		e.what = toString
	case reflect.Map:
		e.what, e.to = toMap, w.plan(t)
	case reflect.Chan:
		e.what, e.to = toChan, w.plan(t)
	case reflect.Func:
		e.what, e.to = toFunc, w.plan(t)
	case reflect.Interface:
		e.what, e.to = toBoxed, w.plan(t)
	case reflect.UnsafePointer:
		e.what, e.gap = toUnknown, w.gap("unsafe.Pointer", "in "+owner.String())
	default:
		return list
	}
	return append(list, e)
}

func (w *walk) structEdges(list []edge, t reflect.Type, offset uintptr) []edge {
	if target := atomicTarget(t); target != nil {
		return w.edges(list, reflect.PointerTo(target), offset+t.Size()-wordBytes, t)
	}
	if t == reflect.TypeFor[sync.Map]() {
		return append(list, edge{what: toSyncMap, offset: offset})
	}
	for i := range t.NumField() {
		f := t.Field(i)
		list = w.edges(list, f.Type, offset+f.Offset, t)
	}
	return list
}

func (w *walk) arrayEdges(list []edge, t reflect.Type, offset uintptr, owner reflect.Type) []edge {
	elem, n := w.plan(t.Elem()), t.Len()
	if !elem.pointers || n == 0 {
		return list
	}
	one := w.edges(nil, t.Elem(), 0, owner)
	if len(one)*n > maxInlineElements {
		return append(list, edge{what: within, offset: offset, to: elem, n: uintptr(n)})
	}
	for i := range n {
		for _, e := range one {
			e.offset += offset + uintptr(i)*elem.size
			list = append(list, e)
		}
	}
	return list
}

// atomicTarget returns T for the type atomic.Pointer[T], whose pointer is an
// unsafe.Pointer. A field of size 0 names T.
func atomicTarget(t reflect.Type) reflect.Type {
	if t.PkgPath() != "sync/atomic" || !strings.HasPrefix(t.Name(), "Pointer[") || t.NumField() < 2 {
		return nil
	}
	named, last := t.Field(0).Type, t.Field(t.NumField()-1).Type
	if named.Kind() != reflect.Array || named.Len() != 0 || named.Elem().Kind() != reflect.Pointer || last.Kind() != reflect.UnsafePointer {
		return nil
	}
	return named.Elem().Elem()
}

// maxReachSearch is the most types that canReach visits.
const maxReachSearch = 200

// canReach reports whether a value behind edge e can refer, directly or through others,
// to a value of type t. It returns 2 for yes, 0 for no, and 1 if the types do not decide.
func canReach(e edge, t reflect.Type) int {
	switch e.what {
	case toBoxed, toSyncMap:
		return 1
	case toString, toFunc, toUnknown:
		return 0
	}
	open, unsure := false, 0
	seen := map[reflect.Type]bool{}
	var leads func(reflect.Type) bool
	leads = func(at reflect.Type) bool {
		if at == t {
			return true
		}
		if seen[at] || len(seen) >= maxReachSearch {
			open = open || !seen[at]
			return false
		}
		seen[at] = true
		switch at.Kind() {
		case reflect.Interface:
			unsure = 1
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Chan:
			return leads(at.Elem())
		case reflect.Map:
			return leads(at.Key()) || leads(at.Elem())
		case reflect.Struct:
			for i := range at.NumField() {
				if leads(at.Field(i).Type) {
					return true
				}
			}
		}
		return false
	}
	if leads(e.to.typ) {
		return 2
	}
	if open {
		return 1
	}
	return unsure
}
