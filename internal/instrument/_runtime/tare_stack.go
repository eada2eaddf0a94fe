package runtime

// tareStacks is by how much larger stacks may grow: a probe adds some 80 bytes to the
// frame of a function, which are 50 to 100 in small ones that call themselves. More is not
// to be had, as sizes of stacks have 32 bits.
const tareStacks = 4

// tareMaxStack is the limit as the program knows it.
var tareMaxStack int

// tareDeepen raises the limit, so that recursion that ends in a program without probes
// does so with them.
func tareDeepen() {
	tareMaxStack = int(maxstacksize)
	maxstackceiling = min(tareStacks*maxstackceiling, 1<<32-1)
	tareSetMaxStack(tareMaxStack)
}

// tareSetMaxStack is debug.SetMaxStack.
func tareSetMaxStack(in int) (was int) {
	was, tareMaxStack = tareMaxStack, in
	maxstacksize = uintptr(in)
	if in >= 0 { // else there is no limit but the ceiling
		maxstacksize = min(tareStacks*maxstacksize, maxstackceiling)
	}
	return was
}
