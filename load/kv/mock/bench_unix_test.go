//go:build unix

package mock_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/tarebench/tare/load/kv"
)

// BenchmarkDelay measures by how much operations take longer than their delay,
// and CPU time in percent of one core.
func BenchmarkDelay(b *testing.B) {
	for _, workers := range []int{1, 8} {
		for _, delay := range []time.Duration{20 * time.Microsecond, 200 * time.Microsecond, time.Millisecond, 4 * time.Millisecond} {
			b.Run(fmt.Sprintf("workers=%d/delay=%v", workers, delay), func(b *testing.B) {
				benchDelay(b, workers, delay)
			})
		}
	}
}

func benchDelay(b *testing.B, workers int, delay time.Duration) {
	db, _ := open(b, kv.Properties{"mock.delay": delay.String()}, 0)
	ctx := context.Background()
	each := (b.N + workers - 1) / workers
	late := make([]time.Duration, workers*each)
	var wg sync.WaitGroup
	busy, began := cpu(), time.Now()
	for w := range workers {
		s, err := db.Session(ctx, w)
		if err != nil {
			b.Fatal(err)
		}
		wg.Go(func() {
			var dst kv.Record
			for i := range each {
				start := time.Now()
				if err := s.Read(ctx, nil, nil, &dst); err != nil {
					b.Error(err)
				}
				late[w*each+i] = time.Since(start) - delay
			}
		})
	}
	wg.Wait()
	b.ReportMetric(100*float64(cpu()-busy)/float64(time.Since(began)), "%cpu")
	slices.Sort(late)
	b.ReportMetric(float64(late[len(late)/2])/1e3, "µs-late-p50")
	b.ReportMetric(float64(late[len(late)*99/100])/1e3, "µs-late-p99")
}

func cpu() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
