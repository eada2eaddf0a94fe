//go:build (linux || darwin) && (amd64 || arm64)

package runtime

import (
	"internal/runtime/atomic"
	"unsafe"
)

// tareSampleOpen parses the variable and maps the file.
func tareSampleOpen(s string) bool {
	var field [2]string
	for i := range field {
		n := 0
		for n < len(s) && s[n] != ' ' {
			n++
		}
		if n == len(s) {
			return false
		}
		field[i], s = s[:n], s[n+1:]
	}
	for _, c := range []byte(field[1]) {
		if c < '0' || c > '9' {
			return false
		}
		tareSampler.interval = tareSampler.interval*10 + int64(c-'0')
	}
	tareSampler.mode = field[0]
	var path [1024]byte
	if len(s) >= len(path) || tareSampler.interval < 1 {
		return false
	}
	copy(path[:], s)
	mode := int32(2 | 0x80000) // O_RDWR | O_CLOEXEC
	if GOOS == "darwin" {
		mode = 2 | 0x1000000
	}
	fd := open(&path[0], mode, 0)
	if fd < 0 {
		return false
	}
	defer closefd(fd)
	p, size := tareSampleMap(fd)
	if p == nil {
		return false
	}
	tareSampler.words = (*[tareSampleHeader]uint64)(p)
	tareSampler.at, tareSampler.end = uintptr(p)+tareSampleHeader*8, uintptr(p)+size
	tareSampler.stacks = uintptr(persistentalloc(tareSampleStacks*unsafe.Sizeof(tareSampleStack{}), 8, &memstats.other_sys))
	tareSampler.pcs = uintptr(persistentalloc(tareSamplePCs*unsafe.Sizeof(tareSamplePC{}), 8, &memstats.other_sys))
	if tareSampler.mode == "wall" {
		tareSampler.asks = uintptr(persistentalloc(tareSampleAsks*unsafe.Sizeof(tareSampleAsk{}), 8, &memstats.other_sys))
	}
	return true
}

// tareSampleMap maps the file and returns its length. It fails if another process has it.
func tareSampleMap(fd int32) (p unsafe.Pointer, size uintptr) {
	const readWrite, shared = 3, 1
	head, err := mmap(nil, tareSampleHeader*8, readWrite, shared, fd, 0)
	if err != 0 {
		return nil, 0
	}
	words := (*[tareSampleHeader]uint64)(head)
	size = uintptr(words[tareSampleLength]) // the length of the file, until it is claimed
	if size >= tareSampleHeader*8 && atomic.Cas64(&words[tareSampleClaimed], 0, 1) {
		p, err = mmap(nil, size, readWrite, shared, fd, 0)
	}
	munmap(head, tareSampleHeader*8)
	if err != 0 {
		return nil, 0
	}
	return p, size
}
