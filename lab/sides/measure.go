package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// measure makes the runs. A run that fails ends them.
func measure(ctx context.Context, c config) error {
	if c.runs == 0 {
		return nil
	}
	server, err := filepath.Abs(filepath.Join(c.dir, "server"))
	if err != nil {
		return err
	}
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", server, "github.com/tarebench/tare/lab/sides/server").CombinedOutput(); err != nil {
		return fmt.Errorf("the server: %w\n%s", err, out)
	}
	there, err := recordsIn(c.dir)
	if err != nil {
		return err
	}
	for i := range c.runs {
		name := filepath.Join(c.dir, fmt.Sprintf("run-%03d.jsonl", len(there)+i+1))
		if err := measureOne(ctx, c, server, name); err != nil {
			return fmt.Errorf("run %d: %w", i+1, err)
		}
	}
	return nil
}

func measureOne(ctx context.Context, c config, server, name string) error {
	command := fmt.Sprintf("'%s' -addr 127.0.0.1:{port}", server)
	cmd := exec.CommandContext(ctx, c.tare, "load", "--db", "http://127.0.0.1:{port}/",
		"--side", "a="+command, "--side", fmt.Sprintf("b=%s -slower %g", command, c.slower),
		"--rate", fmt.Sprint(c.rate), "--duration", c.duration.String(), "--starts", fmt.Sprint(c.starts),
		"-p", "http.ttfb=false", "--progress", "none", "-o", name)
	cmd.Stderr = os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	return cmd.Run()
}

// recordsIn returns the records of a directory, in the order in which they were made.
func recordsIn(dir string) ([]string, error) {
	return filepath.Glob(filepath.Join(dir, "run-*.jsonl"))
}
