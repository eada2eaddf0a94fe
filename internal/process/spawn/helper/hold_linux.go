package main

import "syscall"

// A held child first runs the launcher's own program, which waits for a byte on a descriptor and then executes the
// child's program in the same process. Meanwhile a profiler can attach, without ptrace, which containers forbid.

const (
	holdArg = "tare-held"
	self    = "/proc/self/exe"
)

// holdCommand returns what to execute instead of path with args: this program, which first waits on descriptor fd.
func holdCommand(path string, args []string, fd int) (string, []string) {
	return self, append([]string{holdArg, string(rune(fd)), path}, args...)
}

// waitIfHeld does not return in a held child.
func waitIfHeld() {
	args := commandLine()
	if len(args) < 4 || args[0] != holdArg {
		return
	}
	fd := int([]rune(args[1])[0])
	var b [1]byte
	n, err := syscall.Read(fd, b[:])
	for err == syscall.EINTR {
		n, err = syscall.Read(fd, b[:])
	}
	if n != 1 { // tare is gone or gave it up
		syscall.Exit(127)
	}
	syscall.CloseOnExec(fd)
	err = syscall.Exec(args[2], args[3:], syscall.Environ())
	printError(args[2] + ": " + err.Error() + "\n")
	syscall.Exit(126)
}

// commandLine returns this program's arguments, read from the kernel, because package os is too large for the
// launcher.
func commandLine() []string {
	fd, err := syscall.Open("/proc/self/cmdline", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer syscall.Close(fd)
	text := make([]byte, len(holdArg)+1)
	n, _ := syscall.Read(fd, text)
	if string(text[:max(n, 0)]) != holdArg+"\x00" {
		return nil // the launcher itself, which must stay small
	}
	for {
		if len(text) == cap(text) {
			text = append(text, make([]byte, max(4096, len(text)))...)[:len(text)]
		}
		n, err := syscall.Read(fd, text[len(text):cap(text)])
		if n <= 0 && err != syscall.EINTR {
			break
		}
		text = text[:len(text)+max(n, 0)]
	}
	var words []string
	for start, i := 0, 0; i < len(text); i++ {
		if text[i] == 0 {
			words = append(words, string(text[start:i]))
			start = i + 1
		}
	}
	return words
}
