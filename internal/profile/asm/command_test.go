package asm_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/internal/process/spawn"
	"github.com/tarebench/tare/internal/profile/asm"
	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/record"
)

// burners are the programs that have been built, by their flags and names; TestMain removes them.
var burners struct {
	sync.Mutex
	dir  string
	made map[string]string
}

func TestMain(m *testing.M) {
	code := m.Run()
	os.RemoveAll(burners.dir)
	os.Exit(code)
}

// burner builds testdata/burn, once for all tests.
func burner(t *testing.T, flags ...string) string { t.Helper(); return program(t, "burn", flags...) }

// program builds one of those in testdata.
func program(t *testing.T, name string, flags ...string) string {
	t.Helper()
	burners.Lock()
	defer burners.Unlock()
	key := strings.Join(append(flags, name), " ")
	if bin := burners.made[key]; bin != "" {
		return bin
	}
	if burners.dir == "" {
		dir, err := os.MkdirTemp("", "asm-test-")
		if err != nil {
			t.Fatal(err)
		}
		burners.dir, burners.made = dir, map[string]string{}
	}
	bin := filepath.Join(burners.dir, fmt.Sprint(len(burners.made)), name)
	c := exec.Command("go", append(append([]string{"build", "-o", bin}, flags...), "./testdata/"+name)...)
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	burners.made[key] = bin
	return bin
}

// launcher is skipped where nothing can be sampled.
func launcher(t *testing.T) *spawn.Launcher {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("perf events are Linux's")
	}
	if p := asm.Profiler(asm.Config{}); p.Available() != nil || p.Needs().Slowdown > 0 {
		t.Skip("no perf events: ", p.Available())
	}
	l, err := spawn.Start(t.Context(), spawn.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// burnt checks the samples of a run of testdata/burn.
func burnt(t *testing.T, a *record.Asm) {
	t.Helper()
	sound(t, a)
	if r := ratio(t, a, "main.burn", "main.half"); r < 1.3 || r > 3.1 { // some 500 samples
		t.Errorf("%.2f samples of one for each of the other, want 2", r)
	}
	f := function(t, a, "main.burn")
	if f.Area != record.AreaUser || filepath.Base(f.File) != "main.go" || len(f.Code) == 0 || len(f.Lines) == 0 {
		t.Errorf("%s, %s, %d bytes of code, %d lines", f.Area, f.File, len(f.Code), len(f.Lines))
	}
	if a.Binary != "burn" || a.Arch != runtime.GOARCH || a.BuildID == "" || a.Window != record.AsmWhole {
		t.Errorf("%s for %s, build id %q, window %s", a.Binary, a.Arch, a.BuildID, a.Window)
	}
}

// TestCommand: functions are named in every kind of binary, and in child processes.
func TestCommand(t *testing.T) {
	l := launcher(t)
	for _, c := range []struct {
		what  string
		flags []string
		shell bool
	}{
		{"a program", nil, false},
		{"position-independent, by a shell", []string{"-buildmode=pie"}, true},
		{"stripped", []string{"-ldflags=-s -w"}, false},
	} {
		t.Run(c.what, func(t *testing.T) {
			if c.what == "a program" {
				testutil.NeedLong(t, "TestCommandEvents samples such a program")
			}
			testutil.Retry(t, func(n int) error {
				longer := []string{"longer", strconv.Itoa(1 << n)}
				spec := spawn.Spec{Path: burner(t, c.flags...), Args: longer}
				if c.shell {
					spec = spawn.Spec{Path: "/bin/sh", Args: []string{"-c", spec.Path + " " + strings.Join(longer, " ") + "; true"}}
				}
				r, err := asm.Command(t.Context(), l, spec, asm.Config{Frequency: asm.Detailed})
				if err != nil {
					t.Fatal(err)
				}
				burnt(t, r.Asm)
				f := function(t, r.Asm, "main.burn")
				if len(f.Texts) == 0 || r.Ended != nil || r.Result.ExitCode != 0 {
					t.Errorf("%d lines of sources, ended %v, status %d", len(f.Texts), r.Ended, r.Result.ExitCode)
				}
				e := r.Asm.Events[0]
				if e.Achieved < 0.5*e.Asked || e.Achieved > 1.5*e.Asked {
					return fmt.Errorf("%.0f samples per second, asked for %.0f", e.Achieved, e.Asked)
				}
				return nil
			})
		})
	}
}

// TestCommandEvents: each address has a sample count for each event.
func TestCommandEvents(t *testing.T) {
	l := launcher(t)
	r, err := asm.Command(t.Context(), l, spawn.Spec{Path: burner(t)}, asm.Config{Events: []string{"task-clock", "page-faults", "cpu-clock"}, Frequency: asm.Detailed})
	if err != nil {
		t.Fatal(err)
	}
	burnt(t, r.Asm)
	f, events := function(t, r.Asm, "main.burn"), r.Asm.Events
	if len(events) != 3 || events[0].Period == 0 || events[1].Period != 0 || events[1].Samples == 0 {
		t.Errorf("%+v", events)
	}
	if a, b := f.Samples[0], f.Samples[2]; 2*a < b || 2*b < a || f.Samples[1] > a/10 {
		t.Errorf("%v samples: both clocks tick alike, and it touches no memory", f.Samples)
	}
}

// TestCommandWindow: samples count after the delay and for the length. Stop ends the command.
func TestCommandWindow(t *testing.T) {
	l, bin := launcher(t), burner(t)
	r, err := asm.Command(t.Context(), l, spawn.Spec{Path: bin, Args: []string{"forever"}},
		asm.Config{Frequency: asm.Detailed, Delay: 100 * time.Millisecond, Duration: 500 * time.Millisecond, Stop: true})
	if err != nil {
		t.Fatal(err)
	}
	sound(t, r.Asm)
	e := r.Asm.Events[0]
	if most := e.Asked * 0.5 * float64(runtime.NumCPU()); e.Outside == 0 || float64(e.Samples) > 1.1*most || r.Ended != nil {
		t.Errorf("%+v, at most %.0f; ended %v", e, most, r.Ended)
	}
}

// TestCommandInterrupted: samples up to the interruption are reported.
func TestCommandInterrupted(t *testing.T) {
	l, bin := launcher(t), burner(t)
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	defer in.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		if _, err := out.Read(make([]byte, 1)); err == nil {
			cancel()
		}
	}()
	r, err := asm.Command(ctx, l, spawn.Spec{Path: bin, Args: []string{"forever"}, Stdout: in}, asm.Config{Frequency: asm.Detailed})
	if err != nil || r.Ended == nil {
		t.Fatalf("%v, %+v", err, r)
	}
	burnt(t, r.Asm)
}

