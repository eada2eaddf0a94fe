package runtime

import (
	"internal/runtime/atomic"
	"internal/runtime/exithook"
	"unsafe"
)

// tareEnv is the variable that names the file of the arena. The program does not see it.
const tareEnv = "TARE_WEAVE"

// Package runtime is initialised before all others.
func init() {
	path := tareForget(tareEnv)
	if path == "" {
		return
	}
	tareDeepen()
	h := tareMap(path)
	if h == nil {
		return
	}
	tareBase = uintptr(unsafe.Pointer(h))
	if !tareCounts {
		h.clock = tareClockKernel
	}
	if h.clock == tareClockKernel {
		tareMode = tareSlow
	}
	h.base = uint64(tareBase)
	tareArena = h
	tareCalibrate(h)
	exithook.Add(exithook.Hook{F: tareEnd, RunOnFailure: true})
}

// tareMap maps the file. It returns nil if another process has it: a program may start itself.
func tareMap(path string) *tareHeader {
	const readWrite, shared, readWriteOpen = 3, 1, 2
	name := append([]byte(path), 0)
	fd := open(&name[0], readWriteOpen, 0)
	if fd < 0 {
		return nil
	}
	p, err := mmap(nil, physPageSize, readWrite, shared, fd, 0)
	var h *tareHeader
	if err == 0 {
		h = (*tareHeader)(p)
		if h.magic != tareMagic || h.layout != tareLayout || !atomic.Cas64(&h.taken, 0, 1) {
			h = nil
		} else {
			if all, err := mmap(nil, uintptr(h.size), readWrite, shared, fd, 0); err == 0 {
				h = (*tareHeader)(all)
			} else {
				h = nil
			}
		}
		munmap(p, physPageSize)
	}
	closefd(fd)
	return h
}

// tareEnd reads both clocks again: the longer the time between two readings, the more precisely is the length of a tick
// known.
func tareEnd() {
	h := tareArena
	h.ticks1, h.nanos1 = tarePair()
	h.ended = 1
}

// tarePair reads both clocks at about the same time, the closest pair of 32.
func tarePair() (ticks, nanos uint64) {
	shortest := ^uint64(0)
	for range 32 {
		before := tareNow()
		n := nanotime()
		if d := tareNow() - before; d < shortest {
			shortest, ticks, nanos = d, before+d/2, uint64(n)
		}
	}
	return ticks, nanos
}
