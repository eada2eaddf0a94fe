package link

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestOrder: listeners hear every change in order, also when they are slow and changes come from many goroutines.
func TestOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seed := rand.Uint64()
		t.Logf("seed %d", seed)
		random := rand.New(rand.NewPCG(seed, 0))
		l, received := New(), []bool{}
		l.Listen(func(connected bool) {
			received = append(received, connected)
			time.Sleep(time.Duration(random.IntN(3)) * time.Millisecond)
		})
		var group sync.WaitGroup
		for i := range 8 {
			group.Go(func() {
				for n := range 50 {
					l.Set((n+i)%2 == 0)
					time.Sleep(time.Millisecond)
				}
			})
		}
		group.Wait()
		time.Sleep(time.Minute)
		synctest.Wait()
		if len(received) == 0 {
			t.Fatal("nothing is received")
		}
		for i, connected := range received {
			if connected != (i%2 == 1) {
				t.Fatalf("change %d is %v", i, connected)
			}
		}
		if now, _ := l.Now(); now != received[len(received)-1] {
			t.Errorf("the last change is %v, but %v was received", now, received[len(received)-1])
		}
	})
}

// TestWait: it returns at the change, and at the end of the context with its cause.
func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, start := New(), time.Now()
		if _, err := l.Wait(t.Context()); err != nil || time.Since(start) != 0 {
			t.Error(err, time.Since(start))
		}
		l.Set(false)
		time.AfterFunc(time.Second, func() { l.Set(true) })
		lost, err := l.Wait(t.Context())
		if err != nil || time.Since(start) != time.Second {
			t.Error(err, time.Since(start))
		}
		l.Set(false)
		<-lost
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, ErrClosed)
		defer cancel()
		if _, err := l.Wait(ctx); !errors.Is(err, ErrClosed) || time.Since(start) != 2*time.Second {
			t.Error(err, time.Since(start))
		}
	})
}