// TestCommandBad: each error names its cause and what to do.
func TestCommandBad(t *testing.T) {
	l, bin := launcher(t), burner(t)
	for _, c := range []struct {
		spec spawn.Spec
		cfg  asm.Config
		want string
	}{
		{spawn.Spec{Path: bin, Args: []string{"sleep"}}, asm.Config{Frequency: 1}, "no samples of " + bin},
		{spawn.Spec{Path: bin}, asm.Config{Delay: time.Hour}, "outside of the selected time"},
		{spawn.Spec{Path: bin + ".not"}, asm.Config{}, "no such file"},
		{spawn.Spec{Path: bin}, asm.Config{Events: []string{"nothing"}}, `no event "nothing"`},
		{spawn.Spec{Path: bin}, asm.Config{Frequency: -1}, "a frequency of -1"},
		{spawn.Spec{Path: bin}, asm.Config{Stop: true}, "needs a duration"},
		{spawn.Spec{Path: bin}, asm.Config{Keep: 2}, "not between 0 and 1"},
	} {
		_, err := asm.Command(t.Context(), l, c.spec, c.cfg)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, %+v: %v, want %q", c.spec.Args, c.cfg, err, c.want)
		}
	}
	_, err := asm.Command(t.Context(), spawn.InProcess(errors.New("no go command")), spawn.Spec{Path: bin}, asm.Config{})
	if !errors.Is(err, spawn.ErrHold) {
		t.Errorf("without a launcher: %v", err)
	}
}

