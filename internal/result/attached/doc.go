// Package attached has what profilers attach to forks and people read as tables: what occupied the heap, and which
// goroutines ran. Its figures are medians over the forks that looked.
package attached
