//go:build unix

package toolchain

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"testing"
)

// TestEnded: a signal that ends the go command ends tare, too, where both get it, in whatever
// order; one that only the command gets is named.
func TestEnded(t *testing.T) {
	for _, c := range []struct {
		script string
		ends   bool // the context, after the command
		want   string
	}{
		{"kill -TERM $$", true, context.Canceled.Error()},
		{"exit 1", true, context.Canceled.Error()}, // as go ends by SIGINT
		{"kill -TERM $$", false, "the go command was ended by a signal: terminated"},
		{"kill -KILL $$", false, "the go command was ended by a signal: killed"},
		{"exit 1", false, "exit status 1"},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		cmd := exec.Command("sh", "-c", c.script)
		err := cmd.Run()
		if c.ends {
			go cancel() // after the command, as far as Ended can know
		}
		err = Ended(ctx, err, "")
		cancel()
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.script, err, c.want)
		}
		if signal := (*SignalError)(nil); errors.As(err, &signal) && strings.Contains(c.want, "killed") != strings.Contains(signal.Advice(), "memory") {
			t.Error(signal.Advice())
		}
	}
	if err := Ended(t.Context(), nil, ""); err != nil {
		t.Error(err)
	}
}
