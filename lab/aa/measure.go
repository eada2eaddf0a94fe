package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// The benchmarks: sorting in place, a small allocation, a buffer, decoding with many allocations, a loop over a text, a
// growing map.
var (
	packages = []string{"sort", "strings", "encoding/json", "regexp", "runtime"}
	names    = "SortInt1K$|^BenchmarkFields$/ASCII/256$|ByteReplacerWriteString$|UnmarshalMap$|OnePassLongPrefix$|MapPopulate/1000$"
)

// measure makes the runs. A run that fails ends them.
func measure(ctx context.Context, c config) error {
	dir, err := filepath.Abs(c.dir)
	if err != nil {
		return err
	}
	for _, name := range []string{"go.mod", "aa.go"} { // tare builds the sides here
		text := "module aa\n"
		if name == "aa.go" {
			text = "package aa\n"
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	stop, err := startHogs(c.hogs)
	if err != nil {
		return err
	}
	defer stop()
	for i := range c.runs {
		cmd := exec.CommandContext(ctx, c.tare, "bench", "--bench", names, "--side", "a=.", "--side", "b=.",
			"--side-flags", "b=-ldflags=-X=main.unused=1", "--progress", "none", "-o", freeName(dir))
		cmd.Args = append(cmd.Args, packages...)
		cmd.Dir, cmd.Stderr = dir, os.Stderr
		cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("run %d: %w", i+1, err)
		}
	}
	return nil
}

// freeName returns a name for the next record.
func freeName(dir string) string {
	for i := 1; ; i++ {
		name := filepath.Join(dir, fmt.Sprintf("run-%03d.jsonl", i))
		if _, err := os.Stat(name); err != nil {
			return name
		}
	}
}

// startHogs starts n endless loops.
func startHogs(n int) (stop func(), err error) {
	var hogs []*exec.Cmd
	stop = func() {
		for _, h := range hogs {
			h.Process.Kill()
			h.Wait()
		}
	}
	for range n {
		h := exec.Command("sh", "-c", "while :; do :; done")
		if err := h.Start(); err != nil {
			stop()
			return nil, err
		}
		hogs = append(hogs, h)
	}
	return stop, nil
}
