//go:build unix

package session

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// killedVar makes of a test the process that is killed while it writes the file that the variable names.
const killedVar = "TARE_TEST_KILLED_WRITING"

// TestReplaceKilled: what a killed process has written of a file lies beside it until the next one writes a file there, or
// checks that it can. What a living one writes stays.
func TestReplaceKilled(t *testing.T) {
	if out := os.Getenv(killedVar); out != "" {
		ReplaceFile(out, func(f *os.File) error {
			f.WriteString("half of it")
			return syscall.Kill(os.Getpid(), syscall.SIGKILL)
		})
		os.Exit(1)
	}
	dir := t.TempDir()
	out := filepath.Join(dir, "report.html")
	if err := os.WriteFile(out, []byte("before"), 0o666); err != nil {
		t.Fatal(err)
	}
	files := func(want int) {
		t.Helper()
		if list, err := os.ReadDir(dir); err != nil || len(list) != want {
			t.Errorf("%v, %v, want %d files", list, err, want)
		}
	}
	for _, next := range []func() error{
		func() error { return CheckWritable(filepath.Join(dir, "other.csv")) },
		func() error { return ReplaceFile(out, func(*os.File) error { return errors.New("cannot be shown") }) },
	} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestReplaceKilled$")
		cmd.Env = append(os.Environ(), killedVar+"="+out)
		if text, err := cmd.CombinedOutput(); err == nil || cmd.ProcessState.ExitCode() != -1 {
			t.Fatalf("was not killed: %v %s", err, text)
		}
		files(2)
		next()
		files(1)
	}
	err := ReplaceFile(out, func(f *os.File) error {
		if err := ReplaceFile(filepath.Join(dir, "other.csv"), func(*os.File) error { files(3); return nil }); err != nil {
			t.Error(err)
		}
		files(3)
		_, err := f.WriteString("after")
		return err
	})
	if text, _ := os.ReadFile(out); err != nil || string(text) != "after" {
		t.Errorf("%q, %v", text, err)
	}
	files(2)
}

// TestReplaceLinks: a link of another user in a shared directory is not followed, and other links are.
func TestReplaceLinks(t *testing.T) {
	for _, c := range []struct {
		what   string
		uid    int
		mode   os.FileMode // of the directory
		follow bool
	}{
		{"ours, in a shared directory", os.Geteuid(), 0o777 | os.ModeSticky, true},
		{"another's, in a shared directory", 65534, 0o777 | os.ModeSticky, false},
		{"another's, in one that a group may write in", 65534, 0o775, false},
		{"another's, in ours", 65534, 0o755, false},
	} {
		for _, exists := range []bool{true, false} {
			temp, victim, unharmed := squat(t)
			if err := os.Chmod(temp, c.mode); err != nil {
				t.Fatal(err)
			}
			to := victim
			if !exists {
				to += ".new"
			}
			out := filepath.Join(temp, "x.csv")
			if err := errors.Join(os.Symlink(to, out), os.Lchown(out, c.uid, -1)); err != nil {
				t.Skip(err)
			}
			write := func(f *os.File) error { _, err := f.WriteString("after"); return err }
			err := ReplaceFile(out, write)
			_, recordErr := CreateBeside(out)
			text, _ := os.ReadFile(to)
			if (err == nil) != c.follow || (recordErr == nil) != c.follow || (string(text) == "after") != c.follow {
				t.Errorf("%s: %v, %v, %q", c.what, err, recordErr, text)
			}
			if !c.follow {
				unharmed()
				if !strings.Contains(err.Error(), "is a link of user id 65534") || strings.Contains(err.Error(), "\n") {
					t.Error(err)
				}
			}
		}
	}
}

