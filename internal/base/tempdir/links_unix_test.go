//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package tempdir_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/tarebench/tare/internal/base/tempdir"
)

// TestFollowLinks: links of this user are followed as the system follows them, and those that another user could have put there are
// refused anywhere in a path.
func TestFollowLinks(t *testing.T) {
	const theirs, ours = "is a link of user id 65534; name the file without it", ""
	for _, c := range []struct {
		what  string
		mode  os.FileMode // of the directory with the link
		uid   int         // of the directory; 0: ours
		link  int         // user id of the link; 0: ours
		typed string      // below that directory
		want  string      // below the directory to which the link leads
		err   string
	}{
		{"ours", 0o755, 0, 0, "link/q", "in/q", ours},
		{"ours, last", 0o755, 0, 0, "link", "in", ours},
		{"ours, in a shared directory", 0o777 | os.ModeSticky, 0, 0, "link/q", "in/q", ours},
		{"ours, and out again", 0o755, 0, 0, "link/../q", "q", ours},
		{"ours, and further", 0o755, 0, 0, "./link//absent/q", "in/absent/q", ours},
		{"ours, and out of what does not exist", 0o755, 0, 0, "link/absent/../q", "", "no such file"},
		{"ours, and out of a file", 0o755, 0, 0, "file/../q", "", "not a directory"},
		{"anybody's", 0o777, 0, stranger, "link/q", "", theirs},
		{"anybody's, last", 0o777, 0, stranger, "link", "", theirs},
		{"anybody's, with a slash", 0o777, 0, stranger, "link/", "", theirs},
		{"anybody's, and out again", 0o777, 0, stranger, "link/../q", "", theirs},
		{"anybody's, from one of ours", 0o777, 0, stranger, "chain/q", "", theirs},
		{"anybody's, in a shared directory", 0o777 | os.ModeSticky, 0, stranger, "link/q", "", theirs},
		{"a group's", 0o775, 0, stranger, "link/q", "", theirs},
		{"another's in our directory", 0o755, 0, stranger, "link/q", "", theirs},
		{"another's in that user's directory", 0o755, stranger, stranger, "link/q", "in/q", ours},
		{"another's in that user's directory, last", 0o755, stranger, stranger, "link", "", theirs},
		{"another's in that user's directory, where others can write", 0o777, stranger, stranger, "link/q", "", theirs},
	} {
		t.Run(c.what, func(t *testing.T) {
			root, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			to, dir := filepath.Join(root, "to"), mkdir(t, filepath.Join(root, "dir"), 0o755)
			mkdir(t, filepath.Join(to, "in"), 0o755)
			link := filepath.Join(dir, "link")
			err = errors.Join(os.Symlink(filepath.Join(to, "in"), link), os.Symlink("link", filepath.Join(dir, "chain")),
				os.WriteFile(filepath.Join(dir, "file"), nil, 0o600), os.Chmod(dir, c.mode))
			if err != nil {
				t.Fatal(err)
			}
			if c.link == stranger {
				if err := os.Lchown(link, stranger, stranger); err != nil {
					t.Skip(err)
				}
			}
			if c.uid == stranger {
				give(t, dir)
			} else if c.mode == 0o775 {
				group(t, dir)
			}
			got, err := tempdir.FollowLinks(dir + "/" + c.typed)
			if c.err == "" && (err != nil || got != filepath.Join(to, c.want)) {
				t.Errorf("%s, %v", got, err)
			}
			if c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err) || strings.Contains(err.Error(), "\n")) {
				t.Errorf("%s, error %v, want %q in it", got, err, c.err)
			}
		})
	}
}

// TestFollowLinksRelative: a relative path begins where the process is, and not where the way there led through links. One without
// links stays as it was typed.
func TestFollowLinksRelative(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	mkdir(t, root+"/a/b", 0o755)
	if err := os.Symlink("a/b", root+"/link"); err != nil {
		t.Fatal(err)
	}
	t.Chdir(root + "/link")
	for typed, want := range map[string]string{"x": "x", "./x/y": "./x/y", "../x": root + "/a/x", "../../link/x": root + "/a/b/x", ".": "."} {
		if got, err := tempdir.FollowLinks(typed); got != want || err != nil {
			t.Errorf("%s: %s, %v, want %s", typed, got, err, want)
		}
	}
	if got, err := tempdir.FollowLinks("absent/../x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s, %v", got, err)
	}
}

// TestFollowRenamedLink: anybody can give a link of root another name where protected_hardlinks is off.
func TestFollowRenamedLink(t *testing.T) {
	home, shared := t.TempDir(), mkdir(t, filepath.Join(t.TempDir(), "shared"), 0o777|os.ModeSticky)
	link, name := filepath.Join(home, "link"), filepath.Join(shared, "x.csv")
	if err := os.Symlink("/etc", link); err != nil {
		t.Fatal(err)
	}
	if err := unix.Linkat(unix.AT_FDCWD, link, unix.AT_FDCWD, name, 0); err != nil {
		t.Skip(err)
	}
	if to, err := tempdir.FollowLinks(name); err == nil || !strings.Contains(err.Error(), "with another name") {
		t.Errorf("%s, %v", to, err)
	}
	if to, err := tempdir.FollowLinks(link); err != nil {
		t.Errorf("%s, %v", to, err)
	}
}

// TestMkdirAll: no directory is made behind a link of another user.
func TestMkdirAll(t *testing.T) {
	home, shared := t.TempDir(), mkdir(t, filepath.Join(t.TempDir(), "shared"), 0o777)
	if dir, err := tempdir.MkdirAll(filepath.Join(shared, "a", "b"), 0o700); err != nil || !exists(dir) {
		t.Errorf("%s, %v", dir, err)
	}
	link := filepath.Join(shared, "link")
	if err := errors.Join(os.Symlink(home, link), os.Lchown(link, stranger, stranger)); err != nil {
		t.Skip(err)
	}
	if dir, err := tempdir.MkdirAll(filepath.Join(link, "a"), 0o700); err == nil || exists(filepath.Join(home, "a")) {
		t.Errorf("%s, %v", dir, err)
	}
}
