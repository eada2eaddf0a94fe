package perfevent

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// openEvent is an event on one thread and one processor.
type openEvent struct {
	fd    int
	event int // index
}

// Open starts sampling a process and its descendants from its next exec on. The process must not execute
// anything before Open returns. The error may wrap os.ErrPermission or errors.ErrUnsupported.
func Open(pid int, c Config) (*Session, error) {
	c, candidates, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	cpus, err := onlineCPUs()
	if err != nil {
		return nil, err
	}
	s := &Session{cfg: c, pid: pid, out: &Samples{}, ids: map[uint64]uint8{}, done: make(chan struct{})}
	s.frequency, s.pages = min(c.Frequency, frequencyLimit()), c.Pages
	if err := s.open(candidates, cpus); err != nil {
		return nil, errors.Join(err, s.release())
	}
	s.out.Pages, s.out.CPUs = s.pages, len(cpus)
	return s, s.start()
}

// open opens the first available candidate of each event on all threads and processors.
func (s *Session) open(candidates [][]eventSpec, cpus []int) error {
	for i, list := range candidates {
		k, rejected, err := openFirst(list, func(k eventSpec) error { return s.openOnAll(k, i, cpus) })
		if err != nil {
			return err
		}
		s.out.Rejected = append(s.out.Rejected, rejected...)
		s.out.Events = append(s.out.Events, k.opened(s.frequency))
	}
	return nil
}

// openOnAll opens an event on all threads of the process and all processors. If one fails, it closes all.
func (s *Session) openOnAll(k eventSpec, event int, cpus []int) (err error) {
	before := len(s.fds)
	defer func() {
		if err != nil {
			err = errors.Join(err, s.closeFrom(before))
		}
	}()
	known := map[int]bool{}
	for { // a thread may start while events are opened on others
		tids, err := threads(s.pid)
		if err != nil {
			return err
		}
		tids = slices.DeleteFunc(tids, func(tid int) bool { return known[tid] })
		if len(tids) == 0 {
			break
		}
		for _, tid := range tids {
			known[tid] = true
			if err := s.openOnThread(k, event, tid, cpus); err != nil {
				return err
			}
		}
	}
	if len(s.fds) == before {
		return unix.ESRCH
	}
	return nil
}

// openOnThread opens an event on one thread. It ignores a thread that has ended.
func (s *Session) openOnThread(k eventSpec, event, tid int, cpus []int) error {
	for _, cpu := range cpus {
		a := k.attributes(s.frequency, s.pages, event == 0, s.cfg.Stacks)
		fd, err := unix.PerfEventOpen(a, tid, cpu, -1, unix.PERF_FLAG_FD_CLOEXEC)
		if errors.Is(err, unix.ESRCH) {
			return nil
		}
		if err != nil {
			return err
		}
		s.fds = append(s.fds, openEvent{fd, event})
		if err := s.attachRing(fd, event, cpu); err != nil {
			return err
		}
	}
	return nil
}

// attachRing makes an event write into the ring of its processor, and creates that ring if necessary.
func (s *Session) attachRing(fd, event, cpu int) error {
	var id uint64
	if err := ioctlPtr(fd, unix.PERF_EVENT_IOC_ID, &id); err != nil {
		return fmt.Errorf("perfevent: identity of an event: %w", err)
	}
	s.ids[id] = uint8(event)
	at := slices.IndexFunc(s.rings, func(r cpuRing) bool { return r.cpu == cpu })
	if at >= 0 {
		return unix.IoctlSetInt(fd, unix.PERF_EVENT_IOC_SET_OUTPUT, s.rings[at].fd)
	}
	r, pages, err := mapRing(fd, s.pages)
	if err != nil {
		return err
	}
	s.pages = pages
	s.rings = append(s.rings, cpuRing{r, cpu, fd})
	return nil
}

// closeFrom closes the events from index from on, and the rings that belong to them.
func (s *Session) closeFrom(from int) (err error) {
	for _, o := range s.fds[from:] {
		s.rings = slices.DeleteFunc(s.rings, func(r cpuRing) bool {
			if r.fd == o.fd {
				err = errors.Join(err, r.close())
			}
			return r.fd == o.fd
		})
		err = errors.Join(err, unix.Close(o.fd))
	}
	s.fds = s.fds[:from]
	return err
}

// threads returns the thread IDs of a process.
func threads(pid int) ([]int, error) {
	names, err := os.ReadDir(filepath.Join("/proc", strconv.Itoa(pid), "task"))
	if errors.Is(err, os.ErrNotExist) {
		return nil, unix.ESRCH
	}
	if err != nil {
		return nil, fmt.Errorf("perfevent: threads of process %d: %w", pid, err)
	}
	var out []int
	for _, n := range names {
		if tid, err := strconv.Atoi(n.Name()); err == nil {
			out = append(out, tid)
		}
	}
	return out, nil
}

func onlineCPUs() ([]int, error) {
	text, err := os.ReadFile("/sys/devices/system/cpu/online")
	if err != nil {
		return nil, fmt.Errorf("perfevent: which processors are online: %w", err)
	}
	return parseCPUs(string(text))
}

// frequencyLimit returns the kernel's limit of the sampling rate. The kernel lowers it when sampling takes too long.
func frequencyLimit() int {
	const unlimited = 1 << 30
	text, err := os.ReadFile("/proc/sys/kernel/perf_event_max_sample_rate")
	if err != nil {
		return unlimited
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || n < 1 {
		return unlimited
	}
	return n
}
