package fork

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// pipeVar is the environment variable with the descriptor to which a fork may write records.
const (
	pipeVar = "TARE_FD"
	pipeFd  = 3
)

// maxPipeBytes is how much of one fork's pipe is kept, in bytes. More is read and dropped, so that a fork
// never waits for us.
const maxPipeBytes = 64 << 20

// pipe is our end of the pipe to which a fork writes records. Its bytes are decoded only after the fork's end,
// so that decoding does not disturb the measurement. Where descriptors cannot be passed to a child there is no
// pipe: all methods work on nil.
type pipe struct {
	r, w   *os.File
	max    int // maxPipeBytes, less in tests
	text   []byte
	over   int64 // bytes that came beyond max
	closed chan struct{}
}

func openPipe() (*pipe, error) {
	if runtime.GOOS == "windows" { // os/exec passes no further files there
		return nil, nil
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("fork: %w", err)
	}
	return &pipe{r: r, w: w, max: maxPipeBytes, closed: make(chan struct{})}, nil
}

// extra returns the files to pass to the child. The first becomes pipeFd.
func (p *pipe) extra() []*os.File {
	if p == nil {
		return nil
	}
	return []*os.File{p.w}
}

// environ returns the environment of a fork. A pipeVar that another tare gave to this one does not reach the fork.
func (p *pipe) environ(environ []string) []string {
	out := slices.DeleteFunc(slices.Clone(environ), func(kv string) bool { return strings.HasPrefix(kv, pipeVar+"=") })
	if p == nil {
		return out
	}
	return append(out, fmt.Sprintf("%s=%d", pipeVar, pipeFd))
}

// closeWriter closes our copy of the fork's end, so that the pipe ends with the fork.
func (p *pipe) closeWriter() {
	if p != nil {
		p.w.Close()
	}
}

// listen starts reading.
func (p *pipe) listen() {
	if p == nil {
		return
	}
	go func() {
		defer close(p.closed)
		p.read(&drainReader{f: p.r})
	}()
}

// read keeps up to max bytes and drops the rest. For a silent fork it allocates only a small buffer.
func (p *pipe) read(r io.Reader) {
	p.text = make([]byte, 0, 512)
	var drop []byte
	for {
		var n int
		var err error
		if len(p.text) < p.max {
			p.text = slices.Grow(p.text, 1)
			n, err = r.Read(p.text[len(p.text):min(cap(p.text), p.max)])
			p.text = p.text[:len(p.text)+n]
		} else {
			if drop == nil {
				drop = make([]byte, 32<<10)
			}
			n, err = r.Read(drop)
			p.over += int64(n)
		}
		if err != nil {
			return
		}
	}
}

// finish waits for the end of the pipe until the deadline, because a grandchild may hold it open.
func (p *pipe) finish(deadline time.Time) {
	if p == nil {
		return
	}
	p.r.SetReadDeadline(deadline)
	<-p.closed
}

func (p *pipe) close() {
	if p != nil {
		p.r.Close()
	}
}

// drainReader reads a pipe until its end or, after the deadline, until it is empty. On a busy machine a
// deadline can expire before data in the pipe was read; that data must not be lost.
type drainReader struct {
	f    *os.File
	over bool // the deadline has expired
	late int  // bytes read after it
}

const maxLate = 1 << 20 // bytes; the most that a pipe usually holds

func (l *drainReader) Read(b []byte) (int, error) {
	if !l.over {
		n, err := l.f.Read(b)
		if l.over = n <= 0 && errors.Is(err, os.ErrDeadlineExceeded); !l.over {
			return n, err
		}
	}
	if l.late >= maxLate {
		return 0, os.ErrDeadlineExceeded
	}
	n, err := readNow(l.f, b)
	l.late += n
	return n, err
}
