//go:build linux || darwin

package spawn

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// startHost starts the cached launcher, and one built for this run where the cache cannot serve: no home
// directory, read-only, mounted noexec, or a damaged file in it.
func startHost(ctx context.Context, cfg Config) (host, error) {
	bin, err := cached(ctx, cfg)
	if err == nil {
		r, dialErr := dial(bin)
		if dialErr == nil {
			return r, nil
		}
		os.Remove(bin) // if it was damaged, the next run builds it anew
		err = dialErr
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("launch: starting the launcher: %w", context.Cause(ctx))
	}
	r, tempErr := startTemporary(ctx, cfg)
	if tempErr != nil {
		return nil, fmt.Errorf("launch: no launcher: %w", errors.Join(err, tempErr))
	}
	return r, nil
}

// startTemporary leaves nothing behind: a running program needs its file no longer.
func startTemporary(ctx context.Context, cfg Config) (*remote, error) {
	dir, err := os.MkdirTemp("", "tare-launcher-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	bin, err := build(ctx, cfg, dir)
	if err != nil {
		return nil, err
	}
	return dial(bin)
}
