//go:build unix

package session

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/record"
)

// squats are what somebody may have put where a file or a directory is opened.
var squats = map[string]func(path, victim string) error{
	"link":          func(path, victim string) error { return os.Symlink(victim, path) },
	"dangling link": func(path, victim string) error { return os.Symlink(victim+".new", path) },
	"link to a directory": func(path, victim string) error {
		return os.Symlink(filepath.Dir(victim), path)
	},
	"hard link": func(path, victim string) error { return os.Link(victim, path) },
	"pipe":      func(path, victim string) error { return syscall.Mkfifo(path, 0o444) },
	"file":      func(path, victim string) error { return os.WriteFile(path, []byte("theirs"), 0o666) },
	"directory that anybody can write in": func(path, victim string) error {
		if err := os.Mkdir(path, 0o777); err != nil {
			return err
		}
		return os.Chmod(path, 0o777)
	},
	"directory of another": func(path, victim string) error {
		if err := os.Mkdir(path, 0o700); err != nil {
			return err
		}
		return os.Chown(path, 65534, 65534)
	},
}

// squat makes a victim's directory, and another one that is the directory of temporary files. unharmed checks the victim's.
func squat(t *testing.T) (temp, victim string, unharmed func()) {
	root := t.TempDir()
	temp, home, run := filepath.Join(root, "tmp"), filepath.Join(root, "home"), filepath.Join(root, "run")
	for _, dir := range []string{temp, home, run} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(temp, 0o777|os.ModeSticky); err != nil {
		t.Fatal(err)
	}
	victim = filepath.Join(home, "file")
	if err := os.WriteFile(victim, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", temp)
	t.Setenv("TARE_TEST_NAMES", tempdir.Key())
	t.Setenv("XDG_RUNTIME_DIR", run)
	return temp, victim, func() {
		t.Helper()
		text, err := os.ReadFile(victim)
		info, _ := os.Stat(victim)
		if err != nil || string(text) != "precious" || info.Mode() != 0o600 {
			t.Errorf("the victim's file: %q, %v, %v", text, info.Mode(), err)
		}
		if files, err := os.ReadDir(home); err != nil || len(files) != 1 {
			t.Errorf("the victim's directory: %v, %v", files, err)
		}
	}
}

// lockTwice takes the lock, tries to take it a second time, and returns what was said.
func lockTwice(t *testing.T) (notes string, second error) {
	t.Helper()
	var text bytes.Buffer
	p, _ := NewProgress(&text, "none")
	done := make(chan error, 1)
	go func() {
		first, err := LockMachine(t.Context(), p, LockMode{NoWait: true}, []string{"tare", "first"})
		if err == nil {
			var other *MachineLock
			other, second = LockMachine(t.Context(), p, LockMode{NoWait: true}, []string{"tare", "second"})
			other.Unlock()
		}
		first.Unlock()
		done <- err
	}()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("it hangs")
	}
	return text.String(), second
}

// TestSquattedNames: whoever has the names that other versions opened in the directory of temporary files gains nothing.
func TestSquattedNames(t *testing.T) {
	for what, put := range squats {
		t.Run(what, func(t *testing.T) {
			temp, victim, unharmed := squat(t)
			for _, name := range []string{"tare.lock", "tare.running"} {
				if err := put(filepath.Join(temp, name), victim); err != nil {
					t.Skip(err)
				}
			}
			if notes, second := lockTwice(t); notes != "" || second == nil {
				t.Errorf("%s; of two the second: %v", notes, second)
			}
			unharmed()
		})
	}
}

// TestSquattedDirectory: whoever has the name of the user's own directory makes tare take another one, which all tares of
// the user find. Where there is none, it says so and goes on; on Linux tares of the user then see each other as those of others do.
func TestSquattedDirectory(t *testing.T) {
	for what, put := range squats {
		t.Run(what, func(t *testing.T) {
			temp, victim, unharmed := squat(t)
			own := filepath.Join(temp, fmt.Sprintf("tare-%d", os.Geteuid()))
			if err := put(own, victim); err != nil {
				t.Skip(err)
			}
			for range 2 { // in XDG_RUNTIME_DIR, then in the cache
				if notes, second := lockTwice(t); notes != "" || second == nil || !strings.Contains(second.Error(), "tare first, pid") {
					t.Errorf("%s; of two the second: %v", notes, second)
				}
				t.Setenv("XDG_CACHE_HOME", os.Getenv("XDG_RUNTIME_DIR"))
				t.Setenv("XDG_RUNTIME_DIR", "")
			}
			t.Setenv("XDG_CACHE_HOME", "")
			t.Setenv("HOME", "")
			notes, second := lockTwice(t)
			if strings.Count(notes, "\n") != 2 || !strings.Contains(notes, "no lock of the machine: "+own) || (second != nil) != (runtime.GOOS == "linux") {
				t.Errorf("%s; of two the second: %v", notes, second)
			}
			unharmed()
		})
	}
}

// TestSquattedInside: also in the user's own directory nothing else than a file of the user is opened.
func TestSquattedInside(t *testing.T) {
	for what, put := range squats {
		if what == "file" {
			continue
		}
		t.Run(what, func(t *testing.T) {
			temp, victim, unharmed := squat(t)
			own := filepath.Join(temp, fmt.Sprintf("tare-%d", os.Geteuid()))
			if err := os.Mkdir(own, 0o700); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"tare.lock", "tare.running"} {
				if err := put(filepath.Join(own, name), victim); err != nil {
					t.Skip(err)
				}
			}
			if notes, second := lockTwice(t); !strings.Contains(notes, "no lock of the machine: "+own+"/tare.lock: ") || (second != nil) != (runtime.GOOS == "linux") {
				t.Errorf("%s; of two the second: %v", notes, second)
			}
			unharmed()
		})
	}
}

