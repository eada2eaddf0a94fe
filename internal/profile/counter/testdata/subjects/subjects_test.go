// Package subjects has benchmarks of which the kernel's events are known.
package subjects

import (
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// pages is how many an operation of BenchmarkPages touches for the first time.
const pages = 200

func BenchmarkPages(b *testing.B) {
	size := pages * syscall.Getpagesize()
	for b.Loop() {
		mem, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
		if err != nil {
			b.Fatal(err)
		}
		syscall.Madvise(mem, 15) // MADV_NOHUGEPAGE; where there are no huge pages it fails
		for i := 0; i < size; i += syscall.Getpagesize() {
			mem[i] = 1
		}
		syscall.Munmap(mem)
	}
}

// BenchmarkBlock has its thread sleep, so that the kernel switches to another.
func BenchmarkBlock(b *testing.B) {
	nap := syscall.NsecToTimespec(int64(200 * time.Microsecond))
	for b.Loop() {
		syscall.Nanosleep(&nap, nil)
	}
}

// cpu is the CPU time of this thread.
func cpu() time.Duration {
	const threadClock = 3
	var ts syscall.Timespec
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, threadClock, uintptr(unsafe.Pointer(&ts)), 0)
	return time.Duration(ts.Nano())
}

func burn(d time.Duration) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for end := cpu() + d; cpu() < end; {
	}
}

// BenchmarkBurn takes 1 + 2 + 3 ms of CPU time, on three threads that are new ones.
func BenchmarkBurn(b *testing.B) {
	for b.Loop() {
		var wg sync.WaitGroup
		for weight := range 3 {
			wg.Go(func() { burn(time.Duration(weight+1) * time.Millisecond) })
		}
		wg.Wait()
	}
}

// BenchmarkStopped burns as much while the timer stands as while it runs.
func BenchmarkStopped(b *testing.B) {
	for range b.N {
		burn(time.Millisecond)
		b.StopTimer()
		burn(time.Millisecond)
		b.StartTimer()
	}
}

func BenchmarkShort(b *testing.B) {
	for range b.N {
		_ = cpu()
	}
}
