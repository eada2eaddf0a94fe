package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"runtime/trace"
	"sync"
	"time"
)

// churn does for a while all that the runtime has to do with goroutines, at the same
// time: so that looks meet it everywhere.
func churn() {
	end := time.Now().Add(ms(2))
	debug.SetGCPercent(10)
	var wg sync.WaitGroup
	for _, f := range []func(){spawn, grow, throwUp, lockThread, callSystem, tick, leave, profileSelf, traceSelf} {
		wg.Go(func() {
			for time.Now().Before(end) {
				f()
			}
		})
	}
	wg.Wait()
	fmt.Println("done")
}

func spawn() {
	var wg sync.WaitGroup
	ch := make(chan []byte)
	for range 50 {
		wg.Go(func() { ch <- make([]byte, 1000) })
	}
	for range 50 {
		<-ch
	}
	wg.Wait()
}

// grow needs a deep stack, which is copied, and shrinks again.
func grow() { _ = climb(500) }

//go:noinline
func climb(n int) (sum byte) {
	var room [256]byte
	if n > 0 {
		room[n%256] = climb(n - 1)
	}
	for _, b := range room {
		sum += b
	}
	return sum
}

func throwUp() {
	defer func() { _ = recover() }()
	var p *int
	*p = 1
}

func lockThread() {
	done := make(chan bool)
	go func() {
		runtime.LockOSThread() // and ends with it, and its thread
		runtime.Gosched()
		close(done)
	}()
	<-done
}

func callSystem() {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	go func() {
		time.Sleep(50 * time.Microsecond)
		w.Close()
	}()
	io.Copy(io.Discard, r)
	r.Close()
}

func tick() {
	t := time.NewTicker(20 * time.Microsecond)
	defer t.Stop()
	for range 20 {
		<-t.C
	}
}

func leave() {
	done := make(chan bool)
	go func() {
		defer close(done)
		runtime.Goexit()
	}()
	<-done
	runtime.SetFinalizer(new([16]int), func(*[16]int) {})
}

func profileSelf() {
	var b bytes.Buffer
	pprof.Lookup("goroutine").WriteTo(&b, 2)
	pprof.Lookup("goroutine").WriteTo(&b, 0)
	runtime.GC()
}

func traceSelf() {
	if trace.Start(io.Discard) == nil {
		time.Sleep(time.Millisecond)
		trace.Stop()
	}
}
