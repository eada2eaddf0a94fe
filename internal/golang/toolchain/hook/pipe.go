//go:build unix

package hook

import (
	"strconv"
	"syscall"
)

// tareRoom is how many bytes may wait for a slow reader. A line that does not fit is dropped. The lines of an
// iteration have about 700 bytes, and a pipe itself has 64 KiB on most systems.
const tareRoom = 16 << 10

// tarePipe is the pipe to which lines are written. It never blocks and never reports an error: a benchmark must not
// fail because tare does not read.
type tarePipe struct {
	fd      int      // 0: no pipe, or closed
	wait    tareLine // lines not yet written; the first may be partly written
	from    int      // offset of the current line in wait
	greeted bool
	dropped int64
}

// open uses the pipe with the descriptor number. It rejects standard streams and descriptors that are not pipes: a
// process started by the benchmark inherits the variable but not the pipe.
func (p *tarePipe) open(number string) {
	fd, err := strconv.Atoi(number)
	if err != nil || fd <= 2 {
		return
	}
	var st syscall.Stat_t
	if syscall.Fstat(fd, &st) != nil || uint32(st.Mode)&syscall.S_IFMT != syscall.S_IFIFO {
		return
	}
	syscall.CloseOnExec(fd) // otherwise a server that the benchmark starts would keep the pipe open
	p.wait = make(tareLine, 0, tareRoom+4<<10)
	// O_NONBLOCK belongs to the open file, which other processes share. If the system allows it, the pipe is opened
	// again to get a separate file.
	own, err := syscall.Open("/proc/self/fd/"+number, syscall.O_WRONLY|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	if err == nil {
		p.fd = own
		return
	}
	if syscall.SetNonblock(fd, true) == nil {
		p.fd = fd
	}
}

// line begins a line of kind k. A hello line precedes the first line, and a warning follows dropped lines.
func (p *tarePipe) line(k string) *tareLine {
	if !p.greeted {
		p.greeted = true
		p.begin("hello")
		p.wait.int("v", 1)
		p.wait.text("from", "hook")
		p.end()
	}
	if p.dropped > 0 && len(p.wait) < tareRoom/2 {
		n := p.dropped
		p.dropped = 0
		p.begin("warn")
		p.wait.text("about", "fork")
		p.wait.text("code", "pipe-full")
		p.wait.text("text", strconv.FormatInt(n, 10)+" lines about iterations were dropped, because the pipe to tare was full")
		p.wait.text("advice", "use a less busy machine or longer iterations")
		p.end()
	}
	p.begin(k)
	return &p.wait
}

func (p *tarePipe) begin(k string) {
	p.from = len(p.wait)
	p.wait.start(k)
}

// end ends a line. It drops the line if there is no room for it.
func (p *tarePipe) end() {
	p.wait.end()
	if p.fd == 0 {
		p.wait = p.wait[:0]
	} else if len(p.wait) > tareRoom {
		p.wait = p.wait[:p.from]
		p.dropped++
	}
}

// flush writes as much as the pipe accepts now. Go's runtime ignores SIGPIPE except for standard streams, so a
// missing reader is an ordinary error.
func (p *tarePipe) flush() {
	for p.fd != 0 && len(p.wait) > 0 {
		n, err := syscall.Write(p.fd, p.wait)
		if n > 0 {
			p.wait = p.wait[:copy(p.wait, p.wait[n:])]
		}
		switch {
		case err == syscall.EINTR:
		case err == syscall.EAGAIN:
			return
		case err != nil:
			p.fd, p.wait = 0, p.wait[:0]
		case n <= 0:
			return
		}
	}
}
