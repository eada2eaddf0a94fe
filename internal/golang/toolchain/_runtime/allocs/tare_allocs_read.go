package runtime

import "unsafe"

// TareAlloc is what was allocated at one stack, of one type and size.
type TareAlloc struct {
	Stack   []uintptr // for CallersFrames, innermost first; the first frames belong to the runtime
	Type    string    // as package reflect writes it; "": memory without a type
	Size    uintptr   // bytes of the slot; 0: the object shares the block of another one
	Objects uint64
}

// TareAllocArm makes counting begin when memory statistics are next read, with all counts at 0, or ends it.
func TareAllocArm(arm bool) {
	t := &tareAllocs
	if t.table == nil {
		if !arm {
			return
		}
		t.table = (*tareAllocTable)(persistentalloc(unsafe.Sizeof(tareAllocTable{}), 64, &memstats.other_sys))
		t.usual = debug.malloc
	}
	tareAllocStop()
	if t.armed = arm; arm {
		tareAllocForget()
	}
}

// TareAllocTimer says that the timer has been started after statistics were read, or stopped.
func TareAllocTimer(runs bool) {
	if !runs {
		tareAllocStop()
	}
	tareAllocs.timer = runs
}

// tareAllocStop ends counting until statistics are read again.
func tareAllocStop() {
	if tareAllocs.on {
		tareAllocs.on, debug.malloc = false, tareAllocs.usual
	}
	tareAllocs.timer = false
}

// TareAllocForget sets what was kept to 0: the timer is set to zero.
func TareAllocForget() { tareAllocForget() }

func tareAllocForget() {
	if tareAllocs.table == nil {
		return
	}
	for i := range tareAllocs.used {
		tareAllocs.table.stacks[i].kept = 0
	}
	tareAllocs.kept = tareAllocLoss{}
}

// TareAllocRead returns what was kept, and how many objects and bytes have no stack because the table was full. Nothing may be
// counted meanwhile.
func TareAllocRead() (all []TareAlloc, objects, bytes uint64) {
	t := &tareAllocs
	if t.table == nil {
		return nil, 0, 0
	}
	for i := range t.used {
		s := &t.table.stacks[i]
		if s.kept == 0 {
			continue
		}
		a := TareAlloc{Size: s.size, Objects: s.kept, Stack: make([]uintptr, 4*tareAllocFrames)}
		a.Stack = a.Stack[:fpunwindExpand(a.Stack, s.pc[:s.n])]
		if s.typ != 0 {
			a.Type = toRType((*_type)(unsafe.Pointer(s.typ))).string()
		}
		all = append(all, a)
	}
	return all, t.kept.objects, t.kept.bytes
}
