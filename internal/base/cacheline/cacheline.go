// Package cacheline provides padding between values that different cores write.
//
// A core that writes invalidates the whole cache line in the other cores. Two workers' counters in one line
// slow each other down although they share nothing ("false sharing"), and a benchmark would measure that.
//
//	type worker struct {
//		_ cacheline.Line
//		n atomic.Int64
//		_ cacheline.Line // also when the next thing in memory is not ours
//	}
//
// Put padding on both sides of a value that is alone on the heap, because its neighbours are unknown. In a
// slice one side is enough.
package cacheline

// Size is the distance in bytes at which two writers do not disturb each other. Cache lines of amd64 have 64
// bytes, but the prefetcher fetches them in pairs (Intel 64 and IA-32 Architectures Optimization Reference
// Manual, "Spatial Prefetcher"). Cache lines of Apple's arm64 processors have 128.
const Size = 128

// Line is padding of Size bytes. After the last field of a struct it makes the next value begin at least Size
// bytes later.
type Line [Size]byte
