package toolchain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
)

// ErrUnsupported is wrapped by errors about a Go version or system that a patch does not support. The error says what
// is missing.
var ErrUnsupported = errors.New("toolchain not supported")

// Toolchain is a Go toolchain and the settings of one build, as reported by `go env`.
type Toolchain struct {
	Root     string `json:"GOROOT"`
	Version  string `json:"GOVERSION"`
	OS       string `json:"GOOS"`   // target system
	Arch     string `json:"GOARCH"` // target architecture
	ModCache string `json:"GOMODCACHE"`
	Mod      string `json:"GOMOD"`   // go.mod in use; "" or os.DevNull: none
	Work     string `json:"GOWORK"`  // go.work in use; "" or "off": none
	GOFLAGS  string `json:"GOFLAGS"` // as written

	// Instruction set levels of these processors; "" if the build is for another one.
	AMD64   string `json:"GOAMD64"`
	PPC64   string `json:"GOPPC64"`
	RISCV64 string `json:"GORISCV64"`

	Flags   Flags   `json:"-"` // of the build: GOFLAGS, then the flags given to Find
	Overlay Overlay `json:"-"` // files replaced by Flags
}

// Find reads the toolchain's settings from `go env`, and the overlay that GOFLAGS and the build's flags name. It
// fails if go does, or with an [*OverlayError].
func Find(ctx context.Context, c Command, flags ...string) (*Toolchain, error) {
	out, _, err := c.Run(ctx, "env", "-json", "GOROOT", "GOVERSION", "GOOS", "GOARCH", "GOMODCACHE", "GOMOD", "GOWORK", "GOFLAGS", "GOAMD64", "GOPPC64", "GORISCV64")
	if err != nil {
		return nil, err
	}
	t := new(Toolchain)
	if err := json.Unmarshal([]byte(out), t); err != nil {
		return nil, fmt.Errorf("output of go env: %w", err)
	}
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return nil, err
	}
	t.Flags = ParseFlags(t.GOFLAGS, flags...)
	t.Overlay, err = ReadOverlay(dir, t.Flags)
	return t, err
}

// src returns the path of a file of the standard library, given by its slash-separated path below GOROOT/src.
func (t *Toolchain) src(name string) string {
	return filepath.Join(t.Root, "src", filepath.FromSlash(name))
}

// unsupported returns an error about the toolchain.
func (t *Toolchain) unsupported(err error) error {
	return fmt.Errorf("%w: %s: %w", ErrUnsupported, t.Version, err)
}

// platforms are the supported systems and processors. No processors means all.
type platforms struct{ systems, processors []string }

// check returns an error that wraps ErrUnsupported for an unsupported platform.
func (p platforms) check(goos, goarch string) error {
	if slices.Contains(p.systems, goos) && (len(p.processors) == 0 || slices.Contains(p.processors, goarch)) {
		return nil
	}
	return fmt.Errorf("%w: %s/%s", ErrUnsupported, goos, goarch)
}
