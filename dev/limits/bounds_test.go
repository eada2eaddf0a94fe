//go:build unix

package main

import (
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/clock"
)

// BenchmarkBounds measures what the machine allows.
func BenchmarkBounds(b *testing.B) {
	b.Run("counter", func(b *testing.B) {
		c, _ := clock.NewCycles()
		if c == nil {
			b.Skip("there is no counter that programs can read")
		}
		for b.Loop() {
			c.Now()
		}
	})
	b.Run("exchange", func(b *testing.B) {
		var word atomic.Int64
		for b.Loop() {
			word.Swap(1)
		}
	})
	b.Run("transfer", func(b *testing.B) {
		var word atomic.Int64
		n := int64(b.N)
		go func() {
			for i := range n {
				waitFor(&word, 2*i+1)
				word.Store(2*i + 2)
			}
		}()
		b.ResetTimer()
		for i := range n {
			word.Store(2*i + 1)
			waitFor(&word, 2*i+2)
		}
	})
	b.Run("wake", func(b *testing.B) {
		const sleep = time.Millisecond
		var late []time.Duration
		for range b.N {
			start := time.Now()
			time.Sleep(sleep)
			late = append(late, time.Since(start)-sleep)
		}
		slices.Sort(late)
		b.ReportMetric(float64(late[len(late)/2]), "late-ns")
	})
}

// waitFor spins until a word has a value.
func waitFor(word *atomic.Int64, value int64) {
	for word.Load() != value {
	}
}
