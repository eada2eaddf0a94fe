package datadir

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/tarebench/tare/internal/base/tempdir"
)

// Home is the directory of a store.
type Home struct {
	dir    string
	place  *tempdir.Place // nil: the user's directory
	closed bool
}

// Open returns the home of a store: dir, which must exist, or if it is empty a new
// temporary directory in $TMPDIR, which Close removes.
func Open(name, dir string) (*Home, error) {
	if dir == "" {
		place, err := tempdir.Dir(name)
		if err != nil {
			return nil, fmt.Errorf("temporary directory: %w; set TMPDIR to a writable directory", err)
		}
		return &Home{dir: place.Path, place: place}, nil
	}
	info, err := os.Stat(dir)
	if err != nil {
		return nil, fmt.Errorf("data directory: %w; create it first", err)
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("data directory: %s is not a directory", dir)
	}
	return &Home{dir: dir}, nil
}

// Path returns the path of a file in the home.
func (h *Home) Path(file string) string { return filepath.Join(h.dir, file) }

// Temporary reports whether Close removes the home.
func (h *Home) Temporary() bool { return h.place != nil }

// Notes returns remarks for the results: that the directory is not on a disk.
func (h *Home) Notes() []string {
	if inMemory(h.dir) {
		return []string{fmt.Sprintf("no disk: %s is on a file system in memory", h.dir)}
	}
	return nil
}

// Close removes the home if it is temporary. It may be called more than once.
func (h *Home) Close() error {
	if h.place == nil || h.closed {
		return nil
	}
	h.closed = true
	if err := h.place.Remove(); err != nil {
		return fmt.Errorf("temporary directory: %w", err)
	}
	return nil
}
