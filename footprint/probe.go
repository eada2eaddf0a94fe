package footprint

import (
	"reflect"
	"runtime/debug"
	"sync"
	"unsafe"
)

// runtimeLayouts says which of the layouts that Go does not guarantee the running
// program has.
type runtimeLayouts struct {
	maps       bool
	syncMap    bool
	chanHeader uintptr // bytes before the buffer of a channel; 0 if not known
	spanBlock  uintptr // where the runtime's description of blocks has their size; 0 if not known
}

// layouts returns them. It searches for known values where the layouts place them.
var layouts = sync.OnceValue(func() runtimeLayouts {
	l := runtimeLayouts{
		maps:    noPanic(mapLayoutKnown),
		syncMap: noPanic(syncMapLayoutKnown),
	}
	if noPanic(func() bool { l.chanHeader = chanHeader(); return l.chanHeader != 0 }); l.chanHeader > maxChanHeader {
		l.chanHeader = 0
	}
	if !noPanic(func() bool { l.spanBlock = spanBlock(); return true }) {
		l.spanBlock = 0
	}
	return l
})

// noPanic returns the result of test, or false if test panics or reads unmapped
// memory.
func noPanic(test func() bool) (ok bool) {
	defer func(old bool) {
		debug.SetPanicOnFault(old)
		ok = recover() == nil && ok
	}(debug.SetPanicOnFault(true))
	return test()
}

// mapLayoutKnown reports whether all entries of test maps are where the known layout
// places them: maps of one group, one table and many tables, with padded slots, and
// with keys and elements outside of the slots.
func mapLayoutKnown() bool {
	small, one, many := map[int64]int32{}, map[string]struct{}{}, map[uint16][3]byte{}
	outside := map[[130]byte][140]byte{}
	for i := range 5 {
		small[int64(i)] = int32(-i)
		outside[[130]byte{129: byte(i)}] = [140]byte{139: byte(i)}
	}
	for i := range 300 {
		one[string(rune('a'+i))] = struct{}{}
	}
	for i := range 5000 {
		many[uint16(i)] = [3]byte{byte(i), byte(i >> 8)}
	}
	return holds(small) && holds(outside) && holds(one) && holds(many) && holds(map[int]int{1: 1})
}

// holds reports whether the entries of a map are where the known layout places them.
func holds[K, V comparable](m map[K]V) bool {
	h := *(**swissMap)(unsafe.Pointer(&m))
	if !h.isPlausible(len(m)) {
		return false
	}
	s := slotOf(reflect.TypeOf(m))
	found := 0
	visit := func(groups unsafe.Pointer, n uint64) {
		for i := range n * groupSlots {
			group := unsafe.Add(groups, uintptr(i/groupSlots)*s.groupBytes())
			at := unsafe.Add(group, groupCtrl+uintptr(i%groupSlots)*s.stride)
			if *(*uint8)(unsafe.Add(group, i%groupSlots)) >= emptySlot {
				continue
			}
			key := slotValue[K](at, s.key)
			elem := slotValue[V](unsafe.Add(at, s.elemOffset), s.elem)
			if v, ok := m[*key]; ok && v == *elem {
				found++
			}
		}
	}
	if h.dirLen == 0 {
		visit(h.dir, 1)
	} else {
		h.eachTable(func(t *swissTable) { visit(t.groups, t.mask+1) })
	}
	return found == len(m)
}

// slotValue returns the value in a slot, or the value that the slot points to.
func slotValue[T any](at unsafe.Pointer, stored reflect.Type) *T {
	if stored == reflect.TypeFor[T]() {
		return (*T)(at)
	}
	return *(**T)(at)
}
