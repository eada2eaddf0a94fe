package ycsb

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
)

// TestInsertsModel acknowledges in random order and compares with a set.
func TestInsertsModel(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	const first = 1000
	n := newInserts(first, insertWindow)
	var open []int64
	there := map[int64]bool{}
	last := int64(first - 1)
	for range 100_000 {
		switch {
		case len(open) < 3 || (len(open) < 200 && r.IntN(2) == 0):
			open = append(open, n.take())
		case r.IntN(50) == 0:
			i := r.IntN(len(open))
			n.giveBack(open[i])
			open[i] = open[len(open)-1]
			open = open[:len(open)-1]
		default:
			i := r.IntN(len(open))
			n.acknowledge(open[i])
			there[open[i]] = true
			open[i] = open[len(open)-1]
			open = open[:len(open)-1]
			for there[last+1] {
				delete(there, last+1)
				last++
			}
		}
		if n.last() != last {
			t.Fatalf("seed %d: all are there up to %d, want %d", seed, n.last(), last)
		}
	}
	if last < first+25_000 {
		t.Errorf("seed %d: %d records came together", seed, last-first+1)
	}
}

// TestInsertsConcurrent: no number is given twice, none that is there is before
// one that is not, and in the end all are.
func TestInsertsConcurrent(t *testing.T) {
	const workers, each = 8, 5000
	n := newInserts(0, insertWindow)
	taken := make([]atomic.Bool, workers*each)
	there := make([]atomic.Bool, workers*each)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(w), 0))
			var open []int64
			done := 0
			for done < each {
				if len(open) == 0 || (len(open) < 10 && r.IntN(2) == 0) {
					if done+len(open) < each {
						record := n.take()
						if taken[record].Swap(true) {
							t.Errorf("record %d is taken twice", record)
						}
						open = append(open, record)
						continue
					}
				}
				i := r.IntN(len(open))
				record := open[i]
				open[i] = open[len(open)-1]
				open = open[:len(open)-1]
				if r.IntN(100) == 0 {
					taken[record].Store(false)
					n.giveBack(record)
					continue
				}
				there[record].Store(true)
				n.acknowledge(record)
				done++
				if last := n.last(); last >= 0 && !there[last].Load() {
					t.Errorf("record %d is not there and said to be", last)
				}
			}
		})
	}
	wg.Wait()
	if got := n.last(); got != workers*each-1 {
		t.Errorf("all %d are there, but last is %d", workers*each, got)
	}
}

// TestInsertsTogether: two that come at the same time both count, although one of
// them may find the other at work.
func TestInsertsTogether(t *testing.T) {
	n := newInserts(0, 64)
	for round := range int64(2000) {
		a, b := n.take(), n.take()
		done := make(chan bool)
		go func() {
			n.acknowledge(b)
			close(done)
		}()
		n.acknowledge(a)
		<-done
		if n.last() != b {
			t.Fatalf("round %d: last is %d, want %d", round, n.last(), b)
		}
	}
}

// TestInsertsLost: one insert is never answered. The others go on, and after a
// window it is not waited for.
func TestInsertsLost(t *testing.T) {
	const window = 1024
	n := newInserts(10, window)
	lost := n.take()
	for range window - 1 {
		n.acknowledge(n.take())
	}
	if n.last() != lost-1 {
		t.Fatalf("last is %d, before the window is full", n.last())
	}
	record := n.take()
	n.acknowledge(record)
	if n.last() != record {
		t.Fatalf("last is %d, want %d", n.last(), record)
	}
	n.acknowledge(lost) // comes after all
	for range 5 * window {
		n.acknowledge(n.take())
	}
	if want := n.number.Load() - 1; n.last() != want {
		t.Errorf("last is %d, want %d", n.last(), want)
	}
	for i := range n.ready {
		if n.ready[i].Load() != 0 {
			t.Fatalf("a mark was left behind")
		}
	}
}
