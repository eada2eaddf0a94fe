//go:build linux || darwin

package spawn

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/tarebench/tare/internal/base/tempdir"
)

// startHost starts the cached launcher. If the cache is unusable (no home directory, read-only, noexec,
// damaged file), it starts one built for this run.
func startHost(ctx context.Context, cfg Config) (host, error) {
	bin, err := launcher.Cached(ctx, cfg)
	if err == nil {
		r, dialErr := startProgram(bin)
		if dialErr == nil {
			return r, nil
		}
		os.Remove(bin) // if it was damaged, the next run builds it anew
		err = dialErr
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("spawn: starting the launcher: %w", context.Cause(ctx))
	}
	r, tempErr := startTemporary(ctx, cfg)
	if tempErr != nil {
		return nil, fmt.Errorf("spawn: no launcher: %w", errors.Join(err, tempErr))
	}
	return r, nil
}

// startTemporary builds and starts a launcher in a temporary directory and removes it: a running program no
// longer needs its file.
func startTemporary(ctx context.Context, cfg Config) (*launcherProgram, error) {
	place, err := tempdir.Dir("launcher")
	if err != nil {
		return nil, err
	}
	defer place.Remove()
	bin, err := launcher.Build(ctx, cfg, place.Path)
	if err != nil {
		return nil, err
	}
	return startProgram(bin)
}
