//go:build unix

package tempdir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// maxLinks is how many links a path may lead through: as many as Linux follows.
const maxLinks = 40

// FollowLinks returns the path of a file without links, which need not exist. It fails at a link that another user could have put
// there. That is one of another user but root: as the last name of the path, in a directory where others can write; before it, in
// a directory that is shared, has the sticky bit and is not that user's, where Linux follows no links either. Links of /proc, which
// lead to open files, stay.
func FollowLinks(path string) (string, error) {
	rest, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	at, links := "/", 0
	for rest != "" {
		name, after, _ := strings.Cut(strings.TrimLeft(rest, "/"), "/")
		next := filepath.Join(at, name)
		link, err := os.Lstat(next)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			at, rest = filepath.Join(next, after), ""
			continue
		case err != nil:
			return "", err
		case link.Mode()&fs.ModeSymlink == 0 || strings.HasPrefix(next, "/proc/") && strings.Contains(next, "/fd/"):
			at, rest = next, after
			continue
		}
		if links++; links > maxLinks {
			return "", &fs.PathError{Op: "follow", Path: path, Err: syscall.ELOOP}
		}
		if err := checkLink(at, link, strings.Trim(after, "/") == ""); err != nil {
			return "", fmt.Errorf("%s: %w", next, err)
		}
		to, err := os.Readlink(next)
		if err != nil {
			return "", err
		}
		if filepath.IsAbs(to) {
			at = "/"
		}
		rest = to + "/" + after
	}
	if links == 0 {
		return path, nil // as it was typed
	}
	return at, nil
}

// checkLink returns an error for a link in a directory that another user could have put there. last says that nothing follows it.
func checkLink(dir string, link fs.FileInfo, last bool) error {
	if IsTrusted(link) {
		return nil
	}
	st, err := os.Stat(dir)
	if err != nil {
		return err
	}
	owner, in := link.Sys().(*syscall.Stat_t), st.Sys().(*syscall.Stat_t)
	shared := st.Mode()&fs.ModeSticky != 0 && st.Mode().Perm()&0o002 != 0
	if !last && (!shared || owner.Uid == in.Uid) || last && IsTrusted(st) && st.Mode().Perm()&0o022 == 0 {
		return nil
	}
	return fmt.Errorf("is a link of user id %d", owner.Uid)
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
