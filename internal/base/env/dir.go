package env

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/internal/base/units"
)

// space describes the file system of a directory.
type space struct {
	free   int64  // bytes available to us
	fstype string // ext4, tmpfs …; "" if not known
}

const (
	lowSpace = 1 << 30 // test binaries are some 10 MB each
	network  = "nfs"
)

// dirFinding checks that binaries can be written to a directory, by writing a file.
func (h host) dirFinding(name, dir string) Finding {
	if dir == "" {
		return notAvailable(name, "the system names no directory for it")
	}
	real, err := existing(dir)
	if err == nil {
		err = tryWrite(real)
	}
	if err != nil {
		return warn(name, "set "+h.variable(name)+" to a directory that can be written",
			"%s cannot be written: %v", dir, cause(err))
	}
	s, err := h.space(real)
	if err != nil {
		return ok(name, "%s, writable, free space unknown (%s)", dir, reason(err))
	}
	on := ""
	if s.fstype != "" {
		on = " on " + s.fstype
	}
	text := fmt.Sprintf("%s%s, writable, %s free", dir, on, units.Bytes(s.free))
	switch {
	case s.free < lowSpace:
		return warn(name, "make room, or set "+h.variable(name)+" to another disk", "%s", text)
	case s.fstype == network:
		return warn(name, "set "+h.variable(name)+" to a local disk", "%s", text)
	}
	return ok(name, "%s", text)
}

// variable returns the environment variable that moves the directory (os.TempDir, os.UserCacheDir).
func (h host) variable(name string) string {
	v := map[string]string{
		"temp": "TMPDIR", "temp windows": "TMP",
		"cache": "XDG_CACHE_HOME", "cache windows": "LocalAppData", "cache darwin": "HOME",
	}
	return first(v[name+" "+h.os], v[name])
}

// existing returns the directory, or its nearest parent that exists: Examine does not create a cache
// directory.
func existing(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for {
		_, err := os.Stat(dir)
		if err == nil || !os.IsNotExist(err) || filepath.Dir(dir) == dir {
			return dir, err
		}
		dir = filepath.Dir(dir)
	}
}

// cause returns the error without its path.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// tryWrite creates a file in dir and removes it.
func tryWrite(dir string) error {
	p, err := tempdir.Beside(filepath.Join(dir, "doctor"))
	if err != nil {
		return err
	}
	return p.Remove()
}
