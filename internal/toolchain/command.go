package toolchain

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Command says how the go command is run. The zero value is the one in PATH, in this
// process's directory and environment.
type Command struct {
	Go  string   // its path
	Dir string   // where it runs
	Env []string // all of its environment
}

// Run runs the go command and returns what it prints. The error of one that fails is what it
// printed to stderr; if ctx has ended, it wraps the cause.
func (c Command) Run(ctx context.Context, args ...string) (stdout, stderr string, err error) {
	name := c.Go
	if name == "" {
		name = "go"
	}
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = c.Dir, c.Env
	stdout, stderr, err = Capture(ctx, cmd)
	if text := strings.TrimSpace(stderr); err != nil && ctx.Err() == nil && text != "" {
		err = errors.New(text)
	}
	if err != nil {
		return "", stderr, fmt.Errorf("go %s: %w", args[0], err)
	}
	return stdout, stderr, nil
}

// interruptGrace is how long an interrupted go command may take to end its compilers
// and remove its work directory.
const interruptGrace = 5 * time.Second

// Interruptible makes the end of the context of cmd, a go command of exec.CommandContext,
// interrupt it. It is killed only if it does not end then: killed at once, it would leave its
// compilers and its work directory behind.
func Interruptible(cmd *exec.Cmd) {
	cmd.Cancel = func() error {
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			return cmd.Process.Kill()
		}
		return nil
	}
	cmd.WaitDelay = interruptGrace
}

// Capture runs a go command of exec.CommandContext, made [Interruptible], and returns what it
// prints. If ctx has ended the error is its cause, otherwise that of Cmd.Run.
func Capture(ctx context.Context, cmd *exec.Cmd) (stdout, stderr string, err error) {
	Interruptible(cmd)
	var out, msg strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &msg
	if err = cmd.Run(); err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return out.String(), msg.String(), err
}
