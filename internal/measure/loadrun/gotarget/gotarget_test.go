//go:build unix

package gotarget

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/golang/build"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/record"
)

// options build in the module of testdata, which has a copy in a temporary directory.
func options(t *testing.T) build.Options {
	t.Helper()
	repository, err := filepath.Abs(filepath.FromSlash("../../../.."))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/module")); err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(repository, "go.sum"))
	if err == nil {
		err = errors.Join(os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o666), os.WriteFile(filepath.Join(dir, "go.mod"), fmt.Appendf(nil,
			"module example.com/user\n\ngo 1.26\n\nrequire github.com/tarebench/tare v0.0.0\n\nreplace github.com/tarebench/tare => %s\n", repository), 0o666))
	}
	if err != nil {
		t.Fatal(err)
	}
	return build.Options{Dir: dir, Env: []string{"GOWORK=off", "GOFLAGS=-mod=mod"}, CacheDir: t.TempDir()}
}

// TestTarget: a target in a process of its own measures, fails and ends as one in this process.
func TestTarget(t *testing.T) {
	p, err := Build(t.Context(), options(t), "./internal/shop")
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	start := func(t *testing.T, cfg map[string]string) *Target {
		t.Helper()
		x, err := p.Start(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { x.Close() })
		return x
	}

	t.Run("phase", func(t *testing.T) {
		x := start(t, map[string]string{"say": "hello"})
		if !slices.Equal(x.Kinds(), []string{"BUY", "LOOK"}) || x.Capabilities().Name != "example.com/user/internal/shop" {
			t.Errorf("kinds %v, %+v", x.Kinds(), x.Capabilities())
		}
		for range 2 { // phases, one after the other
			var lines []record.Line
			total, err := x.Run(t.Context(), load.Config{Operations: 100, Workers: 2}, func(l record.Line) error {
				lines = append(lines, l)
				return nil
			})
			if err != nil || total.Completed != 100 || total.Errors["sold_out"] != 10 || total.First["sold_out"] != "sold out" || !total.Final {
				t.Fatalf("%+v, %v", total, err)
			}
			var buys uint64
			for _, l := range total.Latencies {
				if l.Kind == "BUY" && l.Tag == record.TagService {
					buys += uint64(l.Hist.Count())
				}
			}
			if buys != 40 {
				t.Errorf("%d times BUY were answered, want 40", buys)
			}
			last := slices.IndexFunc(lines, func(l record.Line) bool { x, ok := l.(*record.Load); return ok && x.Final })
			if last < 0 || lines[last].(*record.Load).Completed != 100 {
				t.Errorf("lines %+v", lines)
			}
		}
		if total, err := x.Idle().(interface {
			Run(context.Context, load.Config, load.Sink) (*load.Interval, error)
		}).Run(t.Context(), load.Config{Operations: 50}, nil); err != nil || total.Completed != 50 || total.Latencies[0].Kind != "NOOP" {
			t.Errorf("idle: %+v, %v", total, err)
		}
		if err := x.Close(); err == nil || err.Error() != "Close: the shop does not close" {
			t.Errorf("Close: %v", err)
		}
		if out := x.Output(); !strings.Contains(out, "hello") {
			t.Errorf("it printed %q", out)
		}
	})
	t.Run("share", func(t *testing.T) {
		x := start(t, map[string]string{})
		share, err := load.NewShare([]int{0, 1}, 0)
		if err != nil {
			t.Fatal(err)
		}
		if total, err := x.Run(t.Context(), load.Config{Operations: 10, Share: share}, nil); total != nil || err == nil || !strings.Contains(err.Error(), "cannot have a Config.Share") {
			t.Errorf("%+v, %v", total, err)
		}
		if err := x.Close(); err == nil || err.Error() != "Close: the shop does not close" { // it still answers
			t.Errorf("Close: %v", err)
		}
	})
	t.Run("status", func(t *testing.T) {
		x := start(t, map[string]string{})
		seen := make(chan *load.Interval, 1)
		ctx, cancel := context.WithCancel(t.Context())
		total, err := x.Run(ctx, load.Config{Schedule: load.Schedule{Rate: 200}, Duration: time.Hour, Interval: 10 * time.Millisecond, Status: func(i *load.Interval) {
			if i.Completed > 0 && len(i.Latencies) > 0 {
				select {
				case seen <- i:
				default:
				}
				cancel()
			}
		}}, nil)
		if !errors.Is(err, context.Canceled) || total == nil || total.Completed == 0 {
			t.Errorf("cancelled: %+v, %v", total, err)
		}
		if i := <-seen; i.Iter == 0 || i.Final {
			t.Errorf("status %+v", i)
		}
	})
	t.Run("sink", func(t *testing.T) {
		full := errors.New("the disk is full")
		total, err := start(t, map[string]string{}).Run(t.Context(), load.Config{Schedule: load.Schedule{Rate: 200}, Duration: time.Hour, Interval: 10 * time.Millisecond},
			func(l record.Line) error {
				if x, ok := l.(*record.Load); ok && x.Completed > 0 {
					return full
				}
				return nil
			})
		if !errors.Is(err, full) || total == nil {
			t.Errorf("%+v, %v", total, err)
		}
	})
	t.Run("errors", func(t *testing.T) {
		x := start(t, map[string]string{})
		if _, err := x.Run(t.Context(), load.Config{Operations: 1000, MaxErrors: 3}, nil); !errors.Is(err, load.ErrMaxErrors) {
			t.Errorf("many errors: %v", err)
		}
		if _, err := x.Run(t.Context(), load.Config{}, nil); err == nil || !strings.Contains(err.Error(), "no end") {
			t.Errorf("a phase without an end: %v", err)
		}
	})
	for say, want := range map[string]string{"panic": "load: worker 0 panicked: boom", "crash": "panic: crash", "exit": "exit status 7"} {
		t.Run(say, func(t *testing.T) {
			x := start(t, map[string]string{"do": say})
			completed := int64(0)
			_, err := x.Run(t.Context(), load.Config{Schedule: load.Schedule{Rate: 500}, Duration: time.Hour, Interval: time.Millisecond}, func(l record.Line) error {
				if x, ok := l.(*record.Load); ok {
					completed = x.Completed
				}
				return nil
			})
			if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "goroutine ") {
				t.Errorf("%v, want %s", err, want)
			}
			if completed == 0 {
				t.Error("nothing of what was measured before came")
			}
			if err := x.Close(); err == nil && say == "panic" {
				t.Error("a target that panicked was not closed")
			}
		})
	}
	t.Run("lost", func(t *testing.T) {
		for do, want := range map[string]struct{ err, hint string }{
			"exit before": {"its process ended (exit status 7)", "it ended within the first status interval"},
			"exit":        {"its process ended (exit status 7)", "what was measured until the last status interval counts; the operations after it are lost"},
			"no worker":   {"load: worker 0: Worker returned neither a worker nor an error", ""},
		} {
			_, err := start(t, map[string]string{"do": do}).Run(t.Context(), load.Config{Schedule: load.Schedule{Rate: 500}, Duration: time.Hour, Interval: time.Millisecond}, nil)
			hint := ""
			if e := exit.As(err); e != nil {
				hint = e.Hint
			}
			if err == nil || !strings.Contains(err.Error(), want.err) || !strings.Contains(hint, want.hint) || want.hint == "" && hint != "" {
				t.Errorf("%s: %v (%s), want %+v", do, err, hint, want)
			}
		}
	})
	t.Run("open", func(t *testing.T) {
		for do, want := range map[string]string{"fail": "./internal/shop: Target: no such shop", "panic at once": "Target: panic: at once", "nothing": "neither a target nor an error", "kinds": "./internal/shop: Kinds: there are none",
			"nil pointer": "./internal/shop: Kinds: panic: runtime error: invalid memory address", "leave": "exit status 3",
			"chat": "its process ended (exit status 0); the last that it printed: "} {
			if _, err := p.Start(t.Context(), map[string]string{"do": do}); err == nil || !strings.Contains(err.Error(), want) || exit.As(err) == nil || exit.As(err).Hint != "" {
				t.Errorf("%s: %v, want %s", do, err, want)
			}
		}
		refused := &load.RefusedError{}
		if _, err := p.Start(t.Context(), map[string]string{"do": "refuse"}); !errors.As(err, &refused) || refused.Allow != "10.9.9.9:80" {
			t.Errorf("refused: %v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		if _, err := p.Start(ctx, map[string]string{"do": "hang"}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("one that does not return: %v", err)
		}
	})
	t.Run("orphan", func(t *testing.T) { // its input ends, as when tare is killed
		x := start(t, map[string]string{})
		x.requests.Close()
		select {
		case <-x.ended:
		case <-time.After(time.Minute):
			t.Error("the process goes on")
		}
	})
}

