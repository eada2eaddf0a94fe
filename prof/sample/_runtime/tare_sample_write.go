//go:build (linux || darwin) && (amd64 || arm64)

package runtime

import (
	"internal/runtime/atomic"
	"unsafe"
)

// tareSampleNames writes how the runtime calls the reasons to wait.
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

// tareSamplePutStack writes the stack in tareSampler.pcs, or its number if it is known.
func tareSamplePutStack(hash uint64, n int, what uint8) {
	entries := (*[tareSampleStacks]tareSampleStack)(unsafe.Pointer(tareSampler.stacks))
	i := hash % tareSampleStacks
	for entries[i].number != 0 {
		if entries[i].hash == hash {
			tareSamplePut(entries[i].number)
			return
		}
		i = (i + 1) % tareSampleStacks
	}
	tareSampler.nstacks++
	if tareSampler.nstacks < tareSampleStacks*3/4 {
		entries[i] = tareSampleStack{hash, tareSampler.nstacks}
	}
	tareSamplePut(0)
	tareSamplePut(uint64(what))
	tareSamplePut(uint64(n))
	for _, pc := range tareSampler.pcs[:n] {
		tareSamplePut(uint64(pc))
	}
}

// tareSampleRoom reports whether so many bytes can be written. When they cannot, nothing is any more.
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

func tareSamplePutByte(b byte) {
	*(*byte)(unsafe.Pointer(tareSampler.at)) = b
	tareSampler.at++
}

// tareSampleCommit makes what was written count.
func tareSampleCommit() {
	if tareSampler.words[tareSampleFull] == 0 {
		atomic.Store64(&tareSampler.words[tareSampleLength], uint64(tareSampler.at-uintptr(unsafe.Pointer(tareSampler.words))-tareSampleHeader*8))
	}
}
