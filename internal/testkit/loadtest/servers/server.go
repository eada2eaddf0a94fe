package servers

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/tempdir"
)

// patience is how long a server may take to start or to end: only a failure
// takes so long, whatever else the machine does.
const patience = 60 * time.Second

// Server is a process that serves on a loopback address.
type Server struct {
	Addr string // "127.0.0.1:34567", the same after a restart

	what    string
	command func() *exec.Cmd
	ready   func() error // nil once it answers
	ends    os.Signal    // what ends it at once

	mu  sync.Mutex
	run *process // nil while it is down
}

// Start starts the server and waits until it answers. One that has just been
// killed may need several attempts, because its parts die one by one.
func (s *Server) Start(t testing.TB) {
	t.Helper()
	for end := time.Now().Add(patience); ; {
		err := s.try()
		if err == nil {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%s at %s does not start: %v", s.what, s.Addr, err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// try starts the server once.
func (s *Server) try() error {
	p, err := start(s.command())
	if err != nil {
		return err
	}
	for end := time.Now().Add(patience / 3); ; time.Sleep(10 * time.Millisecond) {
		if err = s.ready(); err == nil && !p.hasEnded() {
			break
		}
		if p.hasEnded() {
			return fmt.Errorf("it ended: %v\n%s", p.err, p.output.Bytes())
		}
		if time.Now().After(end) {
			p.kill(os.Kill)
			return fmt.Errorf("no answer: %v\n%s", err, p.output.Bytes())
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.run = p
	return nil
}

// Kill ends the server at once and waits for its end. Data in memory are lost.
func (s *Server) Kill(testing.TB) { s.kill() }

func (s *Server) kill() {
	s.mu.Lock()
	p := s.run
	s.run = nil
	s.mu.Unlock()
	if p != nil {
		signal(p.family(), resume) // a stopped process would not see the end
		p.kill(s.ends)
	}
}

// Stop makes the server and its children hang, and waits until they do.
func (s *Server) Stop(t testing.TB) {
	t.Helper()
	ids := s.signal(t, halt)
	for end := time.Now().Add(patience); !halted(ids); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s does not stop", s.what)
		}
	}
}

// Cont continues the server and its children.
func (s *Server) Cont(t testing.TB) {
	t.Helper()
	s.signal(t, resume)
}

// signal sends a signal to the server and its children, and returns their ids.
func (s *Server) signal(t testing.TB, sig os.Signal) []int {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.run == nil {
		t.Fatalf("%s is not running", s.what)
	}
	ids := s.run.family()
	signal(ids, sig)
	return ids
}

// launch completes a server whose data are in a new temporary directory, starts it,
// and ends it with the test.
func launch(t testing.TB, s *Server) *Server {
	t.Helper()
	t.Cleanup(s.kill)
	s.Start(t)
	return s
}

// tempDir returns a directory that can be given to another user; those of a test are
// below a directory that is closed to others.
func tempDir(t testing.TB, name string) string {
	t.Helper()
	place, err := tempdir.Dir(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := place.Remove(); err != nil {
			t.Errorf("remove the data of %s: %v", name, err)
		}
	})
	return place.Path
}

// program returns the path of a program that is on the path or in one of the
// folders, given as patterns of which the last match counts. Without it the test
// is skipped.
func program(t testing.TB, name string, folders ...string) string {
	t.Helper()
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	for _, folder := range folders {
		found, _ := filepath.Glob(filepath.Join(folder, name))
		slices.Sort(found)
		if len(found) > 0 {
			return found[len(found)-1]
		}
	}
	missing(t, name+" is not installed")
	return ""
}

func missing(t testing.TB, why string) {
	t.Helper()
	if os.Getenv("TARE_REQUIRE_SERVERS") == "1" {
		t.Fatalf("%s, and TARE_REQUIRE_SERVERS is 1", why)
	}
	t.Skip(why)
}

// FreeAddr returns a loopback address on which no process listens. Its port is not
// ephemeral (from 32768 or 49152 on), so that other processes do not get it before
// the server does, nor while the server is down.
func FreeAddr(t testing.TB) string {
	t.Helper()
	const from, to, tries = 20_000, 32_768, 100
	var err error
	for range tries {
		var l net.Listener
		if l, err = net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", from+rand.IntN(to-from))); err == nil {
			defer l.Close()
			return l.Addr().String()
		}
	}
	t.Fatal(err)
	return ""
}

func port(addr string) string { return addr[strings.LastIndexByte(addr, ':')+1:] }

// ask sends a request to the address and checks the beginning of the response.
func ask(addr, request, want string) error {
	c, err := net.DialTimeout("tcp", addr, patience/30)
	if err != nil {
		return err
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(patience / 30))
	if _, err := c.Write([]byte(request)); err != nil {
		return err
	}
	got := make([]byte, 256)
	n, err := c.Read(got)
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(got[:n], []byte(want)) {
		return fmt.Errorf("it answers %q", got[:n])
	}
	return nil
}
