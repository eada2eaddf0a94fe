//go:build linux || darwin

package helper

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/tempdir"
)

// goMod names an older Go version than tare needs, because the user's go command may be older than the one
// that built tare.
const goMod = "module %s\n\ngo 1.24\n"

// files returns the program's files by name.
func (p Program) files() map[string][]byte {
	files := map[string][]byte{"go.mod": fmt.Appendf(nil, goMod, p.Name)}
	names, err := fs.Glob(p.Sources, "helper/*.go")
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		if files[path.Base(name)], err = fs.ReadFile(p.Sources, name); err != nil {
			break
		}
	}
	if err != nil {
		panic(err) // the files are embedded
	}
	return files
}

// Cached returns the path of the program in the cache and builds it first if it is missing. Two processes may
// build at once: each builds in its own directory, and the last rename wins.
func (p Program) Cached(ctx context.Context, cfg Config) (string, error) {
	dir := cfg.CacheDir
	if dir == "" {
		var err error
		if dir, err = tempdir.UserDir(); err != nil {
			return "", err
		}
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	name := p.CacheName()
	bin := filepath.Join(dir, name)
	if info, err := os.Stat(bin); err == nil && info.Mode().IsRegular() {
		return bin, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	work, err := tempdir.DirIn(dir, p.Name+"-build")
	if err != nil {
		return "", err
	}
	defer work.Remove()
	built, err := p.Build(ctx, cfg, work.Path)
	if err != nil {
		return "", err
	}
	p.prune(dir)
	return bin, os.Rename(built, bin)
}

// CacheName returns a file name that changes with the program's sources and settings, system and Go version. Unless the
// program says otherwise, the version is the one tare was built with, because asking the go command costs more than
// starting a program.
func (p Program) CacheName() string {
	files := p.files()
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(h, "%s %d\n%s", name, len(files[name]), files[name])
	}
	fmt.Fprintln(h, cmp.Or(p.Version, runtime.Version()), runtime.GOOS, runtime.GOARCH)
	for _, x := range append(slices.Clone(p.Flags), p.Env...) {
		fmt.Fprintf(h, "%q\n", x)
	}
	return p.Name + "-" + hex.EncodeToString(h.Sum(nil)[:8])
}

// Build builds the program in the empty directory dir and returns its path. It needs no network.
func (p Program) Build(ctx context.Context, cfg Config, dir string) (bin string, err error) {
	for name, text := range p.files() {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return "", err
		}
	}
	goCmd := cfg.Go
	if goCmd == "" {
		goCmd = "go"
	}
	bin = filepath.Join(dir, p.Name)
	args := append([]string{"build", "-trimpath", "-ldflags=-s -w"}, p.Flags...)
	cmd := exec.CommandContext(ctx, goCmd, append(args, "-o", bin, ".")...)
	cmd.Dir = dir
	cmd.Env = append(buildEnv(dir), p.Env...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // killed, go would leave its compilers and its work directory
	cmd.WaitDelay = 5 * time.Second
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s build of the %s: %w\n%s", goCmd, p.Name, err, strings.TrimSpace(string(out)))
	}
	return bin, nil
}

// buildEnv returns our environment without the settings that could change the built program. It sets no
// variable to the empty string, because then the go command would use its configuration file (go env -w).
func buildEnv(dir string) []string {
	env := append(os.Environ(),
		"PWD="+dir,
		"GOFLAGS=-mod=mod",
		"GOWORK=off",
		"GO111MODULE=on",
		"GOTOOLCHAIN=local",
		"CGO_ENABLED=0",
		"GOOS="+runtime.GOOS,
		"GOARCH="+runtime.GOARCH,
	)
	if _, err := os.UserCacheDir(); err != nil && os.Getenv("GOCACHE") == "" {
		env = append(env, "GOCACHE="+filepath.Join(dir, "gocache")) // slower than a shared cache
	}
	return env
}

// prune removes old versions of the program. It is called only after a build; a
// tare that misses its version builds it again.
func (p Program) prune(dir string) {
	const old = 30 * 24 * time.Hour
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && strings.HasPrefix(e.Name(), p.Name+"-") && time.Since(info.ModTime()) > old {
			os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}
