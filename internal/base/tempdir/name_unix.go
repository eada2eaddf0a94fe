//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package tempdir

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"syscall"
)

// placeName matches the names of places: what each is for, a random number, and the number of its own inode. A user's file
// of such a name, or a copy of a place, has another inode.
var placeName = regexp.MustCompile(`^\.?` + prefix + `.*-\d+(-inode\d+)$`)

// inodeName is the end of a place's name, and the whole name of a mark.
func inodeName(info os.FileInfo) string {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return fmt.Sprintf("-inode%d", st.Ino)
}

// giveName completes the name of a new place.
func giveName(p *Place) error {
	path := p.Path + inodeName(p.info)
	if err := os.Rename(p.Path, path); err != nil {
		return err
	}
	p.Path = path
	return nil
}

// markName is that of an empty file in a directory whose own name does not say that it is a place.
func markName(dir os.FileInfo) string { return ".tare-run" + inodeName(dir) }

func putMark(p *Place) error {
	f, err := os.OpenFile(filepath.Join(p.Path, markName(p.info)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// isPlace reports whether what a path names was made by a tare for a time: the name alone could be one that a user has chosen.
func isPlace(path string, info os.FileInfo) bool {
	if m := placeName.FindStringSubmatch(filepath.Base(path)); m != nil {
		return m[1] == inodeName(info)
	}
	return info.IsDir() && exists(filepath.Join(path, markName(info)))
}
