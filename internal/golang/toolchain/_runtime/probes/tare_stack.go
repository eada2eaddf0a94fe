package runtime

import "internal/runtime/atomic"

// tareStacks is the factor by which stacks may grow larger in a program with probes: a probe adds
// some 80 bytes to the frame of a function, which are 50 to 100 in small ones that call
// themselves. A larger factor is impossible, as sizes of stacks have 32 bits.
const tareStacks = 4

var (
	tareDeeper   uint32 // 1: the limit is raised
	tareMaxStack int    // the limit as the program knows it, once it is raised
)

// tareDeepen raises the limit, so that a recursion that ends in a program without probes ends in
// one with them. It is called at the start, if calls are counted, or else by the first probe: a
// program without probes keeps its limit.
func tareDeepen() {
	if atomic.Load(&tareDeeper) != 0 || !atomic.Cas(&tareDeeper, 0, 1) {
		return
	}
	tareMaxStack = int(maxstacksize)
	maxstackceiling = min(tareStacks*maxstackceiling, 1<<32-1)
	tareSetMaxStack(tareMaxStack)
}

// tareSetMaxStack is debug.SetMaxStack.
func tareSetMaxStack(in int) (was int) {
	if atomic.Load(&tareDeeper) == 0 {
		was, maxstacksize = int(maxstacksize), uintptr(in)
		return was
	}
	was, tareMaxStack = tareMaxStack, in
	maxstacksize = uintptr(in)
	if in >= 0 { // a negative limit is none but the ceiling
		maxstacksize = min(tareStacks*maxstacksize, maxstackceiling)
	}
	return was
}
