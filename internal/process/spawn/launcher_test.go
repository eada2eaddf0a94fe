package spawn

import (
	"bufio"
	"context"
	"errors"
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
	"time"
)

// each runs a test with the launcher and without.
func each(t *testing.T, test func(t *testing.T, l *Launcher)) {
	t.Run("launcher", func(t *testing.T) { test(t, start(t)) })
	t.Run("plain", func(t *testing.T) {
		l := InProcess(errors.New("asked for"))
		t.Cleanup(func() { l.Close() })
		test(t, l)
	})
}

func start(t testing.TB) *Launcher {
	t.Helper()
	l, err := Start(t.Context(), Config{CacheDir: cacheDir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// output runs a child to its end, as package fork would, and returns what it wrote to 1 and 2.
func output(t testing.TB, l *Launcher, spec Spec) (string, Result, error) {
	t.Helper()
	c, r := spawn(t, l, t.Context(), spec)
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	res, err := c.Wait()
	return string(text), res, err
}

// spawn starts a child with its output on a pipe.
func spawn(t testing.TB, l *Launcher, ctx context.Context, spec Spec) (*Child, *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	spec.Stdout, spec.Stderr = w, w
	c, err := l.Spawn(ctx, spec)
	w.Close()
	if err != nil {
		t.Fatal(err)
	}
	return c, r
}

func line(t testing.TB, r io.Reader) string {
	t.Helper()
	text, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatalf("%q, %v", text, err)
	}
	return strings.TrimSpace(text)
}

func TestExit(t *testing.T) {
	each(t, func(t *testing.T, l *Launcher) {
		for _, code := range []int{0, 1, 2, 77, 255} {
			before := monotonicNow()
			res, err := l.Run(t.Context(), role("exit", strconv.Itoa(code)))
			after := monotonicNow()
			if err != nil || res.ExitCode != code || res.Signal != 0 {
				t.Errorf("exit %d: %+v, %v", code, res, err)
			}
			if res.Pid <= 0 || res.Start < before || res.End < res.Start || res.End > after {
				t.Errorf("times out of order: %d %+v %d", before, res, after)
			}
			if res.PeakBy == "" || res.User+res.Sys <= 0 {
				t.Errorf("usage is missing: %+v", res)
			}
		}
	})
}

func TestOutput(t *testing.T) {
	const lines = 20_000 // more than a pipe holds
	each(t, func(t *testing.T, l *Launcher) {
		text, res, err := output(t, l, role("flood", strconv.Itoa(lines)))
		if err != nil || res.ExitCode != 0 {
			t.Fatal(res, err)
		}
		got := strings.Split(strings.TrimSpace(text), "\n")
		if len(got) != lines {
			t.Fatalf("%d lines of %d", len(got), lines)
		}
		for i, s := range got {
			if !strings.HasPrefix(s, fmt.Sprintf("line %d of", i)) {
				t.Fatalf("line %d is %q", i, s)
			}
		}
	})
}

func TestArgumentsAndEnvironment(t *testing.T) {
	each(t, func(t *testing.T, l *Launcher) {
		spec := role("count")
		spec.Env = append(spec.Env, "SAY=first", "SAY=last")
		if runtime.GOOS != "windows" { // whose limit is 32 KiB
			for i := range 3000 {
				spec.Args = append(spec.Args, fmt.Sprintf("argument-%0100d", i))
			}
			for i := range 6 {
				spec.Env = append(spec.Env, fmt.Sprintf("BIG%d=%s", i, strings.Repeat("x", 100<<10)))
			}
		}
		text, _, err := output(t, l, spec)
		if err != nil {
			t.Fatal(err)
		}
		var n, argBytes, envBytes int
		var say string
		if _, err := fmt.Sscan(text, &n, &argBytes, &envBytes, &say); err != nil {
			t.Fatal(text, err)
		}
		if n != len(spec.Args) || argBytes != len(strings.Join(spec.Args, "")) || say != "last" {
			t.Errorf("%d arguments with %d bytes, SAY=%s", n, argBytes, say)
		}
		if runtime.GOOS != "windows" && envBytes < 600<<10 {
			t.Errorf("environment of %d bytes", envBytes)
		}
	})
}

func TestDirectory(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	each(t, func(t *testing.T, l *Launcher) {
		spec := role("where")
		t.Setenv(roleKey, "where")
		t.Setenv("GORACE", "atexit_sleep_ms=0")
		spec.Dir, spec.Env = dir, nil
		if text, _, err := output(t, l, spec); err != nil || !strings.HasPrefix(text, dir+" ") {
			t.Errorf("%q, %v", text, err)
		}
	})
}

func TestStdinIsEmpty(t *testing.T) {
	each(t, func(t *testing.T, l *Launcher) {
		if text, _, err := output(t, l, role("stdin")); err != nil || text != "0 <nil>\n" {
			t.Errorf("%q, %v", text, err)
		}
	})
}

func TestSpawnErrors(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	good := role("exit", "0")
	missing := filepath.Join(dir, "missing")
	tests := []struct {
		name string
		spec Spec
		want []string
	}{
		{"no program", Spec{}, []string{"no program given"}},
		{"missing program", Spec{Path: missing}, []string{missing}},
		{"missing in PATH", Spec{Path: "tare-no-such-program"}, []string{"tare-no-such-program"}},
		{"missing directory", Spec{Path: good.Path, Dir: missing}, []string{"working directory", missing}},
		{"file as directory", Spec{Path: good.Path, Dir: file}, []string{"working directory", file}},
		{"not executable", Spec{Path: file}, []string{file}},
		{"zero byte", Spec{Path: good.Path, Args: []string{"a\x00b"}}, []string{good.Path, `"a\x00b"`}},
		{"zero byte in the environment", Spec{Path: good.Path, Env: []string{"A=a\x00b"}}, []string{good.Path, `"A=a\x00b"`}},
		{"all at once", Spec{Path: good.Path, Extra: make([]*os.File, 61), Timeout: -1}, []string{"61 extra files", "negative timeout"}},
	}
	each(t, func(t *testing.T, l *Launcher) {
		for _, test := range tests {
			_, err := l.Run(t.Context(), test.spec)
			if err == nil {
				t.Errorf("%s: no error", test.name)
				continue
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%s: %q is not in %q", test.name, want, err)
				}
			}
		}
		if res, err := l.Run(t.Context(), good); err != nil {
			t.Errorf("after all these errors: %+v, %v", res, err)
		}
	})
}

func TestCancel(t *testing.T) {
	each(t, func(t *testing.T, l *Launcher) {
		why := errors.New("enough seen")
		ctx, cancel := context.WithCancelCause(t.Context())
		c, r := spawn(t, l, ctx, role("sleep"))
		line(t, r)
		cancel(why)
		res, err := c.Wait()
		if !errors.Is(err, why) || res.Pid != c.Pid() || res.ExitCode == 0 {
			t.Errorf("%+v, %v", res, err)
		}
		if _, err := l.Run(ctx, role("exit", "0")); !errors.Is(err, why) {
			t.Errorf("with a context that is done: %v", err)
		}
	})
}

func TestKill(t *testing.T) {
	each(t, func(t *testing.T, l *Launcher) {
		c, r := spawn(t, l, t.Context(), role("sleep"))
		line(t, r)
		c.Kill()
		if res, err := c.Wait(); !errors.Is(err, ErrKilled) || res.ExitCode == 0 {
			t.Errorf("%+v, %v", res, err)
		}
		c.Kill() // does nothing, whoever may have the pid now
		if _, err := c.Wait(); !errors.Is(err, ErrKilled) {
			t.Errorf("second Wait: %v", err)
		}
	})
}

func TestKillAfterTheEnd(t *testing.T) {
	each(t, func(t *testing.T, l *Launcher) {
		c, r := spawn(t, l, t.Context(), role("exit", "3"))
		io.Copy(io.Discard, r)
		for range 100 {
			c.Kill()
		}
		res, err := c.Wait()
		// Either it was quicker, or it was killed between closing its output and its end. Nothing in between.
		if showsSignals && (err == nil) != (res.ExitCode == 3) {
			t.Errorf("%+v, %v", res, err)
		}
	})
}

func TestTimeout(t *testing.T) {
	each(t, func(t *testing.T, l *Launcher) {
		spec := role("sleep")
		spec.Timeout = 50 * time.Millisecond
		res, err := l.Run(t.Context(), spec)
		if !errors.Is(err, ErrTimeout) || !strings.Contains(err.Error(), "50ms") {
			t.Errorf("%+v, %v", res, err)
		}
		if runtime.GOOS != "windows" && res.Signal != syscall.SIGKILL {
			t.Errorf("%+v", res)
		}
		spec = role("exit", "0")
		spec.Timeout = time.Minute
		if res, err := l.Run(t.Context(), spec); err != nil {
			t.Errorf("in time: %+v, %v", res, err)
		}
	})
}

func TestMany(t *testing.T) {
	each(t, func(t *testing.T, l *Launcher) {
		var wg sync.WaitGroup
		for g := range 8 {
			wg.Go(func() {
				for i := range 20 {
					code := g*20 + i
					spec := role("exit", strconv.Itoa(code))
					spec.Env = append(spec.Env, "PAD="+strings.Repeat("x", 40<<10)) // so that the launcher renews itself in between
					if res, err := l.Run(t.Context(), spec); err != nil || res.ExitCode != code {
						t.Errorf("exit %d: %+v, %v", code, res, err)
					}
				}
			})
		}
		wg.Wait()
	})
}

func TestClose(t *testing.T) {
	each(t, func(t *testing.T, l *Launcher) {
		c, r := spawn(t, l, t.Context(), role("sleep"))
		line(t, r)
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		if _, err := c.Wait(); !errors.Is(err, ErrClosed) {
			t.Error(err)
		}
		if _, err := l.Run(t.Context(), role("exit", "0")); !errors.Is(err, ErrClosed) {
			t.Error(err)
		}
		if err := l.Close(); err != nil {
			t.Errorf("second Close: %v", err)
		}
	})
}
