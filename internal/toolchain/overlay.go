package toolchain

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ErrUnfit is wrapped by the error of a toolchain that hooks cannot be put into.
var ErrUnfit = errors.New("no place for hooks")

// Toolchain is the one whose package testing gets hooks, as `go env` knows it.
type Toolchain struct {
	Root    string // GOROOT
	Version string // GOVERSION, for errors
	OS      string // GOOS of what is built
}

// systems are those where the hooks compile and a process can be given a pipe.
var systems = []string{"aix", "darwin", "dragonfly", "freebsd", "illumos", "linux", "netbsd", "openbsd", "solaris"}

// Overlay is what a build shall see in the place of files of the toolchain. It
// is the same, byte for byte, for the same toolchain and parts.
type Overlay struct {
	files []file
}

type file struct {
	name string // in GOROOT/src/testing
	path string // the whole of it
	text string
}

// New makes the overlay for a toolchain, with the parts of profilers if any.
// The error wraps ErrUnfit where the toolchain is to blame.
func New(t Toolchain, parts ...Part) (*Overlay, error) {
	if !slices.Contains(systems, t.OS) {
		return nil, fmt.Errorf("%w: a process cannot be given a pipe on %s", ErrUnfit, t.OS)
	}
	dir := filepath.Join(t.Root, "src", "testing")
	path := filepath.Join(dir, benchmarkFile)
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnfit, err)
	}
	text, err := rewrite(src)
	if err != nil {
		return nil, fmt.Errorf("%w in %s, file testing/%s: %w", ErrUnfit, t.Version, benchmarkFile, err)
	}
	added, err := hookFiles(dir, parts)
	if err != nil {
		return nil, err
	}
	o := &Overlay{files: append([]file{{name: benchmarkFile, text: text}}, added...)}
	for i := range o.files {
		o.files[i].path = filepath.Join(dir, o.files[i].name)
	}
	return o, nil
}

// Sum tells overlays apart: a hash over what they replace and by what.
func (o *Overlay) Sum() string {
	text := new(strings.Builder)
	for _, f := range o.files {
		fmt.Fprintf(text, "%q %q\n", f.path, f.text)
	}
	return sum(text.String())
}

func sum(text string) string {
	h := sha256.Sum256([]byte(text))
	return hex.EncodeToString(h[:16])
}

// Replaces returns which of the paths the overlay replaces, or would hide: files
// in the toolchain's package testing.
func (o *Overlay) Replaces(paths ...string) []string {
	var out []string
	for _, p := range paths {
		for _, f := range o.files {
			if p = filepath.Clean(p); p == f.path || strings.HasPrefix(f.path, p+string(filepath.Separator)) {
				out = append(out, p)
				break
			}
		}
	}
	return out
}
