package perfevent

import (
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

func pageSize() int { return os.Getpagesize() }

// ring is the buffer that the kernel writes records of one processor into.
type ring struct {
	mem  []byte // a page about the ring, and those of data
	data []byte
	page *unix.PerfEventMmapPage
}

// mapRing makes a ring of an event. Where the kernel does not allow so much memory it
// is smaller; the number of its pages is returned.
func mapRing(fd, pages int) (*ring, int, error) {
	for {
		mem, err := unix.Mmap(fd, 0, (1+pages)*pageSize(), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
		if err == nil {
			return &ring{mem: mem, data: mem[pageSize():], page: (*unix.PerfEventMmapPage)(unsafe.Pointer(&mem[0]))}, pages, nil
		}
		if !errors.Is(err, unix.EPERM) && !errors.Is(err, unix.ENOMEM) || pages <= leastPages {
			return nil, 0, fmt.Errorf("perfevent: a ring of %d pages: %w", pages, err)
		}
		pages /= 2
	}
}

// take appends what the kernel has written since the last call, and makes room for more.
func (r *ring) take(b []byte) []byte {
	head := atomic.LoadUint64(&r.page.Data_head)
	b = unwrap(b, r.data, r.page.Data_tail, head)
	atomic.StoreUint64(&r.page.Data_tail, head)
	return b
}

func (r *ring) close() error { return unix.Munmap(r.mem) }
