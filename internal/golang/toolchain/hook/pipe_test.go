//go:build unix

package hook

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// ends are a pipe as a process finds it, and what tare reads.
type ends struct {
	*tarePipe
	r, w *os.File
	once sync.Once
}

func newPipe(t *testing.T) *ends {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	inherited, err := syscall.Dup(int(w.Fd())) // what is passed to a process stays open in it
	w.Close()
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.SetNonblock(inherited, false); err != nil {
		t.Fatal(err)
	}
	e := &ends{tarePipe: new(tarePipe), r: r, w: os.NewFile(uintptr(inherited), "inherited")}
	t.Cleanup(func() { e.hangUp(); r.Close() })
	e.open(strconv.Itoa(inherited))
	if e.fd == 0 {
		t.Fatal("no pipe")
	}
	return e
}

// hangUp closes what the process has of the pipe.
func (e *ends) hangUp() {
	e.once.Do(func() {
		if e.fd != 0 && e.fd != int(e.w.Fd()) {
			syscall.Close(e.fd)
		}
		e.w.Close()
	})
}

// say writes numbered lines.
func say(p *tarePipe, from, to int) {
	for i := from; i < to; i++ {
		p.line("n").int("i", int64(i))
		p.end()
		p.flush()
	}
}

// TestPipeFull: nothing waits, what is lost is counted, and what comes is whole.
func TestPipeFull(t *testing.T) {
	e := newPipe(t)
	p := e.tarePipe
	const first = 20000 // lines, more than any pipe holds
	say(p, 0, first)
	lost := p.dropped
	if lost == 0 || len(p.wait) > tareRoom {
		t.Fatalf("%d lines lost, %d bytes wait", lost, len(p.wait))
	}
	read := make(chan string)
	go func() {
		text, _ := io.ReadAll(e.r)
		read <- string(text)
	}()
	const rest = 1000
	for i := range rest + 1 {
		for len(p.wait) > 0 { // until the reader has caught up
			p.flush()
			runtime.Gosched()
		}
		if i < rest {
			say(p, first+i, first+i+1)
		}
	}
	e.hangUp()
	text := <-read
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if lines[0] != `{"k":"hello","v":1,"from":"hook"}` || !strings.HasSuffix(text, "\n") {
		t.Errorf("begins %q", lines[0])
	}
	next, reported := 0, false
	for _, l := range lines[1:] {
		if strings.HasPrefix(l, `{"k":"warn","about":"fork","code":"pipe-full","text":"`+strconv.FormatInt(lost, 10)+` lines about`) {
			reported, next = true, next+int(lost)
			continue
		}
		if l != fmt.Sprintf(`{"k":"n","i":%d}`, next) {
			t.Fatalf("line %q, want number %d", l, next)
		}
		next++
	}
	if !reported || next != first+rest {
		t.Errorf("the loss of %d lines was reported: %v; %d lines accounted for", lost, reported, next)
	}
}

func TestPipeReaderGone(t *testing.T) {
	e := newPipe(t)
	p := e.tarePipe
	say(p, 0, 1)
	own := p.fd
	e.r.Close()
	say(p, 1, 1000)
	if p.fd != 0 || len(p.wait) > 0 || cap(p.wait) > 2*tareRoom {
		t.Errorf("descriptor %d, room for %d", p.fd, cap(p.wait))
	}
	p.fd = own // hangUp closes it
}

func TestPipeRefusals(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, number := range []string{"", "x", "-1", "0", "1", "2", "4000", "99999999999999999999", strconv.Itoa(int(f.Fd()))} {
		p := new(tarePipe)
		if p.open(number); p.fd != 0 || p.wait != nil {
			t.Errorf("%q was taken for a pipe", number)
		}
		say(p, 0, 10)
		if len(p.wait) > 0 {
			t.Errorf("%q: %q waits without a pipe", number, p.wait)
		}
	}
}

func TestPipeAllocations(t *testing.T) {
	e := newPipe(t)
	go io.Copy(io.Discard, e.r)
	say(e.tarePipe, 0, 1)
	if n := testing.AllocsPerRun(1000, func() { say(e.tarePipe, 1, 2) }); n >= 1 {
		t.Errorf("%v allocations a line", n)
	}
}
