//go:build linux || darwin

package spawn

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// launcherProgram is a host: a running launcher.
type launcherProgram struct {
	cmd           *exec.Cmd
	stderr        stderrText // printed before it died
	sock          *os.File
	offset        int64 // added to its clock to get ours
	highWaterMark atomic.Int64

	sendMu sync.Mutex // one message at a time

	mu       sync.Mutex
	children map[uint32]*pending
	closing  bool
	err      error         // why the launcher ended
	gone     chan struct{} // closed with err set
}

// pending is a child that has not ended.
type pending struct {
	*Child
	started chan error // has room for the one reply
}

// startProgram starts the launcher program and waits for its first message.
func startProgram(bin string) (*launcherProgram, error) {
	ours, theirs, err := socketPair()
	if err != nil {
		return nil, err
	}
	defer theirs.Close()
	r := &launcherProgram{sock: ours, children: map[uint32]*pending{}, gone: make(chan struct{})}
	r.cmd = &exec.Cmd{
		Path: bin,
		Args: []string{"tare-launcher"},
		Dir:  "/", // so that it keeps no directory busy
		// One processor to read and one to wait; no collector, see helper/renew.go.
		Env:         []string{"GOMAXPROCS=2", "GOGC=off"},
		Stderr:      &r.stderr,
		ExtraFiles:  []*os.File{theirs},
		SysProcAttr: &syscall.SysProcAttr{Setsid: true}, // for Prioritize
	}
	if err := r.cmd.Start(); err != nil {
		ours.Close()
		return nil, err
	}
	theirs.Close()

	in := bufio.NewReaderSize(ours, maxReply)
	ours.SetReadDeadline(time.Now().Add(10 * time.Second))
	m, err := readReply(in)
	if err == nil && (m.kind != msgHello || m.values[0] != wireVersion) {
		err = fmt.Errorf("message of kind %d, version %d wanted", m.kind, wireVersion)
	}
	if err != nil {
		r.reap(err)
		return nil, fmt.Errorf("%s: %w", bin, r.err)
	}
	ours.SetReadDeadline(time.Time{})
	r.offset = clockOffset(m.values[1])
	r.highWaterMark.Store(m.values[2])
	go r.readReplies(in)
	return r, nil
}

// socketPair returns our end, which waits in Go's poller, and the launcher's, which blocks.
func socketPair() (ours, theirs *os.File, err error) {
	syscall.ForkLock.RLock()
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err == nil {
		unix.CloseOnExec(fds[0])
		unix.CloseOnExec(fds[1])
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, nil, os.NewSyscallError("socketpair", err)
	}
	theirs = os.NewFile(uintptr(fds[1]), "launcher's socket")
	if err := unix.SetNonblock(fds[0], true); err != nil {
		unix.Close(fds[0])
		theirs.Close()
		return nil, nil, os.NewSyscallError("fcntl", err)
	}
	return os.NewFile(uintptr(fds[0]), "launcher socket"), theirs, nil
}

func (r *launcherProgram) spawn(c *Child, j *job) error {
	if j.gate != nil && runtime.GOOS != "linux" {
		return fmt.Errorf("spawn: %s: %w: only on Linux", c.path, ErrHold)
	}
	p := &pending{Child: c, started: make(chan error, 1)}
	r.mu.Lock()
	err := r.err
	if err == nil {
		r.children[c.id] = p
	}
	r.mu.Unlock()
	if err != nil {
		return fmt.Errorf("spawn: %s: %w", c.path, err)
	}

	fds := make([]int, len(j.files))
	for i, f := range j.files {
		fds[i] = int(f.Fd()) // not through SyscallConn: Fd makes the file blocking, as a program expects its output to be
		if fds[i] < 0 {
			r.removeChild(c.id)
			return fmt.Errorf("spawn: %s: file for descriptor %d: %w", c.path, i+1, os.ErrClosed)
		}
	}
	held := uint32(0)
	if j.gate != nil {
		held = 1
	}
	q := newRequest(msgSpawn, c.id).word(j.path).word(j.dir).number(uint32(len(fds))).number(held).list(j.args).list(j.env)
	if err := r.send(q.done(), fds); err != nil && !isDisconnected(err) {
		r.removeChild(c.id)
		return fmt.Errorf("spawn: %s: asking the launcher: %w", c.path, err)
	}
	err = <-p.started // always comes; from reap if the launcher has died
	runtime.KeepAlive(j.files)
	var errno syscall.Errno
	if errors.As(err, &errno) {
		return j.explain(errno)
	}
	return err
}

// isDisconnected reports whether err means that the launcher is gone.
func isDisconnected(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, os.ErrClosed)
}

func (r *launcherProgram) signal(c *Child, sig syscall.Signal) error {
	return r.send(newRequest(msgSignal, c.id).number(uint32(sig)).done(), nil)
}

func (r *launcherProgram) send(message []byte, fds []int) error {
	r.sendMu.Lock()
	defer r.sendMu.Unlock()
	if len(fds) > 0 {
		n, err := r.sendRights(message, fds)
		if err != nil {
			return err
		}
		message = message[n:]
	}
	_, err := r.sock.Write(message)
	return err
}

// sendRights sends the beginning of message together with fds, and returns the bytes sent.
func (r *launcherProgram) sendRights(message []byte, fds []int) (n int, err error) {
	conn, err := r.sock.SyscallConn()
	if err != nil {
		return 0, err
	}
	rights := unix.UnixRights(fds...)
	werr := conn.Write(func(fd uintptr) bool {
		for {
			n, err = unix.SendmsgN(int(fd), message, rights, nil, 0)
			if err != unix.EINTR {
				return err != unix.EAGAIN
			}
		}
	})
	return n, errors.Join(err, werr)
}

// readReplies passes on the launcher's messages until it is gone.
func (r *launcherProgram) readReplies(in io.Reader) {
	for {
		m, err := readReply(in)
		if err != nil {
			r.reap(err)
			return
		}
		switch m.kind {
		case msgStarted:
			r.started(m)
		case msgEnded:
			r.ended(m)
		}
	}
}

func (r *launcherProgram) started(m reply) {
	r.mu.Lock()
	p := r.children[m.id]
	if p != nil {
		p.pid = int(m.values[1])
	}
	r.mu.Unlock()
	switch {
	case p == nil:
	case m.values[0] != 0:
		r.removeChild(m.id)
		p.started <- syscall.Errno(m.values[0])
	default:
		p.started <- nil
	}
}

func (r *launcherProgram) ended(m reply) {
	v := m.values
	status := syscall.WaitStatus(v[3])
	res := Result{
		Pid: int(v[0]), Start: v[1] + r.offset, End: v[2] + r.offset,
		User: time.Duration(v[4]), Sys: time.Duration(v[5]),
		MinorFaults: v[7], MajorFaults: v[8], Voluntary: v[9], Involuntary: v[10],
		ExitCode: status.ExitStatus(), FirstCPU: time.Duration(v[13]), FirstDelay: time.Duration(v[14]),
	}
	if status.Signaled() {
		res.Signal = status.Signal()
	}
	res.setPeak(v[6], v[11])
	r.highWaterMark.Store(v[11])
	if p := r.removeChild(m.id); p != nil {
		p.finish(res, v[12] != 0, nil)
	}
}

// removeChild removes a child from those that run.
func (r *launcherProgram) removeChild(id uint32) *pending {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.children[id]
	delete(r.children, id)
	return p
}

func (r *launcherProgram) peak() int64 { return r.highWaterMark.Load() }
func (r *launcherProgram) pid() int    { return r.cmd.Process.Pid }
