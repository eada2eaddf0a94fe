package sched

import (
	"bytes"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/record"
)

// waiters are goroutines that wait for one thing each, and functions that wake them.
type waiters struct {
	out, in chan int
	pick    chan int
	rw      sync.RWMutex
	cond    sync.Cond
	ready   bool
	group   sync.WaitGroup
	once    sync.Once
	start   chan bool
}

func (w *waiters) send()    { w.out <- 1 }
func (w *waiters) receive() { <-w.in }
func (w *waiters) either() {
	select {
	case <-w.pick:
	case w.pick <- 1:
	}
}

func (w *waiters) read() {
	w.rw.RLock()
	//lint:ignore SA2001 only the wait counts
	w.rw.RUnlock()
}

func (w *waiters) all()       { w.group.Wait() }
func (w *waiters) initFirst() { w.once.Do(func() { close(w.start); napper(waking) }) }
func (w *waiters) initLater() { <-w.start; w.once.Do(func() {}) }
func (w *waiters) condition() {
	w.cond.L.Lock()
	for !w.ready {
		w.cond.Wait()
	}
	w.cond.L.Unlock()
}

func (w *waiters) wake() {
	<-w.out
	w.in <- 1
	<-w.pick
	w.rw.Unlock()
	w.group.Done()
	w.cond.L.Lock()
	w.ready = true
	w.cond.L.Unlock()
	w.cond.Broadcast()
}

// waking is how long after the others the goroutine runs that wakes them.
const waking = 20 * time.Millisecond

// TestRealCauses: what the tracer of this toolchain writes of each kind of wait is understood, with the functions that
// wait and that end it.
func TestRealCauses(t *testing.T) {
	testutil.Retry(t, func(int) error { // a goroutine that was held up does not wait
		w := &waiters{out: make(chan int), in: make(chan int), pick: make(chan int), start: make(chan bool), cond: sync.Cond{L: &sync.Mutex{}}}
		w.rw.Lock()
		w.group.Add(1)
		text := traced(t, func() {
			done := make(chan bool)
			all := []func(){w.send, w.receive, w.either, w.read, w.all, w.condition, w.initFirst, w.initLater}
			for _, f := range all {
				go func() { f(); done <- true }()
			}
			napper(waking)
			w.wake()
			for range all {
				<-done
			}
		})
		x, err := readTrace(bytes.NewReader(text), profiler.Window{})
		if err != nil {
			t.Fatal(err)
		}
		prefix := self() + "(*waiters)."
		for _, want := range []struct{ cause, at, op, by string }{
			{record.WaitSend, prefix + "send", "", prefix + "wake"},
			{record.WaitReceive, prefix + "receive", "", prefix + "wake"},
			{record.WaitSelect, prefix + "either", "", prefix + "wake"},
			{record.WaitLock, prefix + "read", "sync.(*RWMutex).RLock", prefix + "wake"},
			{record.WaitWaitGroup, prefix + "all", "sync.(*WaitGroup).Wait", prefix + "wake"},
			{record.WaitCond, prefix + "condition", "sync.(*Cond).Wait", prefix + "wake"},
			{record.WaitLock, prefix + "initLater", "sync.(*Once).Do", prefix + "initFirst"},
			{record.WaitSleep, self() + "napper", "time.Sleep", ""},
		} {
			found := false
			for k := range x.waits {
				found = found || k.cause == want.cause && k.at.Func == want.at && k.at.Op == want.op && k.by.Func == want.by && k.at.Line > 0
			}
			if !found {
				var got string
				for k := range x.waits {
					got += fmt.Sprintf("\n%+v", k)
				}
				return fmt.Errorf("no %+v among%s", want, got)
			}
		}
		return nil
	})
}

//go:noinline
func collect() { runtime.GC() }

// TestRealCollector: a program that waits for the garbage collector waits for it, whatever semaphore that is.
func TestRealCollector(t *testing.T) {
	text := traced(t, func() {
		for range 5 {
			collect()
		}
	})
	x, err := readTrace(bytes.NewReader(text), profiler.Window{})
	if err != nil {
		t.Fatal(err)
	}
	found := int64(0)
	for k, s := range x.waits {
		switch {
		case k.at.Func != self()+"collect" || k.cause == record.WaitRunnable:
		case k.cause == record.WaitGC && k.at.Op == "runtime.GC":
			found += s.own
		default:
			t.Errorf("%+v", k)
		}
	}
	if found <= 0 {
		t.Errorf("%+v", x.waits)
	}
}
