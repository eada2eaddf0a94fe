package sample

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/tarebench/tare/internal/gocmd"
	"github.com/tarebench/tare/internal/profiler"
)

// Overlay returns the file for go's flag -overlay with which a build in dir has the half in the
// process. goflags are GOFLAGS as `go env` prints it, and flags what the build is told besides: the overlay
// that these name already is part of it. The files stay the same for a toolchain, so that the
// standard library is compiled once. The error wraps [ErrUnfit] where the toolchain is to blame.
func Overlay(t Toolchain, dir, goflags string, flags []string) (string, error) {
	in, err := NewInside(t)
	if err != nil {
		return "", err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return "", err
	}
	also, err := gocmd.ReadOverlay(dir, gocmd.ParseFlags(goflags, flags...))
	if err != nil {
		return "", err
	}
	return in.Overlay(cacheDir(), also)
}

// cacheDir is where the half in the process is kept for the next build.
func cacheDir() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	return filepath.Join(cache, "tare", Name)
}

// overlayFor asks go which toolchain builds, and is Overlay for that.
func overlayFor(ctx context.Context, b profiler.Build) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "env", "-json", "GOROOT", "GOVERSION", "GOOS", "GOARCH", "GOFLAGS")
	cmd.Dir, cmd.Env = b.Dir, b.Env
	out, said, err := gocmd.Capture(ctx, cmd)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = fmt.Errorf("%w: %s", err, strings.Join(strings.Fields(said), " "))
	}
	if err != nil {
		return "", fmt.Errorf("go env: %w", err)
	}
	var env struct{ GOROOT, GOVERSION, GOOS, GOARCH, GOFLAGS string }
	if err := json.Unmarshal([]byte(out), &env); err != nil {
		return "", fmt.Errorf("what go env prints: %w", err)
	}
	return Overlay(Toolchain{Root: env.GOROOT, Version: env.GOVERSION, OS: env.GOOS, Arch: env.GOARCH}, b.Dir, env.GOFLAGS, b.Flags)
}
