package footprint

import (
	"math/bits"
	"reflect"
	"unsafe"
)

// The layout of Go's maps (internal/runtime/maps in Go's sources):
// a header leads to one group of eight slots, or to a directory of tables, each
// an array of groups. Neighbours in the directory may be the same table. It is
// not guaranteed; mapLayoutKnown checks it in the running program.
const (
	groupSlots  = 8
	groupCtrl   = 8   // bytes, one for each slot
	maxInSlot   = 128 // most bytes of a key or an element that a slot contains; a slot has a pointer to larger ones
	emptySlot   = 0x80
	maxTableLen = 1024
)

type swissMap struct {
	used        uint64
	seed        uintptr
	dir         unsafe.Pointer // *group if dirLen is 0, else *[dirLen]*swissTable
	dirLen      int
	globalDepth uint8
	globalShift uint8
	writing     uint8
	tombstones  bool
	clears      uint64
}

type swissTable struct {
	used, capacity, growthLeft uint16
	localDepth                 uint8
	index                      int
	groups                     unsafe.Pointer
	mask                       uint64 // number of groups - 1
}

// swiss is how maps of a type are walked.
type swiss struct {
	group                    *plan
	header, tables, contents uint32 // kinds
}

// slot is the layout of a key and its element.
type slot struct {
	key, elem          reflect.Type // pointers to them if they are larger than maxInSlot
	elemOffset, stride uintptr
}

func slotOf(t reflect.Type) slot {
	s := slot{key: t.Key(), elem: t.Elem()}
	if s.key.Size() > maxInSlot {
		s.key = reflect.PointerTo(s.key)
	}
	if s.elem.Size() > maxInSlot {
		s.elem = reflect.PointerTo(s.elem)
	}
	s.elemOffset = roundUp(s.key.Size(), uintptr(s.elem.Align()))
	s.stride = s.elemOffset + s.elem.Size()
	if s.elem.Size() == 0 && s.stride > 0 {
		s.stride++ // so that a pointer to the element does not point behind it
	}
	s.stride = roundUp(s.stride, max(uintptr(s.key.Align()), uintptr(s.elem.Align())))
	return s
}

func (s slot) groupBytes() uintptr {
	if s.stride == 0 {
		return groupCtrl + unsafe.Alignof(uint64(0))
	}
	return roundUp(groupCtrl+groupSlots*s.stride, max(unsafe.Alignof(uint64(0)), uintptr(s.key.Align()), uintptr(s.elem.Align())))
}

// roundUp rounds up to a multiple of a power of two.
func roundUp(n, to uintptr) uintptr { return (n + to - 1) &^ (to - 1) }

func (w *walk) swiss(p *plan) *swiss {
	if p.swiss != nil {
		return p.swiss
	}
	s, name := slotOf(p.typ), p.String()
	key, elem := w.plan(s.key), w.plan(s.elem)
	g := &plan{typ: p.typ, size: s.groupBytes(), pointers: key.pointers || elem.pointers, ready: true}
	g.numbers = groupSlots * (key.numbers + elem.numbers)
	for i := range uintptr(groupSlots) {
		at := groupCtrl + i*s.stride
		g.edges = append(g.edges, w.inSlot(at, key)...)
		g.edges = append(g.edges, w.inSlot(at+s.elemOffset, elem)...)
	}
	p.swiss = &swiss{
		group:    g,
		header:   w.newKind(kind{label: name, typ: p.typ}),
		tables:   w.newKind(kind{label: name + " tables", pointers: true}),
		contents: w.newKind(kind{label: name + " groups", pointers: g.pointers}),
	}
	return p.swiss
}

// inSlot returns the edges of a key or element in a group.
func (w *walk) inSlot(at uintptr, of *plan) []edge {
	if !of.pointers {
		return nil
	}
	list := w.edges(nil, of.typ, at, of.typ)
	if len(list) > maxInlineElements/groupSlots {
		return []edge{{what: within, offset: at, to: of, n: 1}}
	}
	return list
}

// mapValue walks a map. p is its header, and the value of field.
func (w *walk) mapValue(p, field unsafe.Pointer, of *plan) {
	s := w.swiss(of)
	m := (*swissMap)(p)
	if _, hi := w.mark(p, unsafe.Sizeof(*m), s.header, true); hi == 0 {
		return
	}
	if !w.layouts.maps {
		w.mapByIteration(field, of)
		return
	}
	switch {
	case m.dir == nil:
	case m.dirLen == 0:
		w.block(m.dir, s.group, 1, s.contents)
	default:
		w.mark(m.dir, uintptr(m.dirLen)*wordBytes, s.tables, true)
		m.eachTable(func(t *swissTable) {
			w.mark(unsafe.Pointer(t), unsafe.Sizeof(*t), s.tables, true)
			w.block(t.groups, s.group, uintptr(t.mask)+1, s.contents)
		})
	}
}

// eachTable calls visit for each table of a map.
func (m *swissMap) eachTable(visit func(*swissTable)) {
	var last *swissTable
	for _, t := range unsafe.Slice((**swissTable)(m.dir), m.dirLen) {
		if t != last {
			visit(t)
		}
		last = t
	}
}

// mapByIteration walks the entries of a map of unknown layout, and lists the memory
// for them as a gap.
func (w *walk) mapByIteration(field unsafe.Pointer, of *plan) {
	w.gaps[w.gap("entries of maps of this version of Go", of.String())].Count++
	key, elem := w.plan(of.typ.Key()), w.plan(of.typ.Elem())
	for it := reflect.NewAt(of.typ, field).Elem().MapRange(); it.Next(); {
		if key.pointers {
			k := reflect.New(key.typ)
			k.Elem().SetIterKey(it)
			w.push(k.UnsafePointer(), key, 1)
		}
		if elem.pointers {
			v := reflect.New(elem.typ)
			v.Elem().SetIterValue(it)
			w.push(v.UnsafePointer(), elem, 1)
		}
	}
}

// isPlausible reports whether the memory could be a map of this layout with n
// entries.
func (m *swissMap) isPlausible(n int) bool {
	if m.used != uint64(n) || m.dir == nil {
		return false
	}
	if m.dirLen == 0 {
		return n <= groupSlots
	}
	if m.dirLen != 1<<m.globalDepth {
		return false
	}
	sum := 0
	ok := true
	m.eachTable(func(t *swissTable) {
		sum += int(t.used)
		ok = ok && t.capacity <= maxTableLen && bits.OnesCount16(t.capacity) == 1 &&
			uint64(t.capacity) == (t.mask+1)*groupSlots && t.groups != nil
	})
	return ok && sum == n
}
