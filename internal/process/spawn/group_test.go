//go:build linux || darwin

package spawn

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// alive reports whether a process runs. It is false for a zombie, which is not yet reaped.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return !errors.Is(err, os.ErrNotExist) || !exists("/proc/self/stat")
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(rest, "Z") && !strings.HasPrefix(rest, "X")
}

func wantGone(t *testing.T, name string, pid int) {
	t.Helper()
	for looks := 0; alive(pid); looks++ { // counted, and not timed: the machine may stand still meanwhile
		if time.Sleep(2 * time.Millisecond); looks == 1000 {
			syscall.Kill(pid, syscall.SIGKILL)
			t.Errorf("the %s (%d) lives", name, pid)
			return
		}
	}
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestSignal leaves SIGHUP out: under nohup it is ignored, and so it is in children.
func TestSignal(t *testing.T) {
	each(t, func(t *testing.T, l *Launcher) {
		for _, sig := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM} {
			res, err := l.Run(t.Context(), role("die", strconv.Itoa(int(sig))))
			if err != nil || res.Signal != sig || res.ExitCode != -1 {
				t.Errorf("%v: %+v, %v", sig, res, err)
			}
		}
	})
}

func TestExtraFile(t *testing.T) {
	each(t, func(t *testing.T, l *Launcher) {
		var r, w [3]*os.File
		for i := range r {
			var err error
			if r[i], w[i], err = os.Pipe(); err != nil {
				t.Fatal(err)
			}
			defer r[i].Close()
		}
		spec := role("write")
		spec.Stdout, spec.Stderr, spec.Extra = w[0], w[1], w[2:]
		c, err := l.Spawn(t.Context(), spec)
		if err != nil {
			t.Fatal(err)
		}
		for i := range r {
			w[i].Close()
			text, err := io.ReadAll(r[i])
			if want := fmt.Sprintf("to %d\n", i+1); err != nil || string(text) != want {
				t.Errorf("%q, %v, want %q", text, err, want)
			}
		}
		if res, err := c.Wait(); err != nil || res.ExitCode != 0 {
			t.Error(res, err)
		}
	})
}

func TestClosedFileIsRefused(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	w.Close()
	l := start(t)
	spec := role("exit", "0")
	spec.Stdout = w
	if _, err := l.Run(t.Context(), spec); !errors.Is(err, os.ErrClosed) {
		t.Error(err)
	}
	if _, err := l.Run(t.Context(), role("exit", "0")); err != nil {
		t.Error(err)
	}
}

// TestQuitPrintsStacks asks again where the signal came before main had gone to sleep: the
// stack of a goroutine that runs on another thread cannot be printed.
func TestQuitPrintsStacks(t *testing.T) {
	each(t, func(t *testing.T, l *Launcher) {
		var text []byte
		for range 10 {
			c, r := spawn(t, l, t.Context(), role("sleep"))
			line(t, r)
			c.Quit(10 * time.Second)
			text, _ = io.ReadAll(r)
			res, err := c.Wait()
			if !errors.Is(err, ErrKilled) || res.ExitCode != 2 || !strings.Contains(string(text), "SIGQUIT") {
				t.Fatalf("%+v, %v, %q", res, err, text)
			}
			if strings.Contains(string(text), "spawn.play") {
				return
			}
		}
		t.Errorf("no stacks in %q", text)
	})
}

func TestTimeoutQuits(t *testing.T) {
	each(t, func(t *testing.T, l *Launcher) {
		spec := Spec{Path: "sleep", Args: []string{"60"}, Timeout: 50 * time.Millisecond, Grace: 10 * time.Second}
		if res, err := l.Run(t.Context(), spec); !errors.Is(err, ErrTimeout) || res.Signal != syscall.SIGQUIT {
			t.Errorf("%+v, %v", res, err)
		}
	})
}

// TestAsk: a program that tidies up when it is asked to end has the time for that, by
// a timeout and by a context, and one that does not listen is killed.
func TestAsk(t *testing.T) {
	each(t, func(t *testing.T, l *Launcher) {
		// SIGTERM, since a shell cannot trap what was ignored when it began, as SIGINT is in the background.
		sh := func(trap string, grace time.Duration) Spec {
			const loop = " TERM; echo ready; while :; do sleep 0.05; done"
			return Spec{Path: "sh", Args: []string{"-c", "trap " + trap + loop}, StopSignal: syscall.SIGTERM, Grace: grace}
		}
		const polite, deaf = "'exit 7'", "''"
		for timeout := 500 * time.Millisecond; ; timeout *= 4 { // it may be over before the program listens
			spec := sh(polite, 30*time.Second)
			spec.Timeout = timeout
			said, res, err := output(t, l, spec)
			if !errors.Is(err, ErrTimeout) {
				t.Errorf("by a timeout: %+v, %v", res, err)
			}
			if res.ExitCode == 7 {
				break
			}
			if said != "" || timeout > 10*time.Second {
				t.Errorf("by a timeout of %v: said %q, %+v, %v", timeout, said, res, err)
				break
			}
		}
		canceled := func(spec Spec) (Result, error) {
			ctx, cancel := context.WithCancel(t.Context())
			c, r := spawn(t, l, ctx, spec)
			line(t, r)
			cancel()
			return c.Wait()
		}
		if res, err := canceled(sh(polite, 30*time.Second)); !errors.Is(err, context.Canceled) || res.ExitCode != 7 {
			t.Errorf("by a context: %+v, %v", res, err)
		}
		if res, err := canceled(sh(deaf, 100*time.Millisecond)); !errors.Is(err, context.Canceled) || res.Signal != syscall.SIGKILL {
			t.Errorf("deaf: %+v, %v", res, err)
		}
	})
}

