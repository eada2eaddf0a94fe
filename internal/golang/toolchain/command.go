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
// ended, the error is its cause, otherwise that of Cmd.Run, explained by [Ended].
func Capture(ctx context.Context, cmd *exec.Cmd) (stdout, stderr string, err error) {
	Interruptible(cmd)
	var out, msg strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &msg
	err = Ended(ctx, cmd.Run(), msg.String())
	return out.String(), msg.String(), err
}

// signalGrace is how long after the end of a go command ctx may end by the same signal. A terminal sends a signal to all
// processes of a group, so that tare and the go command get it at the same time.
const signalGrace = 300 * time.Millisecond

// Ended returns the error of a go command that has ended with err and said something on its standard error. If ctx has
// ended, or ends because of the signal that ended the command, it is the cause of that. If a signal ended the command
// alone, the error names it and wraps err.
func Ended(ctx context.Context, err error, said string) error {
	if err == nil {
		return nil
	}
	signal := endedBy(err)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && (signal != "" || strings.TrimSpace(said) == "") {
		select {
		case <-ctx.Done():
		case <-time.After(signalGrace):
		}
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case signal != "":
		return &SignalError{signal, err}
	}
	return err
}

// SignalError is the error of a go command that was ended by a signal.
type SignalError struct {
	Signal string // as the system names it: "killed", "terminated"
	Err    error
}

func (e *SignalError) Error() string { return "the go command was ended by a signal: " + e.Signal }
func (e *SignalError) Unwrap() error { return e.Err }

// Advice returns what may be the reason.
func (e *SignalError) Advice() string {
	if e.Signal == "killed" {
		return "the system ends processes when memory is short: make room, or build with fewer at a time (GOFLAGS=-p=1)"
	}
	return "another process sent it; start again"
}
