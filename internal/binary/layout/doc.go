// Package layout tells how structs lie in memory: offsets, padding and cache
// lines, which fields that are written by several goroutines share a line, and
// which order of the fields takes the least.
//
//	s := layout.Measure(node, 64, false)
//
// Package structs finds the types.
//
// # Lines
//
// A cache line is taken to begin where the struct does. The allocator grants that
// only to blocks whose size is a multiple of the line, and a value on a stack or
// inside another has no such luck; [Struct.Aligned] says which it is.
//
// # Sharing is a heuristic
//
// A type does not say which goroutines write a field. These fields are assumed to
// be written by several goroutines: those of the types of sync/atomic, those whose
// address is passed to functions of sync/atomic in the package that declares them,
// and locks. Two of them on one line are false sharing if they have different
// writers, and good if they are always used together.
package layout
