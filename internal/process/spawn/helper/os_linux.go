package main

import (
	"syscall"
	"unsafe"
)

const maxrssUnit = 1024 // ru_maxrss is in KiB

func procAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// renew executes the launcher anew in the same process, with the same socket and its unread messages.
func renew() {
	if _, _, errno := syscall.RawSyscall(syscall.SYS_FCNTL, socket, syscall.F_SETFD, 0); errno != 0 {
		return
	}
	syscall.Exec("/proc/self/exe", []string{"tare-launcher"}, syscall.Environ())
	syscall.CloseOnExec(socket)
}

// now returns CLOCK_MONOTONIC in nanoseconds.
func now() int64 {
	const clockMonotonic = 1
	var ts syscall.Timespec
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, clockMonotonic, uintptr(unsafe.Pointer(&ts)), 0)
	return ts.Nano()
}

// awaitEnd returns when the child has ended, without reaping it.
func awaitEnd(pid int) {
	const (
		byPid   = 1
		exited  = 0x4
		noReap  = 0x1000000
		infoLen = 128
	)
	var info [infoLen / 8]uint64
	for {
		_, _, errno := syscall.Syscall6(syscall.SYS_WAITID, byPid, uintptr(pid), uintptr(unsafe.Pointer(&info)), exited|noReap, 0, 0)
		if errno != syscall.EINTR {
			return
		}
	}
}

// firstThread returns the CPU time and the run delay, in ns, of the first thread of a process that has ended and is not
// reaped. They are the first two fields of its schedstat, and 0 if the kernel does not report them.
func firstThread(pid int) (ran, delay int64) {
	var digits [20]byte
	at := len(digits)
	for ; pid > 0; pid /= 10 {
		at--
		digits[at] = '0' + byte(pid%10)
	}
	fd, err := syscall.Open("/proc/"+string(digits[at:])+"/schedstat", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return 0, 0
	}
	var buf [96]byte
	n, _ := syscall.Read(fd, buf[:])
	syscall.Close(fd)
	values := [2]int64{}
	i := 0
	for _, c := range buf[:max(n, 0)] {
		switch {
		case c >= '0' && c <= '9':
			values[i] = values[i]*10 + int64(c-'0')
		case c == ' ' && i == 0:
			i++
		default:
			return values[0], values[1]
		}
	}
	return 0, 0
}

// peakMemory returns the launcher's VmHWM in bytes. Its ru_maxrss would include tare's.
func peakMemory() int64 {
	fd, err := syscall.Open("/proc/self/status", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return ownMaxrss()
	}
	var buf [2048]byte
	n, _ := syscall.Read(fd, buf[:])
	syscall.Close(fd)
	if kib := field(string(buf[:max(n, 0)]), "\nVmHWM:"); kib > 0 {
		return kib * 1024
	}
	return ownMaxrss()
}

// field returns the first number after label, 0 if there is none.
func field(text, label string) (n int64) {
	for i := 0; i+len(label) <= len(text); i++ {
		if text[i:i+len(label)] != label {
			continue
		}
		for _, c := range []byte(text[i+len(label):]) {
			switch {
			case c >= '0' && c <= '9':
				n = n*10 + int64(c-'0')
			case n > 0 || c == '\n':
				return n
			}
		}
	}
	return n
}

// ownMaxrss returns ru_maxrss in bytes. It may be far too high (see peakMemory); peaks are then reported as
// not available, never wrong.
func ownMaxrss() int64 {
	var ru syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &ru)
	return int64(ru.Maxrss) * maxrssUnit
}
