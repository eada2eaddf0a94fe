package queuetest_test

import (
	"fmt"
	"testing"

	"github.com/tarebench/tare/queue"
	"github.com/tarebench/tare/queue/queuetest"
)

// TestBlocking has goroutines wait on a queue in each of the ways to wait.
// Package queue itself runs the kit over all types, with constructors that only
// its tests have.
func TestBlocking(t *testing.T) {
	for _, w := range []queue.Wait{queue.Park, queue.Adaptive, queue.Yield, queue.Spin} {
		t.Run(fmt.Sprint(w), func(t *testing.T) {
			c := queuetest.Config{
				New: func(n int) queuetest.Queue[int64] {
					q := queue.NewMPMC[int64](n)
					return waiting{queue.NewBlocking(q, w), q.Cap()}
				},
				Producers: queuetest.Many, Consumers: queuetest.Many,
				SpuriousFull: queuetest.WhileBusy, SpuriousEmpty: queuetest.WhileBusy,
			}
			for _, k := range queuetest.Checks() {
				if k.Name == "bounds" || k.Name == "blocking" || k.Name == "order" {
					if err := k.Run(c); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
}

// waiting is a blocking queue that tells how much it holds.
type waiting struct {
	*queue.Blocking[int64]
	capacity int
}

func (w waiting) Cap() int { return w.capacity }
