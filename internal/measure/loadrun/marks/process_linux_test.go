package marks

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tarebench/tare/record"
)

// fakeProc is a file system of processes with one process, this one.
type fakeProc struct {
	t   *testing.T
	dir string
}

func (f fakeProc) set(path, text string) {
	f.t.Helper()
	path = filepath.Join(f.dir, fmt.Sprint(os.Getpid()), path)
	os.MkdirAll(filepath.Dir(path), 0o755)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		f.t.Fatal(err)
	}
}

func (f fakeProc) stat(state string, minflt, majflt, pages int) {
	f.set("stat", fmt.Sprintf("%d (a) b) %s 1 1 1 0 -1 4194560 %d 17 %d 4 250 31 0 0 20 0 9 0 8212 1265 %d 18446744073709551615", os.Getpid(), state, minflt, majflt, pages))
}

// TestProcess reads a made-up /proc: figures are what happened between two readings.
func TestProcess(t *testing.T) {
	f := fakeProc{t, t.TempDir()}
	f.stat("S", 100, 5, 10)
	f.set("task/1/schedstat", "9000 700 3\n")
	f.set("task/2/schedstat", "9000 50 3\n")
	r, err := Open(Config{PIDs: []int{os.Getpid()}, proc: f.dir})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	r.Begin()
	r.End() // so that nothing is seen of the states below
	f.stat("S", 130, 7, 20)
	f.set("task/1/schedstat", "9900 1700 4\n")
	r.servers[0].stopped.Store(77)
	m := r.Take()
	page := int64(os.Getpagesize())
	check := func(m *record.Marks, delay, stopped, rss, minflt, majflt int64) {
		t.Helper()
		if len(m.Servers) != 1 || m.Servers[0].Delay == nil {
			t.Fatalf("%+v", m)
		}
		if x := m.Servers[0]; x.PID != os.Getpid() || *x.Delay != delay || x.Stopped != stopped || x.RSS != rss || x.Minflt != minflt || x.Majflt != majflt || x.CPU < 0 {
			t.Errorf("%+v, delay %d", x, *x.Delay)
		}
	}
	check(m, 1000, 77, 20*page, 30, 2)
	if m.Generator.Process == nil || *m.Generator.Process.Delay != 1000 {
		t.Errorf("tare's own process: %+v", m.Generator.Process)
	}
	check(r.Take(), 0, 0, 20*page, 0, 0)

	os.RemoveAll(filepath.Join(f.dir, fmt.Sprint(os.Getpid()), "task/2")) // a thread ends: its run delay is then a lower bound
	f.set("task/1/schedstat", "9900 1750 4\n")
	check(r.Take(), 50, 0, 20*page, 0, 0)

	f.set("stat", "")
	if m := r.Take(); m.Servers != nil || m.Generator.Process != nil {
		t.Errorf("the process has ended: %+v", m)
	}
	if _, err := Open(Config{PIDs: []int{os.Getpid()}, proc: f.dir}); err == nil || !strings.Contains(err.Error(), "there is no process") {
		t.Errorf("a process that cannot be read: %v", err)
	}
	r, err = Open(Config{PIDs: []int{os.Getpid()}, Started: true, proc: f.dir})
	if err != nil {
		t.Errorf("a server that tare has started and that is gone: %v", err)
	}
	r.Close()
}

// TestNoDelay: without scheduler statistics of the kernel the delay is not known, and the rest is.
func TestNoDelay(t *testing.T) {
	f := fakeProc{t, t.TempDir()}
	f.stat("S", 1, 1, 1)
	r, err := Open(Config{PIDs: []int{os.Getpid()}, proc: f.dir})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	r.Begin()
	if m := r.Take(); len(m.Servers) != 1 || m.Servers[0].Delay != nil {
		t.Errorf("%+v", m)
	}
}

// TestStopped: a process that is stopped is seen, as long as it takes.
func TestStopped(t *testing.T) {
	cmd := exec.Command("sleep", "1000")
	if err := cmd.Start(); err != nil {
		t.Skip(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	r, err := Open(Config{PIDs: []int{cmd.Process.Pid}})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	r.Begin()
	began := time.Now()
	cmd.Process.Signal(syscall.SIGSTOP)
	for sum := int64(0); sum < int64(100*time.Millisecond); {
		time.Sleep(time.Millisecond)
		m := r.Take()
		if len(m.Servers) != 1 {
			t.Fatalf("%+v", m)
		}
		if sum += m.Servers[0].Stopped; sum > int64(time.Since(began)) {
			t.Fatalf("stopped for %v in %v", time.Duration(sum), time.Since(began))
		}
	}
}
