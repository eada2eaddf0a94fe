package env

import (
	"context"
	"errors"
	"fmt"
	"go/version"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// minGo is the oldest toolchain with which tare builds benchmarks.
const minGo = "go1.26"

// golang describes the Go toolchain on PATH.
type golang struct {
	path    string // of the go command
	version string // as GOVERSION: "go1.26.8", "devel go1.27-abc …"
}

// findGo asks the go command on PATH for its own version, not the one to which a go.mod would switch.
func findGo(ctx context.Context) (golang, error) {
	path, err := exec.LookPath("go")
	if err != nil {
		return golang{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "env", "GOVERSION")
	cmd.Dir = filepath.Dir(path) // outside of any module
	cmd.Env = append(os.Environ(), "GOTOOLCHAIN=local", "GO111MODULE=off", "GOFLAGS=")
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		return golang{path: path}, fmt.Errorf("%s env GOVERSION: %w", path, err)
	}
	return golang{path, oneLine(string(out))}, nil
}

// goFinding checks that the toolchain is new enough.
func (h host) goFinding() Finding {
	g, err := h.golang()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return warn("go", "install Go from https://go.dev/dl and put it on PATH", "no go command on PATH")
	case err != nil:
		return warn("go", "make this command work", "%s", oneLine(err.Error()))
	}
	text := fmt.Sprintf("%s (%s)", g.version, g.path)
	lang := releaseOf(g.version)
	if lang == "" {
		return warn("go", "tare is made for "+minGo+" and later", "%s: unknown version", text)
	}
	if version.Compare(lang, minGo) < 0 {
		return warn("go", "install Go from https://go.dev/dl", "%s is older than %s", text, minGo)
	}
	return ok("go", "%s", text)
}

// releaseOf returns the release in a go command's version, such as "go1.26.8", "go1.26.8 X:jsonv2", "devel
// go1.27-1a2b3c4 Mon …" or "go1.26-vendor", "" if there is none. A development version counts as its release.
func releaseOf(s string) string {
	for word := range strings.FieldsSeq(s) {
		if !strings.HasPrefix(word, "go1") {
			continue
		}
		word, dev, _ := strings.Cut(word, "-")
		if dev == "" && version.IsValid(word) {
			return word
		}
		return version.Lang(word)
	}
	return ""
}
