package gocmd

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"time"
)

// interruptGrace is how long an interrupted go command may take to end its compilers
// and remove its work directory.
const interruptGrace = 5 * time.Second

// Interruptible has a go command, of exec.CommandContext, interrupted where its context
// ends, and only killed if it does not end then: killed at once, it would leave its
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

// Capture runs a go command, of exec.CommandContext, as [Interruptible] has it, and
// returns what it prints. Where ctx has ended the error is why, and else that of Cmd.Run.
func Capture(ctx context.Context, cmd *exec.Cmd) (stdout, stderr string, err error) {
	Interruptible(cmd)
	var out, msg strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &msg
	if err = cmd.Run(); err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return out.String(), msg.String(), err
}
