//go:build linux && (amd64 || arm64)

package runtime

import (
	"internal/goarch"
	linux "internal/runtime/syscall/linux"
	"unsafe"
)

// Numbers of system calls.
const (
	tareTotalsOpenat   = goarch.IsAmd64*257 + goarch.IsArm64*56
	tareTotalsRead     = goarch.IsAmd64*0 + goarch.IsArm64*63
	tareTotalsGetdents = goarch.IsAmd64*217 + goarch.IsArm64*61
	tareTotalsGettime  = goarch.IsAmd64*228 + goarch.IsArm64*113
)

var tareTotalsTask = [...]byte{'/', 'p', 'r', 'o', 'c', '/', 's', 'e', 'l', 'f', '/', 't', 'a', 's', 'k', 0}

// Buffers, not on a stack: system calls do not move with it.
var (
	tareTotalsEntries [16 << 10]byte
	tareTotalsStat    [1 << 10]byte
	tareTotalsName    [32]byte
	tareTotalsTime    [2]int64
)

// tareTotalsReadThreads writes the CPU time of each thread, which /proc/self/task lists: see getdents64(2) and proc(5).
func tareTotalsReadThreads() {
	const directory = goarch.IsAmd64*0x10000 + goarch.IsArm64*0x4000 // O_DIRECTORY
	const length, name = 16, 19                                      // offsets in struct linux_dirent64
	fd := tareTotalsAt(^uintptr(99), &tareTotalsTask[0], directory)  // AT_FDCWD, which an absolute path does not need
	if fd < 0 {
		tareTotals.words[tareTotalsErrno] = uint64(-fd)
		return
	}
	for {
		n, _, errno := linux.Syscall6(tareTotalsGetdents, uintptr(fd), uintptr(unsafe.Pointer(&tareTotalsEntries[0])), uintptr(len(tareTotalsEntries)), 0, 0, 0)
		if errno != 0 {
			tareTotals.words[tareTotalsErrno] = uint64(errno)
		}
		if errno != 0 || n == 0 {
			break
		}
		for at := uintptr(0); at+name < n; {
			size := uintptr(tareTotalsEntries[at+length]) | uintptr(tareTotalsEntries[at+length+1])<<8
			if size <= name || at+size > n {
				break
			}
			tareTotalsOne(fd, tareTotalsEntries[at+name:at+size])
			at += size
		}
	}
	closefd(int32(fd))
}

// tareTotalsOne writes the thread whose number a directory entry names, unless it has just ended.
func tareTotalsOne(dir int64, digits []byte) {
	id, n := uint64(0), 0
	for n < len(digits) && digits[n] >= '0' && digits[n] <= '9' {
		id = id*10 + uint64(digits[n]-'0')
		n++
	}
	if n == 0 || n+6 > len(tareTotalsName) {
		return // . and ..
	}
	const thread, scheduled = 4, 2 // MAKE_THREAD_CPUCLOCK of the kernel's posix-timers_types.h
	clock := ^uint32(id)<<3 | thread | scheduled
	if _, _, errno := linux.Syscall6(tareTotalsGettime, uintptr(int64(int32(clock))), uintptr(unsafe.Pointer(&tareTotalsTime)), 0, 0, 0, 0); errno != 0 {
		return
	}
	copy(tareTotalsName[:], digits[:n])
	copy(tareTotalsName[n:], "/stat\x00")
	fd := tareTotalsAt(uintptr(dir), &tareTotalsName[0], 0)
	user, sys := uint64(0), uint64(0)
	if fd >= 0 {
		size, _, errno := linux.Syscall6(tareTotalsRead, uintptr(fd), uintptr(unsafe.Pointer(&tareTotalsStat[0])), uintptr(len(tareTotalsStat)), 0, 0, 0)
		if errno == 0 {
			user, sys = tareTotalsTicks(tareTotalsStat[:size])
		}
		closefd(int32(fd))
	}
	tareTotalsAdd(id, uint64(tareTotalsTime[0])*1_000_000_000+uint64(tareTotalsTime[1]), user, sys)
}

// tareTotalsAt opens a file for reading; a negative result is an error number.
func tareTotalsAt(dir uintptr, path *byte, flags uintptr) int64 {
	const closeOnExec = 0x80000
	fd, _, errno := linux.Syscall6(tareTotalsOpenat, dir, uintptr(unsafe.Pointer(path)), flags|closeOnExec, 0, 0, 0)
	if errno != 0 {
		return -int64(errno)
	}
	return int64(fd)
}

// tareTotalsTicks returns fields 14 and 15 of /proc/PID/stat. They are counted behind the name of the thread, field 2,
// which is in parentheses and may have some in it.
func tareTotalsTicks(text []byte) (user, sys uint64) {
	at := len(text)
	for at > 0 && text[at-1] != ')' {
		at--
	}
	field := 2
	for _, c := range text[at:] {
		switch {
		case c == ' ':
			field++
		case field == 14 && c >= '0' && c <= '9':
			user = user*10 + uint64(c-'0')
		case field == 15 && c >= '0' && c <= '9':
			sys = sys*10 + uint64(c-'0')
		}
	}
	return user, sys
}
