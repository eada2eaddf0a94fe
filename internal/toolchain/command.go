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

// Command is how the go command is run. The zero value runs the one in PATH, in this process's directory and
// environment.
type Command struct {
	Go  string   // path of the go command; default: "go"
	Dir string   // working directory
	Env []string // complete environment
}

// Run runs the go command and returns its output. If go fails, the error contains its standard error; if ctx has
// ended, the error wraps the cause.
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

// interruptGrace is how long an interrupted go command may take to stop its compilers and remove its work directory.
const interruptGrace = 5 * time.Second

// Interruptible makes the end of cmd's context interrupt cmd, and kill it only if it does not end in time. A go
// command that is killed at once leaves its compilers and its work directory behind.
func Interruptible(cmd *exec.Cmd) {
	cmd.Cancel = func() error {
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			return cmd.Process.Kill()
		}
		return nil
	}
	cmd.WaitDelay = interruptGrace
}

// Capture runs a go command made by exec.CommandContext, makes it [Interruptible], and returns its output. If ctx has
// ended, the error is its cause, otherwise that of Cmd.Run.
func Capture(ctx context.Context, cmd *exec.Cmd) (stdout, stderr string, err error) {
	Interruptible(cmd)
	var out, msg strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &msg
	if err = cmd.Run(); err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return out.String(), msg.String(), err
}
