package runlog

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"

	"github.com/tarebench/tare/internal/base/tempdir"
)

// pathVar is the environment variable that names another file, or "off".
const pathVar = "TARE_RUNLOG"

// maxSize is the size from which the older half of the log is dropped, in bytes: some ten thousand runs.
const maxSize = 8 << 20

// maxLine is the longest line that is read, in bytes. A run of 10 000 benchmarks has 2 MB.
const maxLine = 16 << 20

// DefaultPath returns the log's file, "" if there is none: TARE_RUNLOG says off, the user has no home, or
// another user could put something else in its place.
func DefaultPath() string {
	switch v := os.Getenv(pathVar); v {
	case "off":
		return ""
	case "":
	default:
		return v
	}
	dir := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(dir) {
		var err error
		if runtime.GOOS != "linux" {
			dir, err = os.UserConfigDir()
		} else if dir, err = os.UserHomeDir(); err == nil {
			dir = filepath.Join(dir, ".local", "state")
		}
		if err != nil {
			return ""
		}
	}
	path := filepath.Join(dir, "tare", "runs.jsonl")
	if tempdir.CheckPath(path) != nil { // such as when root has a user's home directory: it would write where the user says
		return ""
	}
	return path
}

// Read returns the runs of one machine, the oldest first. A log that does not exist has none. Lines that are damaged
// are left out: another run may have been killed while it wrote.
func Read(path, machine string) ([]Entry, error) {
	f, err := open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []Entry
	lines := bufio.NewScanner(io.LimitReader(f, 4*maxSize))
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		var e Entry
		if json.Unmarshal(lines.Bytes(), &e) == nil && e.Machine == machine {
			out = append(out, e)
		}
	}
	return out, lines.Err()
}

func notFile(path string) error {
	return fmt.Errorf("%s is not a file: name one by %s, or none by %s=off", path, pathVar, pathVar)
}

// open opens the log for reading. It does not wait for the other end of a pipe, and fails for what is not a file.
func open(path string) (*os.File, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, notFile(path)
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() { // it has taken the file's place
		f.Close()
		return nil, errors.Join(err, notFile(path))
	}
	return f, nil
}

// Append adds a run. Two processes may append at once: an entry is one write.
func Append(path string, e Entry) error {
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	dir, err := tempdir.MkdirAll(filepath.Dir(path), 0o700)
	if err != nil {
		return err
	}
	if path, err = tempdir.FollowLinks(filepath.Join(dir, filepath.Base(path))); err != nil {
		return err
	}
	if err := shorten(path); err != nil {
		return err
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return notFile(path)
	}
	f, err := tempdir.OpenOwnFile(path, os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(text, '\n'))
	return errors.Join(err, f.Close())
}

// shorten drops the older half of a log that is too large. What another process appends at this moment may be lost.
func shorten(path string) error {
	info, err := os.Stat(path)
	if err != nil || info.Size() < maxSize {
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	rest := text[len(text)/2:]
	for i, c := range rest {
		if c == '\n' {
			rest = rest[i+1:]
			break
		}
	}
	return tempdir.WriteFile(path, rest, 0o600)
}
