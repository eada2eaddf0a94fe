package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/metrics"
	"sync"
	"time"

	"github.com/tarebench/tare/usage"
)

// blockWorkers makes increasing numbers of workers wait at a barrier, in three ways,
// and counts goroutines and threads. Go's scheduler parks a goroutine that waits for
// another one; only a locked goroutine, or a blocking system call, holds a thread.
func blockWorkers(c config) error {
	c.title("up to %d workers blocked at a barrier, GOMAXPROCS %d", c.blocked, runtime.GOMAXPROCS(0))
	var rows []blockedRow
	for n := 1; n <= c.blocked; n *= 2 {
		rows = append(rows, blockedRow{n: n})
	}
	var err error
	u := usage.Config{Name: "blockWorkers"}.Measure(func() { err = countAll(rows) })
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "%8s", "blocked")
	for _, w := range ways {
		fmt.Fprintf(c.out, "  %22s", w.name)
	}
	fmt.Fprintf(c.out, "\n%8s", "")
	for range ways {
		fmt.Fprintf(c.out, "  %11s %10s", "goroutines", "threads")
	}
	fmt.Fprintln(c.out)
	for _, r := range rows {
		fmt.Fprintf(c.out, "%8d", r.n)
		for _, x := range r.counts {
			fmt.Fprintf(c.out, "  %11d %10d", x.goroutines, x.threads)
		}
		fmt.Fprintln(c.out)
	}
	fmt.Fprintln(c.out)
	c.print(u)
	return nil
}

// blockedRow is what n blocked workers take, by way.
type blockedRow struct {
	n      int
	counts []counts
}

type counts struct{ goroutines, threads int }

// countAll tries one way after the other: the threads that system calls have needed stay.
func countAll(rows []blockedRow) error {
	for _, w := range ways {
		for i := range rows {
			x, err := w.count(rows[i].n)
			if err != nil {
				return fmt.Errorf("%d blocked %s: %w", rows[i].n, w.name, err)
			}
			rows[i].counts = append(rows[i].counts, x)
		}
	}
	return nil
}

// way is how a worker waits.
type way struct {
	name string
	gate func(workers int) (gate, error)
	lock bool // the worker keeps its thread
}

var ways = []way{
	{"goroutines", newChannelGate, false},
	{"locked to threads", newChannelGate, true},
	{"in system calls", newPipeGate, false},
}

// gate is what workers wait at.
type gate interface {
	wait(worker int) // until opened
	open() error
}

// count has n workers wait, and counts goroutines and threads when all do. As at a
// phaser, no worker goes on before all have arrived.
func (w way) count(n int) (counts, error) {
	g, err := w.gate(n)
	if err != nil {
		return counts{}, err
	}
	var arrived, gone sync.WaitGroup
	arrived.Add(n)
	for i := range n {
		gone.Go(func() {
			if w.lock {
				runtime.LockOSThread() // and the thread ends with the goroutine
			}
			arrived.Done()
			g.wait(i)
		})
	}
	arrived.Wait()
	seen := settled()
	err = g.open()
	gone.Wait()
	return seen, err
}

// settled returns how many goroutines and threads there are once their number has stopped
// changing: workers say that they have arrived just before they block.
func settled() (seen counts) {
	const enough = 10 // checks in a row that saw the same
	for same := 0; same < enough; same++ {
		time.Sleep(time.Millisecond)
		if now := (counts{runtime.NumGoroutine(), liveThreads()}); now != seen {
			seen, same = now, 0
		}
	}
	return seen
}

func liveThreads() int {
	s := []metrics.Sample{{Name: "/sched/threads/total:threads"}}
	metrics.Read(s)
	if s[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return int(s[0].Value.Uint64())
}

type channelGate chan struct{}

func newChannelGate(int) (gate, error) { return make(channelGate), nil }

func (g channelGate) wait(int)    { <-g }
func (g channelGate) open() error { close(g); return nil }

// pipeGate is a pipe for each worker to which no worker writes. To read it blocks in the
// kernel, because Fd removes it from the runtime's poller, and ends when the
// other end is closed. One pipe for all would not do: os.File has readers wait for each other.
type pipeGate struct{ r, w []*os.File }

func newPipeGate(workers int) (gate, error) {
	g := &pipeGate{}
	for range workers {
		r, w, err := os.Pipe()
		if err != nil {
			g.open()
			return nil, err
		}
		r.Fd()
		g.r, g.w = append(g.r, r), append(g.w, w)
	}
	return g, nil
}

func (g *pipeGate) wait(worker int) {
	var b [1]byte
	g.r[worker].Read(b[:]) // its error is the end that was waited for
	g.r[worker].Close()
}

func (g *pipeGate) open() error {
	var err error
	for _, w := range g.w {
		err = errors.Join(err, w.Close())
	}
	return err
}