// TestPartialIsLink: a link that others put in the place of the temporary file beside -o is not followed.
func TestPartialIsLink(t *testing.T) {
	for what, put := range squats {
		if what == "file" {
			continue
		}
		t.Run(what, func(t *testing.T) {
			temp, victim, unharmed := squat(t)
			out := filepath.Join(temp, "run.jsonl")
			if err := os.WriteFile(out, []byte("before"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := put(out+tempdir.PartialSuffix, victim); err != nil {
				t.Skip(err)
			}
			f, err := CreateBeside(out)
			if err == nil {
				f.Write([]byte("line\n"))
				f.Close(true)
			}
			if err == nil || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "run.jsonl") {
				t.Errorf("error %v", err)
			}
			unharmed()
		})
	}
}

// TestPrivateRecord: a record that was private stays so when others remove it while it is written, or put a file of theirs in the place
// of the one that it replaces.
func TestPrivateRecord(t *testing.T) {
	for _, removed := range []bool{false, true} {
		temp, _, _ := squat(t)
		out := filepath.Join(temp, "run.jsonl")
		if err := os.WriteFile(out, []byte("before"), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := CreateBeside(out)
		if err != nil {
			t.Fatal(err)
		}
		f.Write([]byte("line\n"))
		theirs := filepath.Join(temp, "theirs")
		err = errors.Join(os.WriteFile(theirs, nil, 0o600), os.Chmod(theirs, 0o666), os.Rename(theirs, out))
		if os.Geteuid() == 0 {
			err = errors.Join(err, os.Chown(out, 65534, 65534))
		}
		if removed {
			err = errors.Join(err, os.Remove(f.Path()))
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Close(true); err != nil {
			t.Error(err)
		}
		info, err := os.Stat(f.Path())
		if err != nil || info.Mode().Perm() != 0o600 || int(info.Sys().(*syscall.Stat_t).Uid) != os.Geteuid() {
			t.Errorf("%s: %v, %v", f.Path(), info, err)
		}
		if text, err := os.ReadFile(f.Path()); string(text) != "line\n" || err != nil || removed != (f.Path() != out) {
			t.Errorf("%s: %q, %v", f.Path(), text, err)
		}
	}
}

// cutRecord is a record whose last line is incomplete.
const cutRecord = `{"k":"run","v":1,"kind":"bench"}` + "\n" + `{"k":"fork"`

// TestResumeKeeps: a record is changed by the first line that the resumed run writes, and not if the run is refused.
func TestResumeKeeps(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.jsonl")
	if err := os.WriteFile(path, []byte(cutRecord), 0o600); err != nil {
		t.Fatal(err)
	}
	text := func() string {
		got, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
		}
		return string(got)
	}
	for _, refused := range []bool{true, false} {
		r, err := ResumeRecorder(path, func(_ string, _ record.Line, err error) error { return err })
		if err != nil {
			t.Fatal(err)
		}
		if cut, err := r.Replay(func(record.Line) {}); cut != 11 || err != nil {
			t.Errorf("cut %d, %v", cut, err)
		}
		if text() != cutRecord {
			t.Errorf("changed before a line was written: %q", text())
		}
		if !refused {
			if err := r.Write(&record.End{State: record.EndPartial}); err != nil {
				t.Error(err)
			}
		}
		if err := r.Close(false); err != nil {
			t.Error(err)
		}
	}
	if want := strings.TrimSuffix(cutRecord, `{"k":"fork"`) + `{"k":"end","state":"partial"}` + "\n"; text() != want {
		t.Errorf("%q, want %q", text(), want)
	}
}

// TestResumeSquat: what another has put under the name of a record is not resumed, and not changed.
func TestResumeSquat(t *testing.T) {
	for what, put := range squats {
		for _, suffix := range []string{"", tempdir.PartialSuffix} {
			t.Run(what+suffix, func(t *testing.T) {
				temp, victim, _ := squat(t)
				if err := os.WriteFile(victim, []byte(cutRecord), 0o600); err != nil {
					t.Fatal(err)
				}
				out := filepath.Join(temp, "run.jsonl")
				err := put(out+suffix, victim)
				if what != "hard link" {
					err = errors.Join(err, os.Lchown(out+suffix, 65534, 65534))
				}
				if err != nil {
					t.Skip(err)
				}
				_, err = ResumeRecorder(out, func(_ string, _ record.Line, err error) error { return err })
				if err == nil || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "run.jsonl") {
					t.Errorf("error %v", err)
				}
				if text, err := os.ReadFile(victim); string(text) != cutRecord || err != nil {
					t.Errorf("the victim's file: %q, %v", text, err)
				}
			})
		}
	}
}

// TestRecordsWithoutCache: without a cache records are kept where only the user can write.
func TestRecordsWithoutCache(t *testing.T) {
	temp, _, _ := squat(t)
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"} {
		t.Setenv(name, "")
	}
	own := filepath.Join(temp, fmt.Sprintf("tare-%d", os.Geteuid()))
	if dir := recordsDir(); dir != filepath.Join(own, "runs") {
		t.Errorf("%s, want a directory in %s", dir, own)
	}
	if err := os.Chmod(own, 0o777); err != nil {
		t.Fatal(err)
	}
	run := filepath.Join(filepath.Dir(temp), "run")
	t.Setenv("XDG_RUNTIME_DIR", run)
	if dir := recordsDir(); dir != filepath.Join(run, "tare-"+tempdir.Key(), "runs") {
		t.Errorf("%s, want another one", dir)
	}
}
