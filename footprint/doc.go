// Package footprint measures how much memory is reachable from values, by type.
//
//	cache := fill()
//	r := footprint.Measure(cache)
//	fmt.Print(r)                     // a table of the largest types
//	perEntry := r.Bytes / int64(n)   // bytes of the allocator's blocks
//	json.NewEncoder(w).Encode(r)
//
// It needs no hooks in the measured types and does not stop the program. The
// measured values must not be written to meanwhile: that would be a data race.
//
// # What is counted
//
// An object is a block of the allocator, and its size is that of the block: its
// size class, whole pages above 32 KiB, the header of large objects with pointers,
// and one block of 16 bytes for several smaller pointer-free objects. Each block is
// counted once, however many pointers lead to it or into it.
//
//   - Slices count with their whole capacity, channels with their whole buffer, maps
//     also with their empty slots.
//   - Unexported fields, interfaces and their boxes, embedded and nested values are
//     followed, and so are atomic.Pointer, atomic.Value and sync.Map.
//   - Constants and package-level variables are not on the heap. They are followed
//     and counted separately.
//
// # What is not counted
//
// [Report.NotFollowed] lists everything that could not be followed, with its place
// and number:
//
//   - the variables and the block of a closure: only the compiler knows their types
//     and number;
//   - targets of an unsafe.Pointer;
//   - a uintptr, which is a number for the garbage collector and keeps nothing alive;
//   - the entries of maps, channels or sync.Maps if a later version of Go changes
//     their layout. What the entries refer to is followed even then, except in
//     channels.
//
// A pointer to a part of a block keeps the whole block alive: a substring, a slice
// with a reduced capacity, a pointer to a field, a time.Timer or time.Ticker (which
// is the head of a larger block of the runtime). The part counts; [Report.Inside] is the
// number of such objects, and [Report.Beyond] the bytes of their blocks that no
// pointer with a type leads to. Goroutines, finalizers and cleanups are not
// included. Memory outside of Go's heap is counted as if it were on the heap.
//
// # Method
//
// The types come from reflect. The layouts of maps, channels and sync.Maps are those
// of Go 1.26. On its first use in a program the package searches for known values in
// maps, channels and sync.Maps of its own, and relies on a layout only if it finds
// all of them. Size classes are measured with append. The size of the block behind a
// part is the runtime's, found by runtime.findObject and checked in the same way. The
// addresses of the program are read from the header of its executable.
//
// Against the growth of the settled heap (runtime.MemStats.HeapAlloc) the result
// is exact to within 0.01 % for maps, slices, strings, trees, lists and sync.Maps
// of 10 MB and more; the package's tests allow 1 %.
//
// The walk needs 288 bytes for each 8 KiB of heap with small objects, 4 to 8 bytes
// for each object, and 24 bytes for each object that waits to be walked: few with
// lists and trees, at worst one for each object with pointers. Each block of which
// only a part was reached takes some 64 bytes. [Report.WalkBytes] is the total.
package footprint
