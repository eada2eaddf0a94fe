package hostile

import (
	"fmt"
	"os"
	"testing"
)

// BenchmarkGroup sets up once for all. Sub-benchmark b needs what a has set.
func BenchmarkGroup(b *testing.B) {
	fmt.Println("set up")
	count := 0
	b.Run("a", func(b *testing.B) {
		for b.Loop() {
		}
		count = 7
	})
	b.Run("b", func(b *testing.B) {
		for b.Loop() {
		}
		if count != 7 {
			b.Fatalf("count is %d", count)
		}
	})
	b.Run("c/x|y", func(b *testing.B) {
		if os.Getenv("GROUP_PANICS") != "" {
			panic("in c")
		}
		for b.Loop() {
		}
		b.ReportMetric(42, "answers")
	})
	b.Run("d", func(b *testing.B) { b.Fatal("d always") })
}
