package marks

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/tarebench/tare/internal/base/clock"
	"github.com/tarebench/tare/internal/base/clock/cputime"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/record"
)

// Config says what is read beside tare's own process.
type Config struct {
	PIDs    []int         // processes of the server
	Started bool          // tare has started them: their children are read, too, and none is asked for
	Vars    string        // a URL at which the server publishes its memory statistics; "" for none
	Allow   *load.Consent // what may be asked at Vars; nil: this machine alone
	Every   time.Duration // how often Vars is asked; at least a second

	proc string // instead of /proc, in tests
}

// mostProcesses limits the processes of a server that are read.
const mostProcesses = 16

// A Reader reads marks. Begin, Take and Close are for one goroutine.
type Reader struct {
	c       Config
	own     generator
	servers []*process
	vars    *vars // nil without
	last    int64 // CLOCK_MONOTONIC of the last reading, ns

	stop context.CancelFunc // of what watches
	done sync.WaitGroup
}

// Open opens what is to be read. It fails if a process cannot be read, unless tare has started it, or if nothing useful is at Vars.
func Open(c Config) (*Reader, error) {
	if c.proc == "" {
		c.proc = "/proc"
	}
	r := &Reader{c: c, own: newGenerator(c.proc)}
	for _, pid := range c.PIDs {
		p := newProcess(c.proc, pid)
		if !p.read() && !c.Started {
			r.Close()
			return nil, ErrProcess(pid)
		}
		r.servers = append(r.servers, p)
	}
	if c.Vars != "" {
		v, err := openVars(c)
		if err != nil {
			r.Close()
			return nil, err
		}
		r.vars = v
	}
	return r, nil
}

// CanWatch says whether processes can be read on this system.
const CanWatch = runtime.GOOS == "linux"

// ErrProcess returns the error about a process that cannot be read.
func ErrProcess(pid int) error { return fmt.Errorf("there is no process %d that can be read", pid) }

// Readable reports whether a process can be read.
func Readable(pid int) bool {
	p := cputime.Open(pid)
	defer p.Close()
	_, ok := p.Stat()
	return ok
}

// Begin takes the first reading, from which the first interval counts, and watches until End or Close. It does nothing on nil.
func (r *Reader) Begin() {
	if r == nil {
		return
	}
	r.End()
	if r.c.Started {
		r.addChildren()
	}
	r.own.begin()
	for _, p := range r.servers {
		p.read()
	}
	ctx, cancel := context.WithCancel(context.Background())
	r.stop = cancel
	if len(r.servers) > 0 {
		r.done.Go(func() { watchStopped(ctx, r.c.proc, r.servers) })
	}
	if r.vars != nil {
		r.vars.take()
		r.done.Go(func() { r.vars.watch(ctx) })
	}
	r.last = clock.Now()
}

// addChildren adds processes that the server has started since.
func (r *Reader) addChildren() {
	known := map[int]bool{os.Getpid(): true}
	for _, p := range r.servers {
		known[p.pid] = true
	}
	for _, pid := range r.c.PIDs {
		for _, child := range cputime.Children(pid, mostProcesses-len(r.servers)) {
			if !known[child] {
				known[child] = true
				r.servers = append(r.servers, newProcess(r.c.proc, child))
			}
		}
	}
}

// Take returns what happened since the last reading. The caller fills in the interval's own keys.
func (r *Reader) Take() *record.Marks {
	now := clock.Now()
	m := &record.Marks{Length: now - r.last, Generator: r.own.take()}
	r.last = now
	for _, p := range r.servers {
		if x := p.take(); x != nil {
			m.Servers = append(m.Servers, *x)
		}
	}
	if r.vars != nil {
		m.ServerGC = r.vars.take()
	}
	return m
}

// End ends the watching that Begin began. It does nothing on nil.
func (r *Reader) End() {
	if r == nil || r.stop == nil {
		return
	}
	r.stop()
	r.done.Wait()
	r.stop = nil
}

// Unanswered returns how often the server did not answer for its memory statistics, and the first reason.
func (r *Reader) Unanswered() (n int, first error) {
	if r == nil || r.vars == nil {
		return 0, nil
	}
	return r.vars.unanswered()
}

// Close closes everything. It does nothing on nil.
func (r *Reader) Close() {
	if r == nil {
		return
	}
	r.End()
	r.own.process.close()
	for _, p := range r.servers {
		p.close()
	}
	if r.vars != nil {
		r.vars.close()
	}
}
