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

// pipeVar tells a fork the descriptor that it may write records to.
const (
	pipeVar = "TARE_FD"
	pipeFd  = 3
)

// maxSaid bounds what is kept of one fork's pipe, in bytes. What is beyond is
// read and dropped, so that a fork never waits for us.
const maxSaid = 64 << 20

// pipe is our end of what a fork writes records to. What comes is kept as it is
// and decoded when the fork has ended, so that the decoding does not weigh on
// what is measured. Where descriptors cannot be passed to a child, there is no
// pipe: all methods work on nil.
type pipe struct {
	r, w   *os.File
	max    int // maxSaid, less in tests
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
	return &pipe{r: r, w: w, max: maxSaid, closed: make(chan struct{})}, nil
}

// extra are the files to pass, of which the first becomes pipeFd.
func (p *pipe) extra() []*os.File {
	if p == nil {
		return nil
	}
	return []*os.File{p.w}
}

// announce returns the environment of a fork. A variable that tare itself was
// given, by another tare, does not reach the fork.
func (p *pipe) announce(environ []string) []string {
	out := slices.DeleteFunc(slices.Clone(environ), func(kv string) bool { return strings.HasPrefix(kv, pipeVar+"=") })
	if p == nil {
		return out
	}
	return append(out, fmt.Sprintf("%s=%d", pipeVar, pipeFd))
}

// passed closes our copy of the fork's end, so that ours ends with the fork.
func (p *pipe) passed() {
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
		p.read(&lingering{f: p.r})
	}()
}

// read keeps what comes up to max and drops the rest. A fork that says
// nothing costs a small buffer.
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

// finish waits for the end of the pipe, at most until the deadline: a grandchild
// may hold it open.
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

// lingering reads a pipe until its end or, when a deadline is over, until
// nothing more is there. On a starved machine a deadline can pass before what
// lies in the pipe was looked at; it must not be lost.
type lingering struct {
	f    *os.File
	over bool // the deadline is
	late int  // bytes read after it
}

const lateMost = 1 << 20 // the most that a pipe usually holds

func (l *lingering) Read(b []byte) (int, error) {
	if !l.over {
		n, err := l.f.Read(b)
		if l.over = n <= 0 && errors.Is(err, os.ErrDeadlineExceeded); !l.over {
			return n, err
		}
	}
	if l.late >= lateMost {
		return 0, os.ErrDeadlineExceeded
	}
	n, err := readNow(l.f, b)
	l.late += n
	return n, err
}
