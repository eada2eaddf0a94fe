// Package subjects has benchmarks of which it is known which goroutines run.
package subjects

import (
	"io"
	"os"
	"runtime"
	"runtime/trace"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// A benchmark that traces itself, if it is asked to.
func init() {
	if os.Getenv("SUBJECTS_TRACE") != "" {
		trace.Start(io.Discard)
	}
}

// cpu returns the CPU time of this thread, by a system call that Go's scheduler does not notice.
func cpu() time.Duration {
	const threadClock = 3
	var ts syscall.Timespec
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, threadClock, uintptr(unsafe.Pointer(&ts)), 0)
	return time.Duration(ts.Nano())
}

// unit is the CPU time that a worker of weight 1 takes for an operation.
const unit = 2 * time.Millisecond

func burn(weight int) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for end := cpu() + time.Duration(weight)*unit; cpu() < end; {
	}
}

func burn1(wg *sync.WaitGroup) { burn(1); wg.Done() }
func burn2(wg *sync.WaitGroup) { burn(2); wg.Done() }
func burn3(wg *sync.WaitGroup) { burn(3); wg.Done() }

func BenchmarkWeights(b *testing.B) {
	for b.Loop() {
		var wg sync.WaitGroup
		wg.Add(3)
		go burn1(&wg)
		go burn2(&wg)
		go burn3(&wg)
		wg.Wait()
	}
}

func sleeper(wg *sync.WaitGroup) { time.Sleep(3 * time.Millisecond); wg.Done() }

// setup is not measured, but traced.
func setup(done chan bool) {
	for range 20000 {
		runtime.Gosched()
	}
	close(done)
}

// BenchmarkN loops as all did before there was b.Loop.
func BenchmarkN(b *testing.B) {
	done, before := make(chan bool), runtime.NumGoroutine()
	go setup(done)
	<-done
	for runtime.NumGoroutine() > before { // until it has ended, too
		runtime.Gosched()
	}
	b.ResetTimer()
	for range b.N {
		var wg sync.WaitGroup
		wg.Add(1)
		go sleeper(&wg)
		wg.Wait()
	}
}

func BenchmarkSub(b *testing.B) {
	b.Run("nap", func(b *testing.B) {
		for b.Loop() {
			var wg sync.WaitGroup
			wg.Go(func() { time.Sleep(time.Millisecond) })
			wg.Wait()
		}
	})
}

// BenchmarkMany is put on a P very often.
func BenchmarkMany(b *testing.B) {
	for b.Loop() {
		for range 2000 {
			runtime.Gosched()
		}
	}
}

func release(mu *sync.Mutex) { mu.Unlock() }

func locker(mu *sync.Mutex, ready chan bool, wg *sync.WaitGroup) {
	ready <- true
	mu.Lock()
	release(mu)
	wg.Done()
}

// BenchmarkLock has one wait for a lock in an operation, while the benchmark's own goroutine sleeps.
func BenchmarkLock(b *testing.B) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	ready := make(chan bool)
	for range b.N {
		mu.Lock()
		wg.Add(1)
		go locker(&mu, ready, &wg)
		<-ready
		time.Sleep(2 * time.Millisecond)
		release(&mu)
		wg.Wait()
	}
}

func reader(r *os.File, done chan byte) {
	var b [1]byte
	for {
		if n, err := r.Read(b[:]); n == 0 || err != nil {
			return
		}
		done <- b[0]
	}
}

// BenchmarkPipe waits for a channel whose sender waits for a pipe.
func BenchmarkPipe(b *testing.B) {
	r, w, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	done := make(chan byte)
	go reader(r, done)
	for b.Loop() {
		time.Sleep(time.Millisecond)
		w.Write([]byte{1})
		<-done
	}
}
