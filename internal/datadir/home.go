package datadir

import (
	"fmt"
	"os"
	"path/filepath"
)

// Home is the directory of a store.
type Home struct {
	dir       string
	temporary bool
}

// Open returns the home of a store of the given name: dir, which must be there,
// or where that is empty a new directory in the system's place for temporary
// ones, which Close removes. The user sets that place by TMPDIR.
func Open(name, dir string) (*Home, error) {
	if dir == "" {
		dir, err := os.MkdirTemp("", "tare-"+name+"-")
		if err != nil {
			return nil, fmt.Errorf("temporary directory: %w; set TMPDIR to one that can be written", err)
		}
		return &Home{dir, true}, nil
	}
	info, err := os.Stat(dir)
	if err != nil {
		return nil, fmt.Errorf("directory of the data: %w; make it first", err)
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("directory of the data: %s is not a directory", dir)
	}
	return &Home{dir, false}, nil
}

// Path returns the path of a file in the home.
func (h *Home) Path(file string) string { return filepath.Join(h.dir, file) }

// Temporary says whether Close removes the home.
func (h *Home) Temporary() bool { return h.temporary }

// Notes say what must be known of the place: that it is no disk.
func (h *Home) Notes() []string {
	if inMemory(h.dir) {
		return []string{fmt.Sprintf("no disk: %s is on a file system in memory", h.dir)}
	}
	return nil
}

// Close removes the home if it is temporary. It may be called more than once.
func (h *Home) Close() error {
	if !h.temporary {
		return nil
	}
	if err := os.RemoveAll(h.dir); err != nil {
		return fmt.Errorf("temporary directory: %w", err)
	}
	return nil
}
