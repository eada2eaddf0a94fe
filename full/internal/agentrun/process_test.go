//go:build linux || darwin

package agentrun_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// A process is this test binary as another program.
type process struct {
	cmd   *exec.Cmd
	out   *output
	ended chan struct{}
	err   error // of Wait, after ended
}

// output keeps lines with the time at which they came.
type output struct {
	mu    sync.Mutex
	text  bytes.Buffer
	at    []time.Time
	lines []string
	rest  string
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.text.Write(b)
	o.rest += string(b)
	for {
		line, rest, more := strings.Cut(o.rest, "\n")
		if !more {
			return len(b), nil
		}
		o.lines, o.at, o.rest = append(o.lines, line), append(o.at, time.Now()), rest
	}
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// find returns when a line with a text came, after a time.
func (o *output) find(text string, after time.Time) (time.Time, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i, line := range o.lines {
		if strings.Contains(line, text) && o.at[i].After(after) {
			return o.at[i], true
		}
	}
	return time.Time{}, false
}

// stalls are how long this process had no processor: a busy machine stops agents, too.
type stalls struct{ most atomic.Int64 }

func watchStalls(t *testing.T) *stalls {
	s := &stalls{}
	ctx := t.Context()
	go func() {
		const nap = 10 * time.Millisecond
		for ctx.Err() == nil {
			began := time.Now()
			time.Sleep(nap)
			s.most.Store(max(s.most.Load(), int64(time.Since(began)-nap)))
		}
	}()
	return s
}

// long reports whether agents may have been lost because of that.
func (s *stalls) long() bool { return time.Duration(s.most.Load()) > 200*time.Millisecond }

// start starts a program in a directory.
func start(t *testing.T, dir, program string, args ...string) *process {
	t.Helper()
	return startWith(t, dir, nil, program, args...)
}

// startWith is start with more variables of the environment.
func startWith(t *testing.T, dir string, variables []string, program string, args ...string) *process {
	t.Helper()
	p := &process{cmd: exec.Command(os.Args[0], args...), out: &output{}, ended: make(chan struct{})}
	p.cmd.Dir = dir
	p.cmd.Env = append(os.Environ(), programVar+"="+program, "TARE_TOKEN=")
	p.cmd.Env = append(p.cmd.Env, variables...)
	p.cmd.Stdout, p.cmd.Stderr = p.out, p.out
	in, err := p.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.ended)
	}()
	t.Cleanup(func() {
		p.signal(syscall.SIGKILL)
		<-p.ended
		in.Close()
	})
	return p
}

// signal sends a signal, if the process is there.
func (p *process) signal(s syscall.Signal) {
	_ = p.cmd.Process.Signal(s) // it may have ended
}

// kill is kill -9.
func (p *process) kill() {
	p.signal(syscall.SIGKILL)
	<-p.ended
}

// freeze stops the process for a time.
func (p *process) freeze(d time.Duration) {
	p.signal(syscall.SIGSTOP)
	time.Sleep(d)
	p.signal(syscall.SIGCONT)
}

// code waits for the end and returns the exit code, -1 if a signal ended it, and -2 if it does not end in time.
func (p *process) code(limit time.Duration) int {
	select {
	case <-p.ended:
	case <-time.After(limit):
		return -2
	}
	if e := (*exec.ExitError)(nil); errors.As(p.err, &e) {
		return e.ExitCode()
	}
	return 0
}

// says waits for a line.
func (p *process) says(text string, limit time.Duration) bool {
	for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if _, ok := p.out.find(text, time.Time{}); ok {
			return true
		}
		select {
		case <-p.ended:
			_, ok := p.out.find(text, time.Time{})
			return ok
		default:
		}
	}
	return false
}
