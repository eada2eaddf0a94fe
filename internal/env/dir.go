package env

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// space is the file system under a directory.
type space struct {
	free   int64  // bytes that we may use
	fstype string // ext4, tmpfs …; "" if not known
}

const (
	littleSpace = 1 << 30 // test binaries are some 10 MB each
	network     = "nfs"
)

// dirFinding looks whether binaries can be written to a directory, by writing.
func (h host) dirFinding(name, dir string) Finding {
	if dir == "" {
		return na(name, "the system names no directory for it")
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
		return ok(name, "%s, writable, free space unknown (%s)", dir, because(err))
	}
	on := ""
	if s.fstype != "" {
		on = " on " + s.fstype
	}
	text := fmt.Sprintf("%s%s, writable, %s free", dir, on, size(s.free))
	switch {
	case s.free < littleSpace:
		return warn(name, "make room, or set "+h.variable(name)+" to another disk", "%s", text)
	case s.fstype == network:
		return warn(name, "set "+h.variable(name)+" to a local disk", "%s", text)
	}
	return ok(name, "%s", text)
}

// variable is what moves the directory elsewhere (os.TempDir, os.UserCacheDir).
func (h host) variable(name string) string {
	v := map[string]string{
		"temp": "TMPDIR", "temp windows": "TMP",
		"cache": "XDG_CACHE_HOME", "cache windows": "LocalAppData", "cache darwin": "HOME",
	}
	return first(v[name+" "+h.os], v[name])
}

// existing returns the directory, or the nearest one above it that exists: a
// cache is made when it is needed, and an examination makes nothing.
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

// cause is an error without the path in it.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// tryWrite makes a file and removes it.
func tryWrite(dir string) error {
	f, err := os.CreateTemp(dir, ".tare-doctor-*")
	if err != nil {
		return err
	}
	err = f.Close()
	if e := os.Remove(f.Name()); err == nil {
		err = e
	}
	return err
}