// TestReplaceKeeps: a file that is replaced keeps its mode and owner, also behind a link, and so does a record.
func TestReplaceKeeps(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Symlink("file", link)); err != nil {
		t.Fatal(err)
	}
	for _, uid := range []int{os.Geteuid(), 65534} {
		if err := os.Chown(path, uid, -1); err != nil {
			t.Skip(err)
		}
		kept := func(text string) {
			t.Helper()
			info, err := os.Stat(path)
			if err != nil || info.Mode().Perm() != 0o600 || int(info.Sys().(*syscall.Stat_t).Uid) != uid {
				t.Errorf("%v, %v", info.Mode(), err)
			}
			if got, err := os.ReadFile(path); string(got) != text {
				t.Errorf("%q, %v, want %q", got, err, text)
			}
		}
		if err := ReplaceFile(link, func(f *os.File) error { _, err := f.WriteString("text"); return err }); err != nil {
			t.Error(err)
		}
		kept("text")
		f, err := CreateBeside(link)
		if err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(f.Path()); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("while it is written: %v, %v", info, err)
		}
		f.Write([]byte("record"))
		if err := f.Close(true); err != nil {
			t.Error(err)
		}
		kept("record")
	}
}

// TestReplaceStreams: a device, a pipe with a reader, and a file that this process has open are written in place. A pipe
// without a reader is an error at once.
func TestReplaceStreams(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe.json")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	write := func(f *os.File) error { _, err := f.WriteString("text"); return err }
	if err := ReplaceFile(pipe, write); err == nil || err.Error() != "this pipe has no reader" {
		t.Error(err)
	}
	r, err := os.OpenFile(pipe, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, out := range []string{pipe, os.DevNull, "/dev/fd/" + strconv.Itoa(int(r.Fd()))} {
		if err := errors.Join(CheckWritable(out), ReplaceFile(out, write)); err != nil {
			t.Errorf("%s: %v", out, err)
		}
		if _, err := CreateBeside(out); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", out, err)
		}
	}
	got := make([]byte, 8)
	if _, err := io.ReadFull(r, got); err != nil || string(got) != "texttext" {
		t.Errorf("%q, %v", got, err)
	}
	e, err := NewExporter([]string{pipe, os.DevNull, "new.jsonl"}, map[string]string{".json": "json"})
	if err != nil || e.Records != "new.jsonl" || len(e.Files) != 2 || e.Files[1] != (File{os.DevNull, Records}) {
		t.Errorf("%+v, %v", e, err)
	}
}

// TestReplaceSwapped: a link that somebody has put in the place of the temporary file does not become the file.
func TestReplaceSwapped(t *testing.T) {
	temp, victim, unharmed := squat(t)
	out := filepath.Join(temp, "x.csv")
	err := ReplaceFile(out, func(f *os.File) error {
		names, _ := filepath.Glob(filepath.Join(temp, ".tare-run-*"))
		if len(names) != 1 {
			t.Fatalf("%q", names)
		}
		_, err := f.WriteString("text")
		return errors.Join(err, os.Remove(names[0]), os.Symlink(victim, names[0]))
	})
	if _, e := os.Lstat(out); err == nil || e == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v, %v", err, e)
	}
	unharmed()
}

