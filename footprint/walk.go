package footprint

import (
	"reflect"
	"runtime"
	"runtime/debug"
	"unsafe"
)

// walk is one call of Measure. It has an explicit stack, because Go's would grow with
// the length of a list.
type walk struct {
	seen    *addressSet
	plans   map[reflect.Type]*plan
	kinds   []kind
	boxes   map[unsafe.Pointer]*plan // by the first word of an interface
	code    map[uintptr]uint32       // kinds of closures, by their code
	gaps    []Gap
	gapOf   map[Gap]int
	work    []job
	deepest int
	static  extents
	layouts runtimeLayouts

	text uint32 // the kind of the bytes of strings
	trie trie
}

// job is n adjacent values of one type that are still to be walked.
type job struct {
	at unsafe.Pointer
	of *plan
	n  uintptr
}

// kind is the contents of a block.
type kind struct {
	label    string
	typ      reflect.Type // label with the full path of its packages, if needed
	pointers bool
	opaque   int // 1 + the gap in which blocks are counted whose size is not known
}

func newWalk(l runtimeLayouts, static extents) *walk {
	w := &walk{
		seen:    newAddressSet(),
		plans:   map[reflect.Type]*plan{},
		kinds:   make([]kind, 1), // 0 is for none
		boxes:   map[unsafe.Pointer]*plan{},
		code:    map[uintptr]uint32{},
		gapOf:   map[Gap]int{},
		static:  static,
		layouts: l,
	}
	w.text = w.newKind(kind{label: "string bytes"})
	return w
}

// newKind adds a kind and returns its index. Beyond the limit, all kinds share the last index.
func (w *walk) newKind(k kind) uint32 {
	if len(w.kinds) == maxKinds {
		w.kinds[maxKinds-1] = kind{label: "types beyond the 500,000th", pointers: k.pointers}
		return maxKinds - 1
	}
	w.kinds = append(w.kinds, k)
	return uint32(len(w.kinds) - 1)
}

// gap returns the index of a gap in the list; it adds the gap if it is new.
func (w *walk) gap(what, where string) int {
	g := Gap{What: what, Where: where}
	i, ok := w.gapOf[g]
	if !ok {
		i = len(w.gaps)
		w.gapOf[g] = i
		w.gaps = append(w.gaps, g)
	}
	return i
}

// root walks what a value refers to. The value itself is a copy, made for the call,
// and not counted.
func (w *walk) root(root any) {
	t := reflect.TypeOf(root)
	if t == nil {
		return
	}
	p := w.plan(t)
	if !p.pointers {
		return
	}
	words := (*[2]unsafe.Pointer)(unsafe.Pointer(&root))
	if p.direct {
		box := reflect.New(t) // as the word in the interface is on our stack
		*(*unsafe.Pointer)(box.UnsafePointer()) = words[1]
		words[1] = box.UnsafePointer()
	}
	w.push(words[1], p, 1)
	w.run()
}

// run walks until no job is left. Memory that cannot be read is listed as a gap.
func (w *walk) run() {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	for !w.runUntilFault() {
	}
}

func (w *walk) runUntilFault() (done bool) {
	var of *plan
	defer func() {
		if done {
			return
		}
		r := recover()
		if _, ok := r.(interface{ Addr() uintptr }); !ok || of == nil {
			panic(r)
		}
		w.gaps[w.gap("memory that cannot be read", "referred to by "+of.String())].Count++
	}()
	for len(w.work) > 0 {
		top := &w.work[len(w.work)-1]
		at := top.at
		of = top.of
		if top.n == 1 {
			w.work = w.work[:len(w.work)-1]
		} else {
			top.n--
			top.at = unsafe.Add(at, of.size)
		}
		w.value(at, of)
	}
	return true
}

func (w *walk) push(at unsafe.Pointer, of *plan, n uintptr) {
	w.work = append(w.work, job{at, of, n})
	w.deepest = max(w.deepest, len(w.work))
}

// value follows each pointer in a value.
func (w *walk) value(at unsafe.Pointer, of *plan) {
	if !of.ready {
		w.prepare(of)
	}
	for i := range of.edges {
		e := &of.edges[i]
		field := unsafe.Add(at, e.offset)
		switch e.what {
		case within:
			w.push(field, e.to, e.n)
		case toSyncMap:
			w.syncMap(field)
		default:
			if p := *(*unsafe.Pointer)(field); uintptr(p) >= minAddress {
				w.follow(p, field, e)
			}
		}
	}
}

