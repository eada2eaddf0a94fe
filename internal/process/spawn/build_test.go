//go:build linux || darwin

package spawn

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func runOne(t *testing.T, cfg Config) {
	t.Helper()
	l, err := Start(t.Context(), cfg)
	if err != nil {
		t.Error(err)
		return
	}
	defer l.Close()
	if res, err := l.Run(t.Context(), role("exit", "5")); err != nil || res.ExitCode != 5 {
		t.Errorf("%+v, %v", res, err)
	}
}

func TestConcurrentBuilds(t *testing.T) {
	cfg := Config{CacheDir: filepath.Join(t.TempDir(), "not", "there yet")}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { runOne(t, cfg) })
	}
	wg.Wait()
	name := launcher.CacheName()
	left, err := os.ReadDir(cfg.CacheDir)
	if err != nil || len(left) != 1 || left[0].Name() != name {
		t.Errorf("in the cache: %v, %v", left, err)
	}
}

func TestCacheIsUsed(t *testing.T) {
	start(t)
	runOne(t, Config{CacheDir: cacheDir, Go: "tare-no-such-go"})
}

func TestNoGoCommand(t *testing.T) {
	_, err := Start(t.Context(), Config{CacheDir: t.TempDir(), Go: "tare-no-such-go"})
	if err == nil || !strings.Contains(err.Error(), "tare-no-such-go") {
		t.Errorf("error %v", err)
	}
}

func TestUnusableCache(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	runOne(t, Config{CacheDir: file})
	if left, err := filepath.Glob(filepath.Join(temp, "tare-run-launcher-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestDamagedCache(t *testing.T) {
	name := launcher.CacheName()
	for what, text := range map[string]string{"empty": "", "another program": "#!/bin/sh\necho hello\n"} {
		cfg := Config{CacheDir: t.TempDir()}
		if err := os.WriteFile(filepath.Join(cfg.CacheDir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
		runOne(t, cfg)
		if exists(filepath.Join(cfg.CacheDir, name)) {
			t.Errorf("%s: kept", what)
		}
	}
}

func TestBuildIgnoresGoSettings(t *testing.T) {
	t.Setenv("GOFLAGS", "-mod=vendor -tags=nonsense")
	t.Setenv("GOOS", "plan9")
	t.Setenv("GOARCH", "wasm")
	t.Setenv("GOWORK", "/nonsense/go.work")
	t.Setenv("GO111MODULE", "off")
	runOne(t, Config{CacheDir: t.TempDir()})
}