func TestGraceIsFinite(t *testing.T) {
	each(t, func(t *testing.T, l *Launcher) {
		c, r := spawn(t, l, t.Context(), role("deaf"))
		line(t, r)
		c.Quit(50 * time.Millisecond)
		if res, err := c.Wait(); !errors.Is(err, ErrKilled) || res.Signal != syscall.SIGKILL {
			t.Errorf("%+v, %v", res, err)
		}
	})
}

func TestKillReachesDefectors(t *testing.T) {
	each(t, func(t *testing.T, l *Launcher) {
		c, r := spawn(t, l, t.Context(), role("defect"))
		if text := line(t, r); text != "<nil>" {
			t.Fatal(text)
		}
		c.Kill()
		if res, err := c.Wait(); !errors.Is(err, ErrKilled) || res.Signal != syscall.SIGKILL {
			t.Errorf("%+v, %v", res, err)
		}
	})
}

func TestKillReachesGrandchildren(t *testing.T) {
	each(t, func(t *testing.T, l *Launcher) {
		c, r := spawn(t, l, t.Context(), role("family"))
		grandchild := number(t, line(t, r))
		if !alive(grandchild) {
			t.Error("the grandchild did not live")
		}
		c.Kill()
		c.Wait()
		wantGone(t, "grandchild", grandchild)
	})
}

func TestStragglersAreKilled(t *testing.T) {
	each(t, func(t *testing.T, l *Launcher) {
		c, r := spawn(t, l, t.Context(), role("leave"))
		grandchild := number(t, line(t, r))
		if res, err := c.Wait(); err != nil || res.ExitCode != 0 {
			t.Error(res, err)
		}
		wantGone(t, "straggler", grandchild)
		if _, err := io.Copy(io.Discard, r); err != nil { // ends, since no process has the other end open
			t.Error(err)
		}
	})
}

func TestLauncherKilled(t *testing.T) {
	l := start(t)
	c, r := spawn(t, l, t.Context(), role("family"))
	grandchild := number(t, line(t, r))
	syscall.Kill(l.Pid(), syscall.SIGKILL)
	_, err := c.Wait()
	if !errors.Is(err, ErrGone) || !strings.Contains(err.Error(), "signal: killed") {
		t.Errorf("Wait: %v", err)
	}
	wantGone(t, "child", c.Pid())
	wantGone(t, "grandchild", grandchild)
	if _, err := l.Run(t.Context(), role("exit", "0")); !errors.Is(err, ErrGone) {
		t.Errorf("Run: %v", err)
	}
	if err := l.Close(); !errors.Is(err, ErrGone) {
		t.Errorf("Close: %v", err)
	}
}

// A tare is this test binary as a tare of its own, with a launcher, a child and a grandchild.
type tare struct {
	cmd                         *exec.Cmd
	in                          io.WriteCloser
	out                         *bufio.Reader
	launcher, child, grandchild int
}

func startTare(t *testing.T) *tare {
	t.Helper()
	start(t).Close() // so that the launcher is in the cache
	spec := role("tare", cacheDir)
	p := &tare{cmd: exec.Command(spec.Path, spec.Args...)}
	p.cmd.Env = spec.Env
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // like a shell does for each job
	in, err := p.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.cmd.Process.Kill(); p.cmd.Wait() })
	p.in, p.out = in, bufio.NewReader(out)
	first := p.line(t)
	if _, err := fmt.Sscan(first, &p.launcher, &p.child, &p.grandchild); err != nil {
		t.Fatal(first, err)
	}
	return p
}

func (p *tare) line(t *testing.T) string {
	t.Helper()
	text, err := p.out.ReadString('\n')
	if err != nil {
		t.Fatalf("%q, %v", text, err)
	}
	return strings.TrimSpace(text)
}

func (p *tare) wantGone(t *testing.T) {
	t.Helper()
	wantGone(t, "launcher", p.launcher)
	wantGone(t, "child", p.child)
	wantGone(t, "grandchild", p.grandchild)
}

func TestTareKilled(t *testing.T) {
	p := startTare(t)
	p.cmd.Process.Kill()
	p.cmd.Wait()
	p.wantGone(t)
}

func TestInterruptStaysWithTare(t *testing.T) {
	p := startTare(t)
	if err := syscall.Kill(-p.cmd.Process.Pid, syscall.SIGINT); err != nil { // what Ctrl-C does
		t.Fatal(err)
	}
	if text := p.line(t); text != "interrupted" {
		t.Fatal(text)
	}
	time.Sleep(50 * time.Millisecond)
	for name, pid := range map[string]int{"launcher": p.launcher, "child": p.child, "grandchild": p.grandchild} {
		if !alive(pid) {
			t.Errorf("the %s is gone", name)
		}
	}
	p.in.Close()
	if text := p.line(t); text != "closed true" {
		t.Error(text)
	}
	if alive(p.child) {
		t.Error("the child outlives Close")
	}
	p.wantGone(t)
}
