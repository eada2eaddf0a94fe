package bench

import "testing"

// BenchmarkFloor compares what loops cost that do nothing: over b.N, b.Loop, a
// single worker's Next, and the Next of two roles at once. Processors run such a
// loop at half the speed in another place of memory, so only links that differ
// in their layout can tell:
//
//	tare bench --layouts 3 --bench Floor ./bench
func BenchmarkFloor(b *testing.B) {
	b.Run("range", func(b *testing.B) {
		for range b.N {
		}
	})
	b.Run("loop", func(b *testing.B) {
		for b.Loop() {
		}
	})
	b.Run("next", func(b *testing.B) {
		Run(b, func(w *Worker) {
			for w.Next() {
			}
		})
	})
	b.Run("group2", func(b *testing.B) {
		Group(b, Average(),
			Role{Name: "one", Workers: 1, Body: func(w *Worker) {
				for w.Next() {
				}
			}},
			Role{Name: "two", Workers: 1, Body: func(w *Worker) {
				for w.Next() {
				}
			}})
	})
}