// TestBuildFails: what is wrong with a package is said in a line, with what is right.
func TestBuildFails(t *testing.T) {
	opt := options(t)
	for pattern, want := range map[string]struct {
		text, hint string
		code       int
	}{
		"./none":    {"./none: it has no function Target", Signature, exit.Misuse},
		"./wrong":   {"./wrong: its Target is a func(url string) error", Signature, exit.Misuse},
		"./kind":    {"./kind: its Target is no function: ", Signature, exit.Misuse},
		"./broken":  {"broken/broken.go:3:", "", exit.Failure},
		"./program": {"./program: a package main cannot be imported", Signature, exit.Misuse},
		"./...":     {"packages, and one is a target", "example.com/user/", exit.Misuse},
		"./nowhere": {"./nowhere: no such directory", "", exit.Misuse},
	} {
		p, err := Build(t.Context(), opt, pattern)
		if err == nil {
			p.Close()
			t.Errorf("%s is built", pattern)
			continue
		}
		e := exit.As(err)
		if e == nil || e.Code != want.code || !strings.Contains(err.Error(), want.text) || !strings.Contains(e.Hint, want.hint) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, %+v", pattern, err, e)
		}
	}
	opt.Dir = t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/without\n\ngo 1.26\n", "a.go": "package a\n\nimport \"github.com/tarebench/tare/load\"\n\nfunc Target(map[string]string) (load.Target, error) { return nil, nil }\n"} {
		if err := os.WriteFile(filepath.Join(opt.Dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	opt.Env = append(opt.Env, "GOFLAGS=", "GOPROXY=off")
	if _, err := Build(t.Context(), opt, "."); err == nil || !strings.Contains(err.Error(), "does not require github.com/tarebench/tare") || !strings.Contains(exit.As(err).Hint, "go get ") {
		t.Errorf("a module without tare: %v", err)
	}
}

// TestFailure: errors that callers distinguish keep their identity across the protocol.
func TestFailure(t *testing.T) {
	for _, reason := range reasons {
		f := failureOf(fmt.Errorf("load: %w: 5", reason))
		if err := f.err(); !errors.Is(err, reason) || !strings.HasSuffix(err.Error(), ": 5") {
			t.Errorf("%v comes as %v", reason, err)
		}
	}
	if failureOf(nil).err() != nil {
		t.Error("no error is one")
	}
}
