// Package attached has what profilers attach to forks and people read as tables: what occupied the heap, and which
// goroutines ran and what they waited for. Its figures are medians over the forks that looked, of waits means.
package attached
