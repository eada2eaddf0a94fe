package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/tarebench/tare/internal/base/env"
)

// Tares of different users detect each other by abstract unix sockets, which are not files. The one that has the lock binds
// the name "lock". Each one that measures binds one of the names "running". A tare accepts and reads no connection while it
// measures, so that others cannot disturb it. A connection shows the process id and the user of its other end, as the
// kernel knows them, and stays queued after that process has closed it. Any program can bind these names or connect to
// them. It can thereby make tares of other users wait for userWait and warn, and no more.
//
// The kernel frees a name however its process ends. Abstract names belong to a network namespace: containers that have networks
// of their own do not see each other.

// userWait is how long a tare waits for those of other users.
var userWait = time.Minute

const (
	maxRunning = 16 // names of tares that measure
	maxQueued  = 64 // connections that the kernel queues for one of them
	maxRefused = 5  // failed connections after which the owner of the name is taken for another program
)

// userLock is what tares of other users see of this one. Descriptors are -1 if there is none.
type userLock struct {
	lock    int    // socket with the name of the lock
	running int    // socket to which tares connect that start meanwhile
	all     bool   // tares of this user count, too: there is no file by which they see each other
	seen    string // describes a tare that was there when this one started; "" if there was none
}

func newUserLock() *userLock { return &userLock{lock: -1, running: -1} }

// wait waits until no tare of another user has the lock and takes it, but waits no longer than userWait. say is called
// once with the holder before it waits; with nil it fails with errBusy if the lock is taken, and other describes the holder. It
// fails with errNested if the holder started this process, and waits for it to end.
func (l *userLock) wait(ctx context.Context, say func(holder string)) (other string, err error) {
	holder := peer{-1, -1, -1}
	defer func() { holder.close() }()
	for start, refused, said := time.Now(), 0, false; ; {
		fd, err := listen("lock")
		if !errors.Is(err, unix.EADDRINUSE) {
			l.lock = fd // -1: there are no such sockets here
			return "", nil
		}
		if holder.gone() { // one connection to each holder, because it stays queued
			holder.close()
			holder, err = connect("lock")
		}
		switch {
		case errors.Is(err, unix.ECONNREFUSED): // it has ended, or does not listen yet
			if refused++; refused == maxRefused {
				return "", nil
			}
		case holder.uid >= 0 && !l.counts(holder): // no tare: this process has the lock of its user
			return "", nil
		case holder.pid > 0 && env.IsAncestor(holder.pid):
			return "", errNested
		case say == nil:
			return holder.String(), errBusy
		case time.Since(start) >= userWait:
			l.seen = holder.String()
			return "", nil
		case !said:
			say(holder.String())
			said = true
		}
		if err := pause(ctx); err != nil {
			return "", err
		}
	}
}

// announce takes a name of those that measure, and connects to those that others have, who learn of this process by
// that.
func (l *userLock) announce() {
	for k := range maxRunning {
		name := fmt.Sprintf("running.%d", k)
		if l.running < 0 {
			if l.running, _ = listen(name); l.running >= 0 {
				continue
			}
		}
		other, err := connect(name)
		if err == nil && l.counts(other) && l.seen == "" {
			l.seen = other.String()
		}
		other.close()
	}
}

// others describes a tare of another user that ran at any time since this one started. It returns "" if there was none.
func (l *userLock) others() string {
	for range maxQueued + 1 {
		if l.running < 0 || l.seen != "" {
			break
		}
		fd, _, err := unix.Accept4(l.running, unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK)
		if err != nil {
			break
		}
		if other := newPeer(fd); l.counts(other) {
			l.seen = other.String()
		}
		unix.Close(fd)
	}
	return l.seen
}

// counts reports whether a process is known to be one that is not seen by files.
func (l *userLock) counts(p peer) bool {
	return p.uid >= 0 && (l.all || p.uid != os.Geteuid())
}

// countAll makes tares of this user count, too.
func (l *userLock) countAll() { l.all = true }

// close gives the names back.
func (l *userLock) close() {
	for _, fd := range []int{l.running, l.lock} { // in this order: whoever gets the lock finds no name "running" in use
		if fd >= 0 {
			unix.Close(fd)
		}
	}
	l.running, l.lock = -1, -1
}

// peer is the process at the other end of a connection.
type peer struct {
	fd       int // -1: none
	pid, uid int // -1: not known
}

// newPeer returns the peer of a connection. Its user and number are those of the process that connected, or that
// listened.
func newPeer(fd int) peer {
	p := peer{fd, -1, -1}
	if c, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED); err == nil {
		p.pid, p.uid = int(c.Pid), int(c.Uid)
	}
	return p
}

func (p peer) String() string {
	switch {
	case p.uid < 0:
		return "of a user who cannot be found out"
	case p.pid <= 0: // it is in another namespace of processes
		return fmt.Sprintf("user id %d", p.uid)
	}
	return fmt.Sprintf("user id %d, pid %d", p.uid, p.pid)
}

// gone reports whether the process has closed its socket.
func (p peer) gone() bool {
	fds := []unix.PollFd{{Fd: int32(p.fd), Events: unix.POLLRDHUP}}
	n, err := unix.Poll(fds, 0)
	return p.fd < 0 || err == nil && n > 0
}

func (p peer) close() {
	if p.fd >= 0 {
		unix.Close(p.fd)
	}
}

// listen binds a name and lets the kernel queue connections. It returns -1 and unix.EADDRINUSE if the name is taken.
func listen(name string) (fd int, err error) {
	if fd, err = unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0); err != nil {
		return -1, err
	}
	if err = unix.Bind(fd, address(name)); err == nil {
		err = unix.Listen(fd, maxQueued)
	}
	if err != nil {
		unix.Close(fd)
		return -1, err
	}
	return fd, nil
}

// connect connects to the socket of a name. It never waits: a full queue is an error.
func connect(name string) (peer, error) {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err == nil {
		if err = unix.Connect(fd, address(name)); err == nil {
			return newPeer(fd), nil
		}
		unix.Close(fd)
	}
	return peer{-1, -1, -1}, err
}

// namesVar is an environment variable that tests set so that they have names of their own.
const namesVar = "TARE_TEST_NAMES"

// address returns an abstract address, which is the same for all users, whatever their directories of temporary files.
func address(name string) *unix.SockaddrUnix {
	return &unix.SockaddrUnix{Name: "@tare." + os.Getenv(namesVar) + "." + name} // @ stands for a zero byte
}
