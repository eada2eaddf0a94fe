package cputime

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"
)

func TestParseStat(t *testing.T) {
	const rest = " 1 4711 4711 0 -1 4194560 900 17 3 4 250 31 0 0 20 0 9 0 8212 1265 512 18446744073709551615 1"
	page := int64(os.Getpagesize())
	for text, want := range map[string]Stat{
		"4711 (server) S" + rest + "\n":        {State: 'S', Minflt: 900, Majflt: 3, RSS: 512 * page},
		"4711 (a) T (b ) c) T" + rest:          {State: 'T', Minflt: 900, Majflt: 3, RSS: 512 * page},
		"4711 (x\n) t" + rest:                  {State: 't', Minflt: 900, Majflt: 3, RSS: 512 * page},
		"":                                     {},
		"4711 (server":                         {},
		"4711 (server) S 1 2 3":                {},
		"4711 (server) SS" + rest:              {},
		"4711 (s) S 1 1 1 0 0 0 x 0 3 4 5 6 0": {},
		"4711 (s) S 1 1 1 0 0 0 1 1 1 1 1 1 1 1 1 1 1 1 1 1 -5": {},
	} {
		got, ok := parseStat([]byte(text))
		if got != want || ok != (want.State != 0) {
			t.Errorf("%q: %+v, %v, want %+v", text, got, ok, want)
		}
		if got.Stopped() != (got.State == 'T' || got.State == 't') {
			t.Errorf("%q: stopped %v", text, got.Stopped())
		}
	}
	if _, ok := parseStat([]byte("4711 (server) Z" + rest)); ok {
		t.Error("a process that has ended is known")
	}
}

// TestStat: a running process is known until it has ended, and one that is stopped is seen to be.
func TestStat(t *testing.T) {
	cmd := exec.Command("sleep", "1000")
	if err := cmd.Start(); err != nil {
		t.Skip(err)
	}
	p := Open(cmd.Process.Pid)
	defer p.Close()
	for s, ok := p.Stat(); s.RSS == 0 || s.Minflt == 0; s, ok = p.Stat() { // it is not what it will be before its program is loaded
		if !ok || s.Stopped() {
			t.Fatalf("%+v, %v", s, ok)
		}
		time.Sleep(time.Millisecond)
	}
	cmd.Process.Signal(syscall.SIGSTOP)
	for s, ok := p.Stat(); !s.Stopped(); s, ok = p.Stat() {
		if !ok {
			t.Fatal("it is not known any more")
		}
		time.Sleep(time.Millisecond)
	}
	if all := Children(os.Getpid(), 1000); !slices.Contains(all, cmd.Process.Pid) {
		if _, err := os.Stat("/proc/self/task/" + strconv.Itoa(os.Getpid()) + "/children"); err == nil {
			t.Errorf("children %v lack %d", all, cmd.Process.Pid)
		}
	}
	cmd.Process.Kill()
	cmd.Wait()
	if s, ok := p.Stat(); ok {
		t.Errorf("%+v of a process that is gone", s)
	}
}

func TestChildren(t *testing.T) {
	proc := t.TempDir()
	for path, text := range map[string]string{
		"7/task/7/children": "8 9 ", "7/task/70/children": "10", "8/task/8/children": "", "9/task/9/children": "11 x\n", "11/task/11/children": "12",
	} {
		os.MkdirAll(filepath.Dir(filepath.Join(proc, path)), 0o755)
		if err := os.WriteFile(filepath.Join(proc, path), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for most, want := range map[int][]int{100: {8, 9, 10, 11, 12}, 2: {8, 9}, 0: nil} {
		if got := childrenIn(proc, 7, most); !slices.Equal(got, want) {
			t.Errorf("at most %d: %v, want %v", most, got, want)
		}
	}
	if got := childrenIn(proc, 99, 5); got != nil {
		t.Errorf("%v of no process", got)
	}
}
