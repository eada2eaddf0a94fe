package toolchain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
)

// ErrUnsupported is wrapped by the error of a Go version or a system that a patch does not
// fit. The rest of the error says what is missing.
var ErrUnsupported = errors.New("toolchain not supported")

// Toolchain is a Go toolchain and the settings of one build, as `go env` reports them.
type Toolchain struct {
	Root     string `json:"GOROOT"`
	Version  string `json:"GOVERSION"`
	OS       string `json:"GOOS"`   // of what is built
	Arch     string `json:"GOARCH"` // of what is built
	ModCache string `json:"GOMODCACHE"`
	Mod      string `json:"GOMOD"`   // the go.mod in charge; "" or os.DevNull: none
	Work     string `json:"GOWORK"`  // the go.work in charge; "" or "off": none
	GOFLAGS  string `json:"GOFLAGS"` // as written

	// The levels of these processors; "" where the build is for another one.
	AMD64   string `json:"GOAMD64"`
	PPC64   string `json:"GOPPC64"`
	RISCV64 string `json:"GORISCV64"`

	Flags   Flags   `json:"-"` // of the build: those of GOFLAGS, then those given to Find
	Overlay Overlay `json:"-"` // the files that Flags replace
}

// Find asks the go command for its toolchain and reads the overlay that GOFLAGS and flags, those
// of the build, name. It fails if go does, and with an [*OverlayError].
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

// src is the path of a file of the standard library, which is named by its slash-separated
// path below GOROOT/src.
func (t *Toolchain) src(name string) string {
	return filepath.Join(t.Root, "src", filepath.FromSlash(name))
}

// unsupported makes an error about the toolchain.
func (t *Toolchain) unsupported(err error) error {
	return fmt.Errorf("%w: %s: %w", ErrUnsupported, t.Version, err)
}

// platforms are the systems and processors that a patch works on; no processors: all.
type platforms struct{ systems, processors []string }

// check returns an error that wraps ErrUnsupported if a platform is not among them.
func (p platforms) check(goos, goarch string) error {
	if slices.Contains(p.systems, goos) && (len(p.processors) == 0 || slices.Contains(p.processors, goarch)) {
		return nil
	}
	return fmt.Errorf("%w: %s/%s", ErrUnsupported, goos, goarch)
}
