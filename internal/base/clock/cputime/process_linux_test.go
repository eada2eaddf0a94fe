package cputime

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// TestCPU: the CPU time of another process grows while it works, and cannot be read after the process was reaped.
func TestCPU(t *testing.T) {
	cmd := exec.Command("sh", "-c", "while :; do :; done")
	if err := cmd.Start(); err != nil {
		t.Skip(err)
	}
	p := Open(cmd.Process.Pid)
	defer p.Close()
	first, ok := p.CPU()
	if !ok {
		t.Fatal("the clock of a running process is not known")
	}
	for {
		next, ok := p.CPU()
		if !ok || next < first {
			t.Fatalf("CPU time %d, %v after %d", next, ok, first)
		}
		if next > first+int64(time.Millisecond) {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if _, ok := p.Delay(); !ok {
		if _, err := os.Stat("/proc/self/schedstat"); err == nil {
			t.Error("no delay")
		}
	}
	cmd.Process.Kill()
	cmd.Wait()
	if ns, ok := p.CPU(); ok {
		t.Errorf("CPU time %d of a process that is gone", ns)
	}
	if ns, ok := p.Delay(); ok {
		t.Errorf("delay %d of a process that is gone", ns)
	}
}

// TestOtherProcess: a number that was given to another process is noticed by a clock that fell.
func TestOtherProcess(t *testing.T) {
	p := Open(os.Getpid())
	p.cpu = int64(1000 * time.Hour)
	if ns, ok := p.CPU(); ok {
		t.Errorf("CPU time fell to %d", ns)
	}
}

func TestNil(t *testing.T) {
	var p *Process
	defer p.Close()
	if _, ok := p.CPU(); ok {
		t.Error("CPU time of no process")
	}
	if _, ok := p.Delay(); ok {
		t.Error("delay of no process")
	}
}

// TestDelay: the sum counts every thread, never falls, and is not known in the reading after a thread has ended.
func TestDelay(t *testing.T) {
	dir := t.TempDir()
	set := func(id, text string) {
		t.Helper()
		if text == "" {
			os.RemoveAll(filepath.Join(dir, id))
			return
		}
		os.MkdirAll(filepath.Join(dir, id), 0o755)
		if err := os.WriteFile(filepath.Join(dir, id, "schedstat"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p := &Process{threads: threads{dir: dir}}
	defer p.Close()
	for i, step := range []struct {
		leader, second, third string
		want                  int64
		ok                    bool
	}{
		{"500 10 3\n", "", "", 10, true},
		{"900 20 4\n", "70 5 1\n", "", 25, true},
		{"900 20 4\n", "70 6 1\n", "10 100 1\n", 126, true},
		{"900 30 4\n", "", "10 100 1\n", 136, false}, // the second ended with 6 or more
		{"900 40 4\n", "", "20 101 1\n", 147, true},
		{"", "", "", 147, false},
	} {
		set("7", step.leader)
		set("8", step.second)
		set("9", step.third)
		if got, ok := p.Delay(); got != step.want || ok != step.ok {
			t.Errorf("reading %d: %d, %v, want %d, %v", i, got, ok, step.want, step.ok)
		}
	}
}

// TestDelayUnknown: where the kernel keeps no statistics, or keeps them otherwise, nothing is known.
func TestDelayUnknown(t *testing.T) {
	for _, text := range []string{"", "1 2\n", "1 x 3\n", "1 -2 3\n", "1 2 3 4\n", "1 99999999999999999999 3"} {
		dir := t.TempDir()
		os.MkdirAll(filepath.Join(dir, "7"), 0o755)
		os.WriteFile(filepath.Join(dir, "7", "schedstat"), []byte(text), 0o644)
		p := &Process{threads: threads{dir: dir}}
		if got, ok := p.Delay(); ok {
			t.Errorf("%q: %d", text, got)
		}
		p.Close()
	}
	p := &Process{threads: threads{dir: filepath.Join(t.TempDir(), "none")}}
	if got, ok := p.Delay(); ok {
		t.Errorf("without a directory: %d", got)
	}
}

func BenchmarkCPU(b *testing.B) {
	p := Open(os.Getpid())
	defer p.Close()
	for b.Loop() {
		p.CPU()
	}
}

func BenchmarkDelay(b *testing.B) {
	p := Open(os.Getpid())
	defer p.Close()
	for b.Loop() {
		p.Delay()
	}
	b.ReportMetric(float64(len(p.threads.known)), "threads")
}
