//go:build (linux || darwin) && (amd64 || arm64)

package runtime

import (
	"internal/runtime/atomic"
	"unsafe"
)

// tareSampleNames writes the runtime's names of the reasons to wait.
func tareSampleNames() {
	tareSamplePut(3)
	tareSamplePut(uint64(len(waitReasonStrings)))
	for _, s := range waitReasonStrings {
		tareSamplePutText(s)
	}
	if len(argslice) > 0 && tareSampleRoom(uintptr(len(argslice[0]))+16) {
		tareSamplePut(4)
		tareSamplePutText(argslice[0])
	}
}

func tareSamplePutText(s string) {
	tareSamplePut(uint64(len(s)))
	for i := range len(s) {
		tareSamplePutByte(s[i])
	}
}

// tareSampleNew returns the number of a stack that will be known later.
func tareSampleNew() uint64 {
	tareSampler.nstacks++
	return tareSampler.nstacks
}

// tareSampleNumber returns the number of a stack, and writes the stack unless it was written.
func tareSampleNumber(stack *[tareSampleDepth]uintptr, n int, what uint64) uint64 {
	hash := what
	for _, pc := range stack[:n] {
		hash = (hash ^ uint64(pc)) * 0x9e3779b97f4a7c15
		hash ^= hash >> 29
	}
	entries := (*[tareSampleStacks]tareSampleStack)(unsafe.Pointer(tareSampler.stacks))
	i := hash % tareSampleStacks
	for ; entries[i].number != 0; i = (i + 1) % tareSampleStacks {
		if entries[i].hash == hash {
			return entries[i].number
		}
	}
	number := tareSampleNew()
	if !tareSampleRoom(64 + uintptr(n)*11) {
		return number
	}
	if tareSampler.kept < tareSampleStacks*3/4 {
		tareSampler.kept++
		entries[i] = tareSampleStack{hash, number}
	}
	tareSamplePut(5)
	tareSamplePut(number)
	tareSamplePut(what)
	tareSamplePut(uint64(n))
	for _, pc := range stack[:n] {
		tareSamplePutPC(pc)
	}
	return number
}

type tareSamplePC struct {
	pc     uintptr
	number uint64
}

// tareSamplePutPC writes an address, or its number if it has one.
func tareSamplePutPC(pc uintptr) {
	entries := (*[tareSamplePCs]tareSamplePC)(unsafe.Pointer(tareSampler.pcs))
	i := uint64(pc) * 0x9e3779b97f4a7c15 >> 32 % tareSamplePCs
	for ; entries[i].number != 0; i = (i + 1) % tareSamplePCs {
		if entries[i].pc == pc {
			tareSamplePut(entries[i].number)
			return
		}
	}
	if tareSampler.npcs < tareSamplePCs*3/4 {
		tareSampler.npcs++
		entries[i] = tareSamplePC{pc, tareSampler.npcs}
	}
	tareSamplePut(0)
	tareSamplePut(uint64(pc))
}

// tareSampleRoom reports whether so many bytes can be written. If not, nothing is written any more.
func tareSampleRoom(n uintptr) bool {
	if tareSampler.words[tareSampleFull] == 0 && tareSampler.end-tareSampler.at >= n {
		return true
	}
	tareSampler.words[tareSampleFull] = 1
	return false
}

func tareSamplePut(x uint64) {
	for x >= 0x80 {
		tareSamplePutByte(byte(x) | 0x80)
		x >>= 7
	}
	tareSamplePutByte(byte(x))
}

// tareSamplePutSpan writes a time, with 0 for a negative one, which would make the file unreadable.
func tareSamplePutSpan(x int64) { tareSamplePut(uint64(max(x, 0))) }

func tareSamplePutByte(b byte) {
	*(*byte)(unsafe.Pointer(tareSampler.at)) = b
	tareSampler.at++
}

// tareSampleCommit makes the reader see what was written.
func tareSampleCommit() {
	if tareSampler.words[tareSampleFull] == 0 {
		atomic.Store64(&tareSampler.words[tareSampleLength], uint64(tareSampler.at-uintptr(unsafe.Pointer(tareSampler.words))-tareSampleHeader*8))
	}
}
