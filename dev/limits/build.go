//go:build unix

package main

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/stat"
)

const program = "./cmd/tare"

// coldBuilds is how often a build is repeated.
const coldBuilds = 3

// coldBuild returns how long it takes to compile the command where the standard library has been compiled.
func coldBuild(l *lab) (figure, error) {
	place, err := tempdir.Dir("limits")
	if err != nil {
		return figure{}, err
	}
	defer place.Remove()
	warm := filepath.Join(place.Path, "std")
	std, err := exec.CommandContext(l.ctx, "go", "list", "-deps", "-f", "{{if .Standard}}{{.ImportPath}}{{end}}", program).Output()
	if err != nil {
		return figure{}, err
	}
	if err := l.build(warm, append([]string{"build", "-trimpath"}, strings.Fields(string(std))...)...); err != nil {
		return figure{}, err
	}
	var seconds []float64
	for range coldBuilds {
		cache := filepath.Join(place.Path, "cache")
		if err := os.RemoveAll(cache); err != nil {
			return figure{}, err
		}
		if err := os.CopyFS(cache, os.DirFS(warm)); err != nil {
			return figure{}, err
		}
		began := time.Now()
		if err := l.build(cache, "build", "-trimpath", "-o", filepath.Join(place.Path, "tare"), program); err != nil {
			return figure{}, err
		}
		seconds = append(seconds, time.Since(began).Seconds())
	}
	return figure{stat.Median(seconds), slices.Min(seconds), slices.Max(seconds), "s"}, nil
}

// build runs the go command with a build cache.
func (l *lab) build(cache string, args ...string) error {
	cmd := exec.CommandContext(l.ctx, "go", args...)
	cmd.Env = append(os.Environ(), "GOCACHE="+cache)
	cmd.Stdout, cmd.Stderr = l.log, l.log
	return cmd.Run()
}

// size returns the size of the command as it is released.
func size(l *lab) (figure, error) {
	place, err := tempdir.Dir("limits")
	if err != nil {
		return figure{}, err
	}
	defer place.Remove()
	path := filepath.Join(place.Path, "tare")
	cmd := exec.CommandContext(l.ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", path, program)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	cmd.Stdout, cmd.Stderr = l.log, l.log
	if err := cmd.Run(); err != nil {
		return figure{}, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return figure{}, err
	}
	return figure{float64(info.Size()) / 1e6, math.NaN(), math.NaN(), "MB"}, nil
}

// firstCommand returns how long the first command of the README takes where nothing has been compiled. Modules are there.
func firstCommand(l *lab) (figure, error) {
	place, err := tempdir.Dir("limits")
	if err != nil {
		return figure{}, err
	}
	defer place.Remove()
	cmd := exec.CommandContext(l.ctx, "go", "run", "-trimpath", program, "bench", "--bench", "SortInt1K$|StableInt1K$", "sort")
	cmd.Env = append(os.Environ(), "GOCACHE="+filepath.Join(place.Path, "go"), "XDG_CACHE_HOME="+filepath.Join(place.Path, "cache"))
	cmd.Stdout, cmd.Stderr = l.log, l.log
	began := time.Now()
	err = cmd.Run()
	return figure{time.Since(began).Seconds(), math.NaN(), math.NaN(), "s"}, err
}
