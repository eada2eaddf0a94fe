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

// ring is the buffer into which the kernel writes the records of one processor.
type ring struct {
	mem  []byte // a metadata page, then the data
	data []byte
	page *unix.PerfEventMmapPage
}

// mapRing maps the ring of an event. If the kernel refuses so much memory, the ring is smaller. It
// returns the ring's size in pages.
func mapRing(fd, pages int) (*ring, int, error) {
	for {
		mem, err := unix.Mmap(fd, 0, (1+pages)*pageSize(), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
		if err == nil {
			return &ring{mem: mem, data: mem[pageSize():], page: (*unix.PerfEventMmapPage)(unsafe.Pointer(&mem[0]))}, pages, nil
		}
		if !errors.Is(err, unix.EPERM) && !errors.Is(err, unix.ENOMEM) || pages <= minPages {
			return nil, 0, fmt.Errorf("perfevent: mapping a ring of %d pages: %w", pages, err)
		}
		pages /= 2
	}
}

// drain appends the data written since the last call and frees its space in the ring.
func (r *ring) drain(b []byte) []byte {
	head := atomic.LoadUint64(&r.page.Data_head)
	b = appendRing(b, r.data, r.page.Data_tail, head)
	atomic.StoreUint64(&r.page.Data_tail, head)
	return b
}

func (r *ring) close() error { return unix.Munmap(r.mem) }
