// Package pad keeps apart in memory what different cores write.
//
// A core that writes takes the whole cache line away from the others. Two
// counters of two workers in one line make each wait for the other although
// they share nothing ("false sharing"), and a benchmark then measures that.
//
//	type worker struct {
//		_ pad.Line
//		n atomic.Int64
//		_ pad.Line // also when the next thing in memory is not ours
//	}
//
// Padding on both sides is right for a value that stands alone on the heap,
// since its neighbours there are unknown. In a slice one side is enough.
package cacheline

// Size is the distance in bytes from which two writers do not disturb each
// other. The cache line of amd64 has 64 bytes, but its prefetcher fetches lines
// in pairs (Intel 64 and IA-32 Architectures Optimization Reference Manual,
// "Spatial Prefetcher"), and the line of Apple's arm64 processors has 128.
const Size = 128

// Line is padding. As the last field of a struct it makes the next value begin
// at least Size bytes behind the field before it.
type Line [Size]byte
