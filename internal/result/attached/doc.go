// Package attached has what profilers attach to forks and people read as tables: what occupied the heap, which
// goroutines ran, and how many instructions each function and line executed. Figures of heaps and goroutines are medians over
// the forks that looked; counts of instructions are sums over them.
package attached
