//go:build linux || darwin

package main

import (
	"sync"
	"syscall"
)

type launcher struct {
	inbox
	outbox
	args, env []string // reused by every spawn

	mu          sync.Mutex
	children    map[uint32]*child
	busy        int // children whose end is not yet reported
	allReported sync.Cond
	garbage     int // heap allocated so far, in bytes, roughly
}

type child struct {
	id        uint32
	pid       int
	start     int64
	signalled bool // one of our signals reached it while it ran
}

func (l *launcher) hello() {
	l.send(msgHello, 0, version, now(), peakMemory())
}

// spawn starts a child and answers with its pid, or with the errno that prevented it.
func (l *launcher) spawn(m message) {
	pid, start, errno := l.fork(m)
	for _, fd := range m.files {
		syscall.Close(fd)
	}
	if errno != 0 {
		l.send(msgStarted, m.id, int64(errno), 0)
		return
	}
	c := &child{id: m.id, pid: pid, start: start}
	l.mu.Lock()
	l.children[m.id] = c
	l.busy++
	l.garbage += 2048 + len(m.body) // ForkExec copies arguments and environment
	l.mu.Unlock()
	l.send(msgStarted, m.id, 0, int64(pid))
	go l.wait(c)
}

func (l *launcher) fork(m message) (pid int, start int64, errno syscall.Errno) {
	w := words{body: m.body}
	path, dir, files, held := w.word(), w.word(), w.number(), w.number()
	l.args, l.env = w.list(l.args), w.list(l.env)
	if w.bad {
		return 0, 0, syscall.EBADMSG
	}
	if files != len(m.files) {
		return 0, 0, syscall.EMFILE // the kernel dropped descriptors beyond our limit of open files
	}
	fds := make([]uintptr, 1, 1+files) // the first is 0: our own stdin is the null device, and so is the child's
	for _, fd := range m.files {
		fds = append(fds, uintptr(fd))
	}
	if held != 0 {
		path, l.args = holdCommand(path, l.args, files)
	}
	attr := syscall.ProcAttr{Dir: dir, Env: l.env, Files: fds, Sys: procAttr()}
	start = now()
	pid, err := syscall.ForkExec(path, l.args, &attr)
	if err != nil {
		errno, _ = err.(syscall.Errno)
		if errno == 0 {
			errno = syscall.EINVAL
		}
	}
	return pid, start, errno
}

// wait kills the rest of the child's group and reports the child's end and usage.
func (l *launcher) wait(c *child) {
	awaitEnd(c.pid)
	end := now()

	// Until wait4 the child is a zombie, so its pid and its group's number cannot be reused; the lock keeps
	// signal from using them later.
	l.mu.Lock()
	syscall.Kill(-c.pid, syscall.SIGKILL)
	var status syscall.WaitStatus
	var ru syscall.Rusage
	ran, delay := firstThread(c.pid)
	_, err := syscall.Wait4(c.pid, &status, 0, &ru)
	for err == syscall.EINTR {
		_, err = syscall.Wait4(c.pid, &status, 0, &ru)
	}
	delete(l.children, c.id)
	signalled := int64(0)
	if c.signalled {
		signalled = 1
	}
	l.mu.Unlock()

	// Our own peak is read after the child's end, so that reading does not disturb it. It never shrinks, so it
	// bounds what the child inherited.
	l.send(msgEnded, c.id, int64(c.pid), c.start, end, int64(status), ru.Utime.Nano(), ru.Stime.Nano(),
		int64(ru.Maxrss)*maxrssUnit, int64(ru.Minflt), int64(ru.Majflt), int64(ru.Nvcsw), int64(ru.Nivcsw), peakMemory(), signalled, ran, delay)
	l.mu.Lock()
	l.busy--
	l.allReported.Broadcast()
	l.mu.Unlock()
}

func (l *launcher) signal(m message) {
	w := words{body: m.body}
	sig := syscall.Signal(w.number())
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.children[m.id]; c != nil && !w.bad {
		c.signalled = signalGroup(c.pid, sig) || c.signalled
	}
}

// signalGroup also signals the leader if it has moved to another group.
func signalGroup(pid int, sig syscall.Signal) bool {
	ok := syscall.Kill(-pid, sig) == nil
	if !ok || sig == syscall.SIGKILL {
		ok = syscall.Kill(pid, sig) == nil || ok
	}
	return ok
}

// killAll kills all children and returns when their ends are reported.
func (l *launcher) killAll() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.children {
		signalGroup(c.pid, syscall.SIGKILL)
	}
	for l.busy > 0 {
		l.allReported.Wait()
	}
}
