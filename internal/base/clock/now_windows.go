package clock

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// counter is the performance counter. It is set once, before main: Windows fixes the
// frequency at boot.
var counter = openCounter()

type performanceCounter struct {
	read uintptr // address of QueryPerformanceCounter
	freq int64   // counts per second
}

func openCounter() performanceCounter {
	kernel32 := windows.NewLazySystemDLL("kernel32.dll")
	c := performanceCounter{read: kernel32.NewProc("QueryPerformanceCounter").Addr()}
	syscall.SyscallN(kernel32.NewProc("QueryPerformanceFrequency").Addr(), uintptr(unsafe.Pointer(&c.freq)))
	c.freq = max(c.freq, 1)
	return c
}

// Now returns the time of the machine's shared monotonic clock in nanoseconds.
// It is safe for concurrent use.
func Now() int64 {
	var n int64
	syscall.SyscallN(counter.read, uintptr(unsafe.Pointer(&n)))
	// Whole seconds and the remainder are converted separately, because n * 1e9 would overflow after days.
	return n/counter.freq*1e9 + n%counter.freq*1e9/counter.freq
}

// Shared reports whether stamps of different processes are comparable, and the
// largest error of a stamp in nanoseconds: 0 here, because every stamp is a reading
// of the shared clock.
func Shared() (errNs float64, ok bool) { return 0, true }
