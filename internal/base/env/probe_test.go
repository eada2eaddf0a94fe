package env

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestReleaseOf(t *testing.T) {
	tests := map[string]string{
		"go1.26.8":                     "go1.26.8",
		"go1.26":                       "go1.26",
		"go1.26rc1":                    "go1.26rc1",
		"go1.26.8 X:jsonv2":            "go1.26.8",
		"go1.26.8-vendor":              "go1.26",
		"devel go1.27-1a2b3c4 Mon Jan": "go1.27",
		"devel +1a2b3c4":               "",
		"go version":                   "",
		"":                             "",
	}
	for in, want := range tests {
		if got := releaseOf(in); got != want {
			t.Errorf("releaseOf(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestGoFinding(t *testing.T) {
	tests := []struct {
		name    string
		version string
		err     error
		level   Level
		text    string
	}{
		{"good", "go1.26.0", nil, OK, "go1.26.0 (/go)"},
		{"newer", "devel go1.28-abc", nil, OK, "devel go1.28-abc (/go)"},
		{"older", "go1.25.9", nil, Warn, "go1.25.9 (/go) is older than go1.26"},
		{"candidate", "go1.26rc1", nil, OK, "go1.26rc1 (/go)"},
		{"strange", "gollvm 7", nil, Warn, "gollvm 7 (/go): unknown version"},
		{"missing", "", &exec.Error{Name: "go", Err: exec.ErrNotFound}, Warn, "no go command on PATH"},
		{"broken", "", errors.New("/go env GOVERSION:\nexit status 2"), Warn, "/go env GOVERSION: exit status 2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := fakeHost(nil)
			h.golang = func() (golang, error) { return golang{"/go", tt.version}, tt.err }
			if f := h.goFinding(); f.Level != tt.level || f.Text != tt.text {
				t.Errorf("got %+v", f)
			}
		})
	}
}

func TestFindGo(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the fake go command is a shell script")
	}
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	if _, err := findGo(t.Context()); !errors.Is(err, exec.ErrNotFound) {
		t.Errorf("without a go command: %v", err)
	}
	fake := filepath.Join(dir, "go")
	script := "#!/bin/sh\necho \"go1.99 $GOTOOLCHAIN $*\"\n"
	if err := os.WriteFile(fake, []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	if g, err := findGo(t.Context()); err != nil || g.path != fake || g.version != "go1.99 local env GOVERSION" {
		t.Errorf("got %+v, %v", g, err)
	}
	if err := os.WriteFile(fake, []byte("#!/bin/sh\nexit 3\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := findGo(t.Context()); err == nil || !strings.Contains(err.Error(), fake) {
		t.Errorf("a failing go command yields %v", err)
	}
}

func TestDirFinding(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	roomy := func(string) (space, error) { return space{80 << 30, "ext4"}, nil }
	tests := []struct {
		name  string
		dir   string
		space func(string) (space, error)
		level Level
		part  string
	}{
		{"good", dir, roomy, OK, " on ext4, writable, 80.0 GiB free"},
		{"not made yet", filepath.Join(dir, "a", "b"), roomy, OK, "writable"},
		{"no directory", file, roomy, Warn, "cannot be written"},
		{"full", dir, func(string) (space, error) { return space{1 << 20, ""}, nil }, Warn, "writable, 1.00 MiB free"},
		{"network", dir, func(string) (space, error) { return space{80 << 30, network}, nil }, Warn, "on nfs"},
		{"size unknown", dir, func(string) (space, error) { return space{}, errors.New("no statfs") }, OK, "unknown (no statfs)"},
		{"none", "", roomy, NA, "names no directory"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := fakeHost(nil)
			h.space = tt.space
			if f := h.dirFinding("cache", tt.dir); f.Level != tt.level || !strings.Contains(f.Text, tt.part) {
				t.Errorf("got %+v", f)
			}
		})
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 {
		t.Errorf("something was left behind: %v, %v", left, err)
	}
}

func TestDirSpaceHere(t *testing.T) {
	if s, err := dirSpace(t.TempDir()); err == nil && s.free <= 0 {
		t.Errorf("free space is %+v", s)
	}
}

func TestPerfFinding(t *testing.T) {
	type answer struct {
		userOnly bool
		err      error
	}
	tests := []struct {
		name       string
		cycles     answer
		cpuClock   answer
		paranoid   string
		hypervisor string
		level      Level
		text       string
	}{
		{"all", answer{}, answer{}, "-1", "", OK, "hardware counters"},
		{"own code", answer{true, nil}, answer{}, "2", "", OK, "hardware counters, without the kernel's part (perf_event_paranoid 2)"},
		{"guest", answer{false, syscall.ENOENT}, answer{}, "2", "kvm", OK, "software clock; no hardware counters (virtual machine)"},
		{"refused", answer{false, syscall.EACCES}, answer{false, syscall.EACCES}, "4", "", Warn, "refused: " + syscall.EACCES.Error() + " (perf_event_paranoid 4)"},
		{"seccomp", answer{false, syscall.EPERM}, answer{false, syscall.EPERM}, "", "", Warn, "refused: " + syscall.EPERM.Error() + " (no perf_event_paranoid here)"},
		{"other system", answer{false, errors.New("plan9 has no perf_event")}, answer{false, errors.New("plan9 has no perf_event")}, "", "", NA, "plan9 has no perf_event"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := map[string]string{}
			if tt.paranoid != "" {
				files["proc/sys/kernel/perf_event_paranoid"] = tt.paranoid + "\n"
			}
			h := fakeHost(tree(files))
			h.perf = func(e event) (bool, error) {
				if e == cycles {
					return tt.cycles.userOnly, tt.cycles.err
				}
				return tt.cpuClock.userOnly, tt.cpuClock.err
			}
			if f := h.perfFinding(tt.hypervisor); f.Level != tt.level || f.Text != tt.text {
				t.Errorf("got %+v", f)
			}
		})
	}
}

func TestTimerFinding(t *testing.T) {
	for _, tt := range []struct {
		late  time.Duration
		level Level
		text  string
	}{
		{0, OK, "sleep(50 µs) ends 0 ns late (median of 50)"},
		{60 * time.Microsecond, OK, "sleep(50 µs) ends 60 µs late (median of 50)"},
		{15 * time.Millisecond, Warn, "sleep(50 µs) ends 15 ms late (median of 14)"}, // budget
		{-time.Hour, NA, "the clock jumped"},
	} {
		h := fakeHost(nil)
		now := time.Unix(0, 0)
		h.now = func() time.Time { return now }
		h.sleep = func(d time.Duration) { now = now.Add(d + tt.late) }
		if tt.late < 0 {
			calls := 0
			h.now = func() time.Time { calls++; return now.Add(time.Duration(calls) * time.Hour) }
		}
		if f := h.timerFinding(); f.Level != tt.level || f.Text != tt.text {
			t.Errorf("late by %v: %+v", tt.late, f)
		}
	}
}

func FuzzMemInfo(f *testing.F) {
	f.Add("MemTotal: 100 kB\nMemAvailable: 50 kB\nSwapTotal: 10 kB\nSwapFree: 20 kB\n")
	f.Add("MemTotal: 99999999999999999 kB\n")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := parseMemInfo(text)
		if err == nil && (m.total <= 0 || m.swapUsed() < 0) {
			t.Errorf("%+v", m)
		}
		parseSwapped(text)
	})
}
