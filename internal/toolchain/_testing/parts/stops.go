package testing

import (
	"os"
	"strconv"
	"syscall"
	"unsafe"
)

// tareStops notes when the timer ran, so that what a profiler saw while it stood can
// be told apart. Each time that it stops, two numbers are appended to the file that
// TARE_STOPS names, in the order of bytes of this machine: when it had started, and when
// it stopped, CLOCK_MONOTONIC ns. Both are known to the hooks anyway; they wait in a
// buffer, and are written when that is full or the window has ended: while the timer
// stands, and after thousands of stops. TARE_STOPS_ROOM is how many stops the file may
// hold; those behind are not noted, which the reader sees by the end of the window.
var tareStops = tarePart{process: tareStopsProcess, stop: tareStopsStop, end: tareStopsFlush}

// tareStopsNotes is what waits. It is no memory of the heap, whose size would tell the
// collector to run less often.
var tareStopsNotes struct {
	fd   int // 0: nobody wants to know, or no longer
	room int // left in the file, in stops
	n    int
	wait [4096][2]int64
}

func tareStopsProcess() {
	a := &tareStopsNotes
	a.room, _ = strconv.Atoi(os.Getenv("TARE_STOPS_ROOM"))
	if fd, err := syscall.Open(os.Getenv("TARE_STOPS"), syscall.O_WRONLY|syscall.O_APPEND|syscall.O_CLOEXEC, 0); err == nil {
		a.fd = fd
	}
}

// tareStopsStop notes a stop, unless b is no benchmark itself: its timer runs while those
// in it are measured. Goroutines that stop the timer at once, which they may not, do no
// harm but to the notes.
func tareStopsStop(b *B) {
	a := &tareStopsNotes
	if a.fd <= 0 || b.hasSub.Load() {
		return
	}
	if a.n >= len(a.wait) {
		tareStopsFlush(b)
	}
	if n := a.n; n < len(a.wait) {
		a.wait[n] = [2]int64{b.tare.segment, b.tare.end}
		a.n = n + 1
	}
}

func tareStopsFlush(*B) {
	a := &tareStopsNotes
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
		if err != nil || k <= 0 { // a disk that is full
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
