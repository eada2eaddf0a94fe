package testing

import (
	"os"
	"strconv"
	"syscall"
	"unsafe"
)

// tareTimerLog logs when the timer ran, so that samples of a profiler can be discarded that were taken
// while it was stopped. For each stop it appends two numbers to the file that TARE_STOPS names, in the
// byte order of this machine: when the timer started and when it stopped, in CLOCK_MONOTONIC ns. They
// wait in a buffer, which is written when it is full or when the window has ended; the timer is then
// stopped. TARE_STOPS_ROOM is the number of stops that the file may hold. Later ones are not logged,
// which the reader recognises by the end of the window.
var tareTimerLog = tarePart{process: tareTimerLogProcess, stop: tareTimerLogStop, end: tareTimerLogFlush}

// tareTimerLogBuffer is the buffer. It is not on the heap, as a larger heap is collected less often.
var tareTimerLogBuffer struct {
	fd   int // 0: there is no file, or it failed
	room int // left in the file, in stops
	n    int
	wait [4096][2]int64
}

func tareTimerLogProcess() {
	a := &tareTimerLogBuffer
	a.room, _ = strconv.Atoi(os.Getenv("TARE_STOPS_ROOM"))
	if fd, err := syscall.Open(os.Getenv("TARE_STOPS"), syscall.O_WRONLY|syscall.O_APPEND|syscall.O_CLOEXEC, 0); err == nil {
		a.fd = fd
	}
}

// tareTimerLogStop logs a stop, unless b only has sub-benchmarks: its timer runs while those are measured.
// Goroutines that stop the timer at the same time, which testing forbids, spoil only the log.
func tareTimerLogStop(b *B) {
	a := &tareTimerLogBuffer
	if a.fd <= 0 || b.hasSub.Load() {
		return
	}
	if a.n >= len(a.wait) {
		tareTimerLogFlush(b)
	}
	if n := a.n; n < len(a.wait) {
		a.wait[n] = [2]int64{b.tare.segment, b.tare.end}
		a.n = n + 1
	}
}

func tareTimerLogFlush(*B) {
	a := &tareTimerLogBuffer
	n := min(a.n, len(a.wait), a.room)
	a.n = 0
	if a.fd <= 0 {
		return
	}
	a.room -= n
	text := unsafe.Slice((*byte)(unsafe.Pointer(&a.wait)), n*int(unsafe.Sizeof(a.wait[0])))
	for len(text) > 0 {
		k, err := syscall.Write(a.fd, text)
		if err == syscall.EINTR {
			continue
		}
		if err != nil || k <= 0 { // such as a full disk
			a.room = 0
			break
		}
		text = text[k:]
	}
	if a.room <= 0 {
		syscall.Close(a.fd)
		a.fd = 0
	}
}
