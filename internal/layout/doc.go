// Package layout tells how structs lie in memory: offsets, padding and cache
// lines, which fields that are written by several goroutines share a line, and
// which order of the fields takes the least.
//
//	found, err := layout.Load(ctx, layout.Query{Packages: []string{"./queue"}, Types: []string{"SPSC", "Ring[int]"}})
//	found, err := layout.ReadBinary("./server", layout.Query{Types: []string{"sync.Pool"}})
//	for _, s := range found.Structs {
//		s := layout.Measure(s, layout.Options{Line: 64})
//	}
//
// The types come from the sources, by package go/types with the compiler's own rules
// for sizes, or from the debug data of a binary. Nothing of either is run.
//
// # Lines
//
// A cache line is taken to begin where the struct does. The allocator grants that
// only to blocks whose size is a multiple of the line, and a value on a stack or
// inside another has no such luck; [Struct.Aligned] says which it is.
//
// # Sharing is a heuristic
//
// Nothing in a type says who writes a field. Taken for written by several
// goroutines are fields of the types of sync/atomic, fields whose address is
// passed to functions of sync/atomic in the package that declares them, and
// locks. Two of them on one line are false sharing if they have different
// writers, and good if they are always used together.
package layout
