//go:build unix

package tempdir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// maxLinks is how many links a path may lead through: as many as Linux follows.
const maxLinks = 40

// FollowLinks returns the path of a file without links, which need not exist, as the system resolves it: ".." leads out of
// where a link leads to. It fails at a link that another user could have put there: see checkLink. Links of /proc to open files stay.
func FollowLinks(path string) (string, error) {
	at := "/"
	if !filepath.IsAbs(path) {
		var err error
		if at, err = unix.Getwd(); err != nil { // that of package os has links in it
			return "", err
		}
	}
	rest, typed, links := path, true, 0
	for rest != "" {
		var name string
		if name, rest, _ = strings.Cut(rest, "/"); name == "" || name == "." {
			continue
		}
		if name == ".." {
			at, typed = filepath.Dir(at), false
			continue
		}
		next, last := filepath.Join(at, name), strings.Trim(rest, "/") == ""
		link, err := os.Lstat(next)
		if errors.Is(err, fs.ErrNotExist) && !slices.Contains(strings.Split(rest, "/"), "..") {
			at, rest = filepath.Join(next, rest), ""
			continue
		}
		if err != nil {
			return "", err
		}
		if link.Mode()&fs.ModeSymlink == 0 || last && strings.HasPrefix(next, "/proc/") && strings.Contains(next, "/fd/") {
			if !last && !link.IsDir() {
				return "", &fs.PathError{Op: "open", Path: next, Err: syscall.ENOTDIR}
			}
			at = next
			continue
		}
		if links++; links > maxLinks {
			return "", &fs.PathError{Op: "follow", Path: path, Err: syscall.ELOOP}
		}
		if err := checkLink(next, last); err != nil {
			return "", fmt.Errorf("%s: %w", next, err)
		}
		to, err := os.Readlink(next)
		if err != nil {
			return "", err
		}
		if filepath.IsAbs(to) {
			at = "/"
		}
		rest, typed = to+"/"+rest, false
	}
	if typed {
		return path, nil
	}
	return at, nil
}

// checkLink returns an error for a link that another user could have put there. Links of this user and of root are followed, but not
// one with several names where others can write, because anybody can give a link of root another name. Of another user's links those
// are followed in whose directory only that user can write, and which are not the last name of a path.
func checkLink(path string, last bool) error {
	var link, dir unix.Stat_t
	if err := unix.Lstat(path, &link); err != nil {
		return err
	}
	if err := unix.Stat(filepath.Dir(path), &dir); err != nil {
		return err
	}
	ours, shared := checkOwner(path, link) == nil, writers(dir) != ""
	if ours && (link.Nlink == 1 || !shared) || link.Uid == dir.Uid && !shared && !last {
		return nil
	}
	if ours {
		return errors.New("is a link with another name, too, where others can write; name the file without it")
	}
	return fmt.Errorf("is a link of user id %d; name the file without it", link.Uid)
}

// IsTrusted reports whether a file belongs to this user or to root.
func IsTrusted(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && (st.Uid == 0 || int(st.Uid) == os.Geteuid())
}

// KeepOwner gives a file that takes the place of an old one the mode, group and owner of that. Without an old one it gets mode. A
// group that this user may not give it gets no access.
func KeepOwner(f *os.File, old fs.FileInfo, mode fs.FileMode) error {
	if old == nil {
		return f.Chmod(mode)
	}
	mode = old.Mode().Perm()
	if st, ok := old.Sys().(*syscall.Stat_t); ok && f.Chown(int(st.Uid), int(st.Gid)) != nil && f.Chown(-1, int(st.Gid)) != nil {
		mode &^= 0o070
	}
	return f.Chmod(mode)
}