// TestReplaceOwnDescriptor: what is written by the name of a descriptor, and by the descriptor, comes one after the other, and a file
// that other processes append to keeps what they write.
func TestReplaceOwnDescriptor(t *testing.T) {
	for _, form := range []string{"/dev/fd/%d", "/proc/self/fd/%d", "/proc/thread-self/fd/%d"} {
		f, err := os.Create(filepath.Join(t.TempDir(), "out"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		name := fmt.Sprintf(form, f.Fd())
		if _, err := os.Stat(name); err != nil {
			t.Logf("%s: %v", name, err)
			continue
		}
		write := func(text string) func(*os.File) error {
			return func(f *os.File) error { _, err := f.WriteString(text); return err }
		}
		if err := errors.Join(write("first ")(f), ReplaceFile(name, write("second ")), write("third")(f)); err != nil {
			t.Error(err)
		}
		if text, err := os.ReadFile(f.Name()); string(text) != "first second third" || err != nil {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}

// TestCreateFile: CreateFile does not follow a link of another user, does not change the contents of other hard links, and returns an
// empty file at each call.
func TestCreateFile(t *testing.T) {
	temp, victim, unharmed := squat(t)
	out := filepath.Join(temp, "out")
	for what, put := range map[string]func() error{
		"nothing":        func() error { return nil },
		"hard link":      func() error { return os.Link(victim, out) },
		"another's link": func() error { return errors.Join(os.Symlink(victim, out), os.Lchown(out, 65534, -1)) },
	} {
		os.Remove(out)
		if err := put(); err != nil {
			t.Logf("%s: %v", what, err)
			continue
		}
		for range 2 {
			f, err := CreateFile("--stdout", out)
			if what == "another's link" {
				if err == nil || !strings.Contains(err.Error(), "--stdout "+out+": ") || !strings.Contains(err.Error(), "is a link of user id 65534") {
					t.Error(err)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			f.WriteString("text")
			f.Close()
			if text, err := os.ReadFile(out); string(text) != "text" || err != nil {
				t.Errorf("%s: %q, %v", what, text, err)
			}
		}
		os.Remove(out)
		unharmed()
	}
}

// TestAppendFile: AppendFile adds to a file of ours, does not touch that of another by whatever somebody has put under the name, and
// waits for nobody.
func TestAppendFile(t *testing.T) {
	for what, put := range squats {
		t.Run(what, func(t *testing.T) {
			temp, victim, unharmed := squat(t)
			out := filepath.Join(temp, "raw")
			if err := put(out, victim); err != nil {
				t.Skip(err)
			}
			if err := os.Lchown(out, 65534, 65534); err != nil && what != "hard link" && what != "pipe" {
				t.Skip(err)
			}
			if what == "hard link" {
				os.Chown(out, os.Geteuid(), os.Getegid())
			}
			f, err := AppendFile("property p", out)
			if err == nil {
				f.WriteString("ours")
				f.Close()
			}
			if err == nil || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "property p ") || !strings.Contains(err.Error(), out) {
				t.Errorf("error %v", err)
			}
			unharmed()
		})
	}
	out := filepath.Join(t.TempDir(), "raw")
	for range 2 {
		f, err := AppendFile("property p", out)
		if err != nil {
			t.Fatal(err)
		}
		f.WriteString("line\n")
		f.Close()
	}
	if text, err := os.ReadFile(out); string(text) != "line\nline\n" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	if f, err := AppendFile("property p", os.DevNull); err != nil || f.Close() != nil {
		t.Error(err)
	}
}

// TestUmask: a new file has the mode that the umask leaves, and one that is replaced keeps its own. Nothing is left beside them.
func TestUmask(t *testing.T) {
	for umask, want := range map[int]fs.FileMode{0o022: 0o644, 0o077: 0o600, 0o002: 0o664, 0o027: 0o640, 0: 0o666} {
		dir := t.TempDir()
		old := filepath.Join(dir, "old.md")
		if err := os.WriteFile(old, nil, 0o600); err != nil || os.Chmod(old, 0o604) != nil {
			t.Fatal(err)
		}
		write := func(f *os.File) error { _, err := f.WriteString("x"); return err }
		before := syscall.Umask(umask)
		err := errors.Join(ReplaceFile(filepath.Join(dir, "new.md"), write), ReplaceName(filepath.Join(dir, "named.md"), write), ReplaceFile(old, write))
		f, e := CreateFile("--stdout", filepath.Join(dir, "created"))
		syscall.Umask(before)
		if err := errors.Join(err, e, f.Close()); err != nil {
			t.Fatal(err)
		}
		modes := map[string]fs.FileMode{"new.md": want, "named.md": want, "created": want, "old.md": 0o604}
		entries, err := os.ReadDir(dir)
		if err != nil || len(entries) != len(modes) {
			t.Errorf("umask %03o: %v, %v", umask, entries, err)
		}
		for name, mode := range modes {
			if st, err := os.Stat(filepath.Join(dir, name)); err != nil || st.Mode().Perm() != mode {
				t.Errorf("umask %03o: %s has mode %v, want %v; %v", umask, name, st.Mode(), mode, err)
			}
		}
	}
}
