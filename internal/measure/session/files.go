package session

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/internal/base/termtext"
)

// CheckWritable reports whether a file could be created beside the one that -o
// names. Nothing is left behind. A pipe or a device is not opened.
func CheckWritable(out string) error { return CheckFlag("-o", out) }

// CheckFlag is CheckWritable for a file that another flag names, by the same rules.
func CheckFlag(flag, out string) error {
	o, err := resolveOutput(flag, out)
	if err != nil || o.stream {
		return err
	}
	p, err := tempdir.Beside(o.path)
	if err != nil {
		return cannotWrite(flag, out, err)
	}
	p.Remove()
	return nil
}

// CreateFile returns a new empty file in the place of what a flag names, by the rules of -o: a link of another user is not followed,
// what another name of an existing file leads to stays as it is, and a device is opened.
func CreateFile(flag, out string) (*os.File, error) {
	o, err := resolveOutput(flag, out)
	if err != nil {
		return nil, err
	}
	if o.stream {
		return openStream(o.path)
	}
	if runtime.GOOS == "windows" { // where an open file cannot be renamed
		return os.Create(o.path)
	}
	var kept *os.File
	err = replace(o.path, o.old, func(f *os.File) (err error) {
		kept, err = duplicate(int(f.Fd()), out)
		return err
	})
	if err != nil && kept != nil {
		kept.Close()
	}
	if err != nil {
		return nil, cannotWrite(flag, out, err)
	}
	return kept, nil
}

// AppendFile returns what a flag or a property names, opened for appending, by the rules of -o. An existing file must be one of this
// user alone: another name of it may be that of a file elsewhere.
func AppendFile(flag, out string) (f *os.File, err error) {
	o, err := resolveOutput(flag, out)
	if err != nil {
		return nil, err
	}
	if o.stream {
		f, err = openStream(o.path)
	} else {
		f, err = tempdir.OpenOwnFile(o.path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
	}
	if errors.Is(err, tempdir.ErrNotOwn) {
		return nil, exit.Usage(fmt.Errorf("%s %w", flag, err), "remove it, or name another file")
	}
	if err != nil {
		return nil, cannotWrite(flag, out, err)
	}
	return f, nil
}

// ReplaceFile writes a file beside its name and renames it, so that an existing
// one is never half overwritten, and keeps its mode and owner. What a killed process left beside it is removed.
// A pipe or a device is written as it is.
func ReplaceFile(out string, write func(*os.File) error) error {
	o, err := resolveOutput("-o", out)
	if err != nil {
		return err
	}
	if o.stream {
		return writeStream(o.path, write)
	}
	return replace(o.path, o.old, write)
}

// ReplaceName is ReplaceFile in a directory in which others, such as the measured code, may have put something under the name: that is
// replaced, too. A link is not followed, and a pipe not opened.
func ReplaceName(path string, write func(*os.File) error) error {
	dir, err := tempdir.FollowLinks(filepath.Dir(path))
	if err != nil {
		return err
	}
	return replace(filepath.Join(dir, filepath.Base(path)), nil, write)
}

// replace gives a new file a name, and the mode and owner of the old file, if there is one.
func replace(path string, old fs.FileInfo, write func(*os.File) error) error {
	p, err := tempdir.Beside(path)
	if err != nil {
		return err
	}
	defer p.Remove()
	if err := write(p.File); err != nil {
		return err
	}
	mode := fs.FileMode(0)
	if old == nil {
		if mode, err = p.NewMode(); err != nil {
			return err
		}
	}
	if err := tempdir.KeepOwner(p.File, old, mode); err != nil {
		return err
	}
	return p.MoveTo(path)
}

// writeStream writes to a pipe or a device.
func writeStream(path string, write func(*os.File) error) error {
	f, err := openStream(path)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

// openStream opens a pipe or a device. It does not wait for a reader of a pipe. A file that this process has open is written
// by a duplicate of its descriptor: what is written by a second opening of it, and by the first, would overwrite each other.
func openStream(path string) (*os.File, error) {
	if fd, ok := ownDescriptor(path); ok {
		return duplicate(fd, path)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|nonblock, 0)
	if isUnread(err) {
		return nil, errors.New("this pipe has no reader")
	}
	return f, err
}

// ownDescriptor returns the descriptor of this process that a path without links names.
func ownDescriptor(path string) (fd int, ok bool) {
	m := openFile.FindStringSubmatch(path)
	if m == nil {
		return 0, false
	}
	switch m[1] {
	case "/dev", "/proc/self", "/proc/thread-self", "/proc/" + strconv.Itoa(os.Getpid()):
		fd, err := strconv.Atoi(m[3])
		return fd, err == nil
	}
	return 0, false
}

// CopyFile writes the contents of a file to w.
func CopyFile(w io.Writer, path string) error {
	r, err := os.Open(path)
	if err != nil {
		return err
	}
	defer r.Close()
	lines := redact.NewLines(termtext.JSON(w))
	_, err = io.Copy(lines, r)
	return errors.Join(err, lines.Flush())
}

// output is what -o names.
type output struct {
	path   string      // without links
	old    fs.FileInfo // of the file that is there; nil if none is
	stream bool        // a pipe, a device, or a file that this process has open
}

// resolveOutput returns what -o names. Links are followed, so that what they point to is replaced and not the link, but not those
// that another user could have put there.
func resolveOutput(flag, out string) (output, error) {
	path, err := tempdir.FollowLinks(out)
	if err != nil {
		return output{}, cannotWrite(flag, out, err)
	}
	st, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return output{path: path}, nil
	}
	if err != nil {
		return output{}, cannotWrite(flag, out, err)
	}
	switch mode := st.Mode(); {
	case mode.IsDir():
		return output{}, exit.Usage(fmt.Errorf("%s %s: is a directory", flag, out), "name a file in it")
	case openFile.MatchString(path), mode&fs.ModeNamedPipe != 0 && tempdir.IsTrusted(st), mode&fs.ModeCharDevice != 0:
		return output{path: path, old: st, stream: true}, nil
	case mode&fs.ModeNamedPipe != 0:
		return output{}, exit.Usage(fmt.Errorf("%s %s: is a pipe of another user", flag, out), "name another file")
	case !mode.IsRegular():
		return output{}, exit.Usage(fmt.Errorf("%s %s: is not a regular file", flag, out), "--format says what stdout gets")
	}
	return output{path: path, old: st}, nil
}

// openFile matches the names of files that a process has open: what /dev/stdout leads to.
var openFile = regexp.MustCompile(`^(/proc/[^/]+|/dev)(/task/[0-9]+)?/fd/([0-9]+)$`)

// cannotWrite returns an error that names what was typed, and not a temporary
// file beside it.
func cannotWrite(flag, out string, err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		err = p.Err
	}
	return exit.Usage(fmt.Errorf("%s %s: %w", flag, out, err), "name a file in a directory that can be written to")
}
