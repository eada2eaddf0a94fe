package gocmd

import (
	"os"
	"os/exec"
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
