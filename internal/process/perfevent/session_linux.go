package perfevent

import (
	"errors"
	"fmt"
	"runtime"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Session samples a process and its descendants.
type Session struct {
	cfg       Config
	pid       int
	frequency int
	pages     int
	fds       []openEvent
	rings     []cpuRing
	ids       map[uint64]uint8
	out       *Samples
	stop      int // an eventfd; 0: reading has not started
	done      chan struct{}
	err       error // of the reading goroutine
}

// cpuRing is the ring of a processor and the event that owns it.
type cpuRing struct {
	*ring
	cpu, fd int
}

// start starts reading the rings.
func (s *Session) start() (err error) {
	if s.stop, err = unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK); err != nil {
		return errors.Join(fmt.Errorf("perfevent: %w", err), s.release())
	}
	go s.read()
	return nil
}

// Close stops sampling, even if the process still runs, and returns the samples. Call it once.
func (s *Session) Close() (*Samples, error) {
	_, err := unix.Write(s.stop, []byte{1, 0, 0, 0, 0, 0, 0, 0})
	if err != nil {
		err = fmt.Errorf("perfevent: %w", err)
	} else {
		<-s.done
		err = s.err
	}
	s.out.CPU = s.cpuTime()
	err = errors.Join(err, s.release())
	return s.out, err
}

// read empties the rings when one is a quarter full, and at the end.
func (s *Session) read() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer close(s.done)
	before := threadTime()
	defer func() { s.out.ReaderCPU = threadTime() - before }()

	d := decoder{cfg: s.cfg, ids: s.ids, out: s.out, spaces: addressSpaces{}}
	defer d.finish()
	polls := []unix.PollFd{{Fd: int32(s.stop), Events: unix.POLLIN}}
	for _, r := range s.rings {
		polls = append(polls, unix.PollFd{Fd: int32(r.fd), Events: unix.POLLIN})
	}
	var buf []byte
	for stopped := false; !stopped; {
		n, err := unix.Poll(polls, s.pollTimeout(polls))
		if err != nil && !errors.Is(err, unix.EINTR) {
			s.err = fmt.Errorf("perfevent: waiting for samples: %w", err)
			return
		}
		stopped = n > 0 && polls[0].Revents != 0
		for i, r := range s.rings {
			if p := &polls[i+1]; n > 0 && p.Revents&(unix.POLLHUP|unix.POLLERR|unix.POLLNVAL) != 0 {
				p.Fd = -1 // its thread has ended; other threads may still write into the ring
			}
			buf = r.drain(buf[:0])
			d.decode(buf)
		}
		d.flush(false)
	}
}

// pollTimeout returns the timeout of poll in ms. It is short after a thread has ended, since its event no longer
// wakes up poll, and for a ring smaller than requested, since a quarter of the requested size is too late.
func (s *Session) pollTimeout(polls []unix.PollFd) int {
	const long, short = 1000, 50
	if s.pages < s.cfg.Pages {
		return short
	}
	for _, p := range polls {
		if p.Fd < 0 {
			return short
		}
	}
	return long
}

// cpuTime returns how long the threads ran, according to the first event.
func (s *Session) cpuTime() (sum time.Duration) {
	for _, o := range s.fds {
		var v struct{ value, enabled, running uint64 }
		b := unsafe.Slice((*byte)(unsafe.Pointer(&v)), unsafe.Sizeof(v))
		if n, err := unix.Read(o.fd, b); o.event == 0 && err == nil && n == len(b) {
			sum += time.Duration(v.running)
		}
	}
	return sum
}

// release closes all events and rings.
func (s *Session) release() error {
	err := s.closeFrom(0)
	if s.stop != 0 {
		err = errors.Join(err, unix.Close(s.stop))
	}
	return err
}

// threadTime returns the CPU time of this thread.
func threadTime() time.Duration {
	var ts unix.Timespec
	if unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts) != nil {
		return 0
	}
	return time.Duration(ts.Nano())
}

func ioctlPtr(fd int, request uint, p *uint64) error {
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), uintptr(request), uintptr(unsafe.Pointer(p)))
	if errno != 0 {
		return errno
	}
	return nil
}
