// Package attached has what profilers attach to forks and people read as tables: what occupied the heap, which
// goroutines ran and what they waited for, what an operation allocates, and how many instructions each function and line
// executed. Figures of heaps and goroutines are medians over the forks that report them, of waits means; counts of instructions
// are sums over them.
package attached
