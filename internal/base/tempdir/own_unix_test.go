//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package tempdir_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/tempdir"
)

const stranger = 65534 // a user id that is not ours

// give makes a file or directory another user's.
func give(t *testing.T, path string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can give files to others")
	}
	if err := os.Chown(path, stranger, stranger); err != nil {
		t.Fatal(err)
	}
}

// group gives a file or directory to a group that is not private to a user.
func group(t *testing.T, path string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can give files to any group")
	}
	mode, err := os.Stat(path)
	if err == nil {
		err = os.Chown(path, 0, stranger)
	}
	if err == nil {
		err = os.Chmod(path, mode.Mode())
	}
	if err != nil {
		t.Fatal(err)
	}
}

func mkdir(t *testing.T, path string, mode os.FileMode) string {
	t.Helper()
	if err := os.MkdirAll(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestCache: programs are kept in the user's cache only if no other user could have put one there.
func TestCache(t *testing.T) {
	for _, c := range []struct {
		what string
		make func(t *testing.T, user string) // makes the user's cache
		want string                          // of the error; "": none
	}{
		{"none yet", func(*testing.T, string) {}, ""},
		{"a shared directory", func(t *testing.T, user string) { mkdir(t, user, 0o777|os.ModeSticky) }, ""},
		{"a shared directory without sticky bit", func(t *testing.T, user string) { mkdir(t, user, 0o777) }, "anybody can rename what it contains"},
		{"a group's", func(t *testing.T, user string) { group(t, mkdir(t, user+"/tare", 0o775)) }, "group id 65534, which may have other members, can write in it"},
		{"anybody's", func(t *testing.T, user string) { mkdir(t, user+"/tare", 0o777) }, "anybody can write in it"},
		{"another's", func(t *testing.T, user string) { give(t, mkdir(t, user+"/tare", 0o755)) }, "belongs to user id 65534"},
		{"in another's home", func(t *testing.T, user string) { give(t, mkdir(t, user, 0o755)) }, "belongs to user id 65534"},
		{"a link to our directory", func(t *testing.T, user string) {
			os.Symlink(mkdir(t, user+"2/big", 0o755), filepath.Join(mkdir(t, user, 0o755), "tare"))
		}, ""},
		{"a link to another's directory", func(t *testing.T, user string) {
			big := mkdir(t, user+"2/big", 0o755)
			give(t, big)
			os.Symlink(big, filepath.Join(mkdir(t, user, 0o755), "tare"))
		}, "belongs to user id 65534"},
	} {
		t.Run(c.what, func(t *testing.T) {
			user := filepath.Join(t.TempDir(), "cache")
			t.Setenv("XDG_CACHE_HOME", user)
			t.Setenv("HOME", user)
			if at, _ := os.UserCacheDir(); at != user {
				t.Skip("the cache is elsewhere on this system")
			}
			c.make(t, user)
			dir, err := tempdir.Cache()
			if c.want == "" && (err != nil || dir != filepath.Join(user, "tare")) {
				t.Errorf("%s, %v", dir, err)
			}
			if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n")) {
				t.Errorf("error %v, want %q in it", err, c.want)
			}
		})
	}
}

// TestUserDir: without a cache that is the user's alone, what is kept lies in a directory that is, whatever somebody has put
// in its place.
func TestUserDir(t *testing.T) {
	temp := inTemp(t)
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"} {
		t.Setenv(name, "")
	}
	own := filepath.Join(temp, fmt.Sprintf("tare-%d", os.Geteuid()))
	for range 2 {
		if dir, err := tempdir.UserDir(); dir != own || err != nil {
			t.Errorf("%s, %v, want %s", dir, err, own)
		}
	}
	for _, c := range []struct {
		what string
		make func()
	}{
		{"a directory of a group", func() { mkdir(t, own, 0o750) }},
		{"in a directory where anybody can rename", func() { mkdir(t, own, 0o700); mkdir(t, temp, 0o777) }},
		{"a link", func() {
			mkdir(t, temp, 0o755)
			os.Remove(own)
			os.Symlink(t.TempDir(), own)
		}},
	} {
		c.make()
		runtime := filepath.Join(t.TempDir(), "run")
		t.Setenv("XDG_RUNTIME_DIR", mkdir(t, runtime, 0o700))
		for range 2 { // the same one each time
			if dir, err := tempdir.UserDir(); err != nil || dir != filepath.Join(runtime, "tare-"+tempdir.Key()) {
				t.Errorf("%s: %s, %v", c.what, dir, err)
			}
		}
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestUnsafeTemp: no place is created in a directory where others can rename it, and take its name for a program of theirs.
func TestUnsafeTemp(t *testing.T) {
	temp := inTemp(t)
	cache, runtime := t.TempDir(), t.TempDir()
	t.Setenv("HOME", cache)
	t.Setenv("XDG_RUNTIME_DIR", runtime)
	for _, c := range []struct {
		what string
		make func(t *testing.T, dir string)
		safe bool
	}{
		{"ours", func(t *testing.T, dir string) { mkdir(t, dir, 0o755) }, true},
		{"shared", func(t *testing.T, dir string) { mkdir(t, dir, 0o777|os.ModeSticky) }, true},
		{"anybody can rename", func(t *testing.T, dir string) { mkdir(t, dir, 0o777) }, false},
		{"a group can rename", func(t *testing.T, dir string) { group(t, mkdir(t, dir, 0o770)) }, false},
		{"a group, sticky", func(t *testing.T, dir string) { group(t, mkdir(t, dir, 0o770|os.ModeSticky)) }, true},
		{"below one where anybody can rename", func(t *testing.T, dir string) { mkdir(t, dir, 0o755); mkdir(t, filepath.Dir(dir), 0o777) }, false},
		{"another's", func(t *testing.T, dir string) { give(t, mkdir(t, dir, 0o777|os.ModeSticky)) }, false},
	} {
		t.Run(c.what, func(t *testing.T) {
			dir := filepath.Join(temp, c.what, "tmp")
			c.make(t, dir)
			t.Setenv("TMPDIR", dir)
			for _, home := range []string{cache, "relative"} { // the cache comes before XDG_RUNTIME_DIR
				t.Setenv("XDG_CACHE_HOME", home)
				want := dir
				if !c.safe && home == cache {
					want = filepath.Join(cache, "tare")
				} else if !c.safe {
					want = runtime
				}
				if at, _ := os.UserCacheDir(); at != cache && home == cache {
					t.Skip("the cache is elsewhere on this system")
				}
				for what, create := range map[string]func() (*tempdir.Place, error){
					"Dir": func() (*tempdir.Place, error) { return tempdir.Dir("x") }, "Named": func() (*tempdir.Place, error) { return tempdir.Named("y") },
					"Empty": func() (*tempdir.Place, error) { return tempdir.Empty("z") },
				} {
					p, err := create()
					if err != nil || filepath.Dir(p.Path) != want {
						t.Errorf("%s: %v, %v, want it in %s", what, p, err, want)
					}
					p.Remove()
				}
			}
		})
	}
}

// TestRenamed: a directory of ours to which somebody has given the name of a place stays, where others can rename.
func TestRenamed(t *testing.T) {
	temp := inTemp(t)
	for _, c := range []struct {
		what string
		make func(t *testing.T, dir string)
		left bool
	}{
		{"ours", func(t *testing.T, dir string) { mkdir(t, dir, 0o755) }, false},
		{"shared", func(t *testing.T, dir string) { mkdir(t, dir, 0o777|os.ModeSticky) }, false},
		{"anybody can rename", func(t *testing.T, dir string) { mkdir(t, dir, 0o777) }, true},
		{"another's", func(t *testing.T, dir string) { give(t, mkdir(t, dir, 0o777|os.ModeSticky)) }, true},
	} {
		t.Run(c.what, func(t *testing.T) {
			dir := filepath.Join(temp, c.what)
			data := filepath.Join(leftPlace(t, mkdir(t, dir, 0o755), os.ModeDir), "precious")
			if err := os.WriteFile(data, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			c.make(t, dir)
			p, err := tempdir.Beside(filepath.Join(dir, "report.html"))
			if err != nil {
				t.Fatal(err)
			}
			p.Remove()
			if _, err := os.Stat(data); (err == nil) != c.left {
				t.Errorf("%v, want it left: %v", err, c.left)
			}
		})
	}
}

// TestOpenOwnFile: an existing file is opened only if it is one of ours, and without waiting.
func TestOpenOwnFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for range 2 {
		f, err := tempdir.OpenOwnFile(path, os.O_RDWR|os.O_APPEND, 0o666)
		if err != nil {
			t.Fatal(err)
		}
		f.WriteString("text")
		f.Close()
	}
	if text, err := os.ReadFile(path); string(text) != "texttext" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	give(t, path)
	if _, err := tempdir.OpenOwnFile(path, os.O_RDWR, 0o666); !errors.Is(err, tempdir.ErrNotOwn) || !strings.Contains(err.Error(), "user id 65534") {
		t.Errorf("%v", err)
	}
}

// TestCheckPath: a path is refused if a directory anywhere on the way, also behind a link, is another user's or one in which
// anybody may rename. Only root can make such a scene.
func TestCheckPath(t *testing.T) {
	top := t.TempDir()
	dirOf := func(mode os.FileMode, names ...string) string {
		dir := filepath.Join(append([]string{top}, names...)...)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	own := dirOf(0o755, "own")
	open := dirOf(0o777, "open")
	if err := os.Symlink(dirOf(0o700, "open", "mine"), filepath.Join(own, "link")); err != nil {
		t.Fatal(err)
	}
	bad := []string{filepath.Join(open, "x", "y", "z"), filepath.Join(own, "link", "x")}
	if os.Geteuid() == 0 {
		home := dirOf(0o755, "home")
		if err := os.Symlink(own, filepath.Join(home, ".cache")); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(home, 65534, 65534); err != nil {
			t.Fatal(err)
		}
		bad = append(bad, filepath.Join(home, "a", "b"), filepath.Join(home, ".cache", "tare"))
	}
	for _, path := range bad {
		if tempdir.CheckPath(path) == nil {
			t.Errorf("%s is accepted", path)
		}
	}
	for _, path := range []string{filepath.Join(own, "x"), filepath.Join(own, "x", "y", "z")} {
		if err := tempdir.CheckPath(path); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}
