package sample_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/process/spawn"
	"github.com/tarebench/tare/internal/profile/sample"
	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/record"
)

// TestForeignBuilds: it works in programs that are built in other ways.
func TestForeignBuilds(t *testing.T) {
	if os.Getenv("TARE_FOREIGN") != "1" {
		t.Skip("TARE_FOREIGN is not 1: it takes building the standard library again")
	}
	for _, flags := range [][]string{{"-buildmode=pie", "-ldflags=-s -w"}, {"-race"}} {
		t.Run(strings.Join(flags, " "), func(t *testing.T) {
			testutil.Retry(t, func(int) error {
				run, _ := sampleRun(t, watched(t, flags...), sample.Config{}, "calls")
				return mustSee(run, "main.sleepLong")
			})
			run, out := sampleRun(t, watched(t, flags...), sample.Config{}, "deadlock")
			if run.Process.ExitCode != 2 && flags[0] != "-race" {
				t.Errorf("%+v\n%s", run.Process, out)
			}
		})
	}
}

// TestVersions samples a program that another Go version builds, from the module cache.
func TestVersions(t *testing.T) {
	if os.Getenv("TARE_FOREIGN") != "1" {
		t.Skip("TARE_FOREIGN is not 1: it takes building the standard library")
	}
	for _, version := range []string{"go1.27.0"} {
		path, err := buildProgram("watched", nil, "GOTOOLCHAIN="+version)
		if err != nil {
			t.Fatal(err)
		}
		testutil.Retry(t, func(int) error {
			run, _ := sampleRun(t, path, sample.Config{}, "calls")
			return mustSee(run, "main.sleepLong")
		})
	}
}

// TestRefusals: what cannot be sampled is an error of one line.
func TestRefusals(t *testing.T) {
	l, err := spawn.Start(t.Context(), spawn.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("#!/bin/sh\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path string
		c    sample.Config
		want string
	}{
		{self, sample.Config{}, "built without the sampler"},
		{text, sample.Config{}, "not an executable file"},
		{filepath.Join(t.TempDir(), "absent"), sample.Config{}, "no such file"},
		{"no-such-command-anywhere", sample.Config{}, "not found"},
		{self, sample.Config{Mode: record.SampledCPU, Interval: 1001 * time.Millisecond}, "an interval of 1.001s of CPU time: want 100µs to 1s"},
		{self, sample.Config{Mode: record.SampledWall, Interval: 2 * time.Hour}, "an interval of 2h0m0s: want 100µs to 1h0m0s"},
		{self, sample.Config{Mode: "x", Interval: 1, Capacity: 1, Duration: -1}, "mode \"x\""},
	} {
		_, err := sample.Command(t.Context(), l, spawn.Spec{Path: c.path}, c.c)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.path, err, c.want)
		}
		if c.path == self && c.c.Mode == "" && !errors.Is(err, sample.ErrNotInside) {
			t.Errorf("%v", err)
		}
	}
}

// TestCancelled: samples of a program that is killed by a time limit are kept. A context that has ended is an error.
func TestCancelled(t *testing.T) {
	path := watched(t)
	l, err := spawn.Start(t.Context(), spawn.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	testutil.Retry(t, func(n int) error { // it may come to nothing in so short a time
		run, err := sample.Command(t.Context(), l, spawn.Spec{Path: path, Args: []string{"burn", "60000"}, Timeout: 500 * time.Millisecond << n}, sample.Config{})
		if err != nil {
			return err
		}
		if !errors.Is(run.Ended, spawn.ErrTimeout) {
			t.Errorf("%v", run.Ended)
		}
		return mustSee(run, "main.burn")
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := sample.Command(ctx, l, spawn.Spec{Path: path, Args: []string{"quick"}}, sample.Config{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestGoTool: the profile is one that go tool pprof reads.
func TestGoTool(t *testing.T) {
	var run *sample.Run
	testutil.Retry(t, func(int) error {
		run, _ = sampleRun(t, watched(t), sample.Config{}, "calls")
		if sum(run.Profile, record.TypeSamples, "main.sleepLong", record.LabelReason, "sleep") == 0 {
			return fmt.Errorf("not seen asleep: %v", run.Profile)
		}
		return nil
	})
	lines, err := run.Lines()
	if err != nil {
		t.Fatal(err)
	}
	var data []byte
	for _, l := range lines {
		if a, ok := l.(*record.Attach); ok && a.Name == record.AttachSampledProfile {
			data = a.Data
		}
	}
	path := filepath.Join(t.TempDir(), record.AttachSampledProfile)
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "tool", "pprof", "-top", "-tagfocus=reason=sleep", path).CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("time.Sleep")) || !bytes.Contains(out, []byte("main.sleepLong")) {
		t.Errorf("%v\n%s", err, out)
	}
}
