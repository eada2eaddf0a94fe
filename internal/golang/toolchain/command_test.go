package toolchain

import (
	"context"
	"errors"
	"os/exec"
	"testing"
	"time"
)

// TestCapture: standard output and standard error are returned separately, and the error says why go was ended.
func TestCapture(t *testing.T) {
	out, said, err := Capture(t.Context(), exec.CommandContext(t.Context(), "go", "env", "GOOS"))
	if err != nil || out == "" || said != "" {
		t.Errorf("%q, %q, %v", out, said, err)
	}
	_, said, err = Capture(t.Context(), exec.CommandContext(t.Context(), "go", "nonsense"))
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || said == "" {
		t.Errorf("%q, %v", said, err)
	}
	why := errors.New("enough")
	ctx, cancel := context.WithTimeoutCause(t.Context(), 10*time.Millisecond, why)
	defer cancel()
	if _, _, err := Capture(ctx, exec.CommandContext(ctx, "sleep", "60")); !errors.Is(err, why) {
		t.Error(err)
	}
}