// TestCommandGone: a program that fails and removes its own file is sampled.
func TestCommandGone(t *testing.T) {
	l, bin := launcher(t), filepath.Join(t.TempDir(), "burn")
	code, err := os.ReadFile(burner(t))
	if err == nil {
		err = os.WriteFile(bin, code, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	r, err := asm.Command(t.Context(), l, spawn.Spec{Path: "/bin/sh", Args: []string{"-c", bin + " die; rm " + bin + "; exit 5"}}, asm.Config{})
	if err != nil {
		t.Fatal(err)
	}
	sound(t, r.Asm)
	if r.Result.ExitCode != 5 || r.Asm.Funcs[0].Name != "[burn]" {
		t.Errorf("status %d, most samples of %s", r.Result.ExitCode, r.Asm.Funcs[0].Name)
	}
	var text strings.Builder
	for _, w := range r.Warnings {
		text.WriteString(w.Code + ": " + w.Text + "\n")
	}
	if !strings.Contains(text.String(), diagnosis.Unreadable+": asm: "+bin+" is gone") {
		t.Errorf("warnings:\n%s", &text)
	}
}

// TestCommandReplaced: samples are not attributed to a file that replaced the program during the run.
func TestCommandReplaced(t *testing.T) {
	l, bin := launcher(t), filepath.Join(t.TempDir(), "burn")
	code, err := os.ReadFile(burner(t))
	if err == nil {
		err = os.WriteFile(bin, code, 0o755)
	}
	if err == nil {
		err = os.WriteFile(bin+".new", code, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	r, err := asm.Command(t.Context(), l, spawn.Spec{Path: "/bin/sh", Args: []string{"-c", bin + "; " + bin + "; mv " + bin + ".new " + bin}}, asm.Config{})
	if err != nil {
		t.Fatal(err)
	}
	sound(t, r.Asm)
	if f := r.Asm.Funcs[0]; f.Name != "[burn]" || len(f.Code) > 0 {
		t.Errorf("most samples of %s, %d bytes of code", f.Name, len(f.Code))
	}
	reported := false
	for _, w := range r.Warnings {
		reported = reported || w.Code == diagnosis.Unreadable && strings.Contains(w.Text, bin+" was modified after being sampled")
	}
	if !reported {
		t.Errorf("warnings: %v", r.Warnings)
	}
}

// TestCommandRefused: of a mistake, and of a length that nothing fits into, the error says so and
// nothing else.
func TestCommandRefused(t *testing.T) {
	l, bin := launcher(t), burner(t)
	_, err := asm.Command(t.Context(), l, spawn.Spec{Path: bin}, asm.Config{Events: []string{"cycle"}})
	var advised *profiler.UnavailableError
	if err == nil || !strings.Contains(err.Error(), `no event "cycle"`) || errors.As(err, &advised) {
		t.Errorf("an unknown event: %v", err)
	}
	_, err = asm.Command(t.Context(), l, spawn.Spec{Path: bin}, asm.Config{Duration: 1, Stop: true})
	if err == nil || !strings.Contains(err.Error(), "a duration of 1ns is too short") && !strings.Contains(err.Error(), "no samples") {
		t.Errorf("a length of 1ns: %v", err)
	}
}

// TestCommandKernel: a program whose samples are all in the kernel is named.
func TestCommandKernel(t *testing.T) {
	l := launcher(t)
	dd, err := exec.LookPath("dd")
	if err == nil {
		dd, err = filepath.EvalSymlinks(dd)
	}
	if err != nil {
		t.Skip(err)
	}
	r, err := asm.Command(t.Context(), l, spawn.Spec{Path: dd, Args: []string{"if=/dev/zero", "of=/dev/null", "bs=1M", "count=3000"}}, asm.Config{Frequency: 4000})
	if err != nil {
		t.Fatal(err)
	}
	sound(t, r.Asm)
	if r.Asm.Binary != filepath.Base(dd) {
		t.Errorf("of %s samples are of %q", dd, r.Asm.Binary)
	}
}
