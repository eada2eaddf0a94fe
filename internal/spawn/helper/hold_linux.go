package main

import "syscall"

// A held child is the launcher's own program once more: it waits for a byte on a descriptor and then executes what it
// was started for, in the same process. So whoever wants to look at a program from its first instruction has the time
// to attach, without ptrace, which containers forbid.

const (
	heldName = "tare-held"
	self     = "/proc/self/exe"
)

// hold is what to execute instead of path with args: this program, which will wait on descriptor fd.
func hold(path string, args []string, fd int) (string, []string) {
	return self, append([]string{heldName, string(rune(fd)), path}, args...)
}

// waitIfHeld does not return in a held child.
func waitIfHeld() {
	args := commandLine()
	if len(args) < 4 || args[0] != heldName {
		return
	}
	fd := int([]rune(args[1])[0])
	var b [1]byte
	n, err := syscall.Read(fd, b[:])
	for err == syscall.EINTR {
		n, err = syscall.Read(fd, b[:])
	}
	if n != 1 { // nobody is left who wants it to run
		syscall.Exit(127)
	}
	syscall.CloseOnExec(fd)
	err = syscall.Exec(args[2], args[3:], syscall.Environ())
	complain(args[2] + ": " + err.Error() + "\n")
	syscall.Exit(126)
}

// commandLine is this program's, read from the kernel: package os, which knows it, is too large for the launcher.
func commandLine() []string {
	fd, err := syscall.Open("/proc/self/cmdline", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer syscall.Close(fd)
	text := make([]byte, len(heldName)+1)
	n, _ := syscall.Read(fd, text)
	if string(text[:max(n, 0)]) != heldName+"\x00" {
		return nil // the launcher itself, which wants to stay small
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