// minAddress is the lowest possible address. The runtime stores smaller values in
// pointers as marks.
const minAddress = 4096

// follow follows a pointer p that was found in a field.
func (w *walk) follow(p, field unsafe.Pointer, e *edge) {
	switch e.what {
	case toValue:
		w.one(p, e.to)
	case toArray:
		w.many(p, e.to, (*[3]uintptr)(field)[2])
	case toString:
		w.mark(p, (*[2]uintptr)(field)[1], w.text, false)
	case toMap:
		w.mapValue(p, field, e.to)
	case toChan:
		w.channel(p, e.to)
	case toFunc:
		w.closure(p)
	case toBoxed:
		w.boxed(p, field, e.to)
	case toNode:
		w.trieNode(p)
	case toUnknown:
		w.gaps[e.gap].Count++
	}
}

// one walks a value that is a heap block or part of one.
func (w *walk) one(p unsafe.Pointer, of *plan) {
	if of.value == 0 {
		of.value = w.newKind(kind{label: of.String(), typ: of.typ, pointers: of.pointers})
	}
	w.block(p, of, 1, of.value)
}

// many walks the n elements of a slice's backing array.
func (w *walk) many(p unsafe.Pointer, of *plan, n uintptr) {
	if of.array == 0 {
		of.array = w.newKind(kind{label: "[]" + of.String(), typ: reflect.SliceOf(of.typ), pointers: of.pointers})
	}
	w.block(p, of, n, of.array)
}

// block walks those of n adjacent values that were not visited before.
func (w *walk) block(p unsafe.Pointer, of *plan, n uintptr, kind uint32) {
	size := of.size * n
	lo, hi := w.mark(p, size, kind, of.pointers)
	if hi == 0 {
		return
	}
	if of.numbers > 0 {
		w.gaps[w.gap("uintptr", "in "+of.String())].Count += int64(of.numbers * n)
	}
	if of.pointers {
		from, to := lo/of.size, (hi+of.size-1)/of.size
		w.push(unsafe.Add(p, from*of.size), of, to-from)
	}
}

// mark adds memory to the visited set. It returns the range of bytes, relative to p, that is new; 0, 0 if nothing
// is.
func (w *walk) mark(p unsafe.Pointer, size uintptr, kind uint32, pointers bool) (lo, hi uintptr) {
	switch {
	case size == 0:
		return 0, 0
	case size < maxTiny && !pointers:
		if w.seen.addTiny(uintptr(p), size, kind) {
			return 0, size
		}
		return 0, 0
	}
	return w.seen.add(uintptr(p), size, kind)
}

// closure lists a function value that holds variables. The running program does not
// know their number and types. A function value without variables is one of the
// program's constants.
func (w *walk) closure(p unsafe.Pointer) {
	if w.static == nil {
		w.gaps[w.gap("variables of closures", "among the functions, which cannot be distinguished here")].Count++
		return
	}
	if w.static.contain(uintptr(p)) {
		return
	}
	pc := *(*uintptr)(p)
	kindOf, ok := w.code[pc]
	if !ok {
		name := "of unknown code"
		if f := runtime.FuncForPC(pc); f != nil {
			name = f.Name()
		}
		kindOf = w.newKind(kind{opaque: 1 + w.gap("variables of the closure", name)})
		w.code[pc] = kindOf
	}
	w.seen.add(uintptr(p), wordBytes, kindOf)
}

// boxed walks the contents of an interface: a pointer, or a box with a copy of the
// value.
func (w *walk) boxed(word, field unsafe.Pointer, of *plan) {
	p, known := w.boxes[word]
	if !known {
		p = w.plan(reflect.NewAt(of.typ, field).Elem().Elem().Type())
		w.boxes[word] = p
	}
	data := unsafe.Add(field, wordBytes)
	if p.direct {
		w.value(data, p)
		return
	}
	w.one(*(*unsafe.Pointer)(data), p)
}

// isDirect reports whether an interface holds values of a type of one word in its own
// word, as it does for pointers. It checks the zero value: a box has an address.
func isDirect(t reflect.Type) bool {
	zero := reflect.Zero(t).Interface()
	return (*[2]unsafe.Pointer)(unsafe.Pointer(&zero))[1] == nil
}

func (p *plan) String() string { return p.typ.String() }

// bytes returns the memory that the walk itself uses, in bytes.
func (w *walk) bytes() int64 {
	return w.seen.bytes() + int64(w.deepest)*int64(unsafe.Sizeof(job{}))
}
