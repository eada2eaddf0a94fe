package session

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/record"
)

// checkEvery bounds how often a file that is written is searched for under its name.
const checkEvery = 100 * time.Millisecond

// tailLength is how many of the last bytes written are compared with the file, in bytes.
const tailLength = 64

// OutputFile is a file of -o that is written as a run goes on. If another program
// removes, replaces or truncates it meanwhile, it goes on in a new file beside it,
// which holds everything that was written where the old one can still be read.
// Close does not fail for that; Moved has the error.
type OutputFile struct {
	// Head says that what is written now belongs to the head of the file. The head is
	// kept in memory and begins each new file.
	Head bool

	file    *os.File
	read    *os.File // the same file, open for reading
	info    os.FileInfo
	path    string      // of the file that is being written
	first   string      // the name that was asked for
	final   string      // the name of path when it is complete; "" if it stays
	old     fs.FileInfo // of the file of that name when the run began; nil if there was none
	begun   bool        // what the file held before is gone
	written int64       // bytes in the file
	tail    []byte      // the last bytes written
	head    bytes.Buffer
	lines   int // in the file, without the head
	lost    int // lines that no file holds, since the last takeLost
	anyLost bool

	unrepaired bool // the record of an earlier run, whose last line may be incomplete

	now     func() time.Time
	checked time.Time
	moves   []string // what happened to the files
}

// CreateBeside opens a file that -o names. If it exists already, the new one is
// beside it until it is complete. What an incomplete file beside it held is
// removed by the first Write. Only one process has a file open for writing.
func CreateBeside(out string) (*OutputFile, error) {
	o, err := resolveOutput("-o", out)
	if err != nil {
		return nil, err
	}
	if o.stream {
		return nil, exit.Usage(fmt.Errorf("-o %s: is not a regular file", out), "name one")
	}
	path, final, mode, open := o.path, "", fs.FileMode(0o666), openNew
	if o.old != nil { // the user has not named the file beside it: somebody else may have put it there
		path, final, mode, open = path+tempdir.PartialSuffix, path, o.old.Mode().Perm(), tempdir.OpenOwnFile
	}
	f, err := open(path, os.O_CREATE|os.O_RDWR|appendFlag(), mode)
	if errors.Is(err, tempdir.ErrNotOwn) {
		return nil, exit.Usage(err, "remove it, or name another file with -o")
	}
	if err != nil {
		return nil, cannotWrite("-o", out, err)
	}
	if err := claimRecord(f); err != nil {
		f.Close()
		return nil, err
	}
	file := newOutputFile(f, f, path, final)
	file.old = o.old
	return file, nil
}

// openNew creates a file. It follows no link that was put there meanwhile.
func openNew(path string, flag int, mode fs.FileMode) (*os.File, error) {
	return os.OpenFile(path, flag|os.O_EXCL, mode)
}

// appendFlag keeps what is written after a truncation at the end of the file, where its
// size tells of the truncation. On Windows such a file could not be emptied.
func appendFlag() int {
	if runtime.GOOS == "windows" {
		return 0
	}
	return os.O_APPEND
}

// newOutputFile returns an output to an open file. read is the same file, open for
// reading; nil if that is not possible.
func newOutputFile(f, read *os.File, path, final string) *OutputFile {
	o := &OutputFile{file: f, read: read, path: path, first: path, final: final, now: time.Now}
	o.identify()
	return o
}

// identify notes which file is written. It is not known on file systems where
// a file differs from itself, and there a replaced file is not noticed.
func (o *OutputFile) identify() {
	o.info = nil
	info, err := o.file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	if at, err := os.Stat(o.path); err == nil && os.SameFile(info, at) {
		o.info = info
	}
}

// goOn takes what the file holds for written.
func (o *OutputFile) goOn() error {
	info, err := o.read.Stat()
	if err != nil {
		return exit.Failed(err, "")
	}
	o.begun, o.written = true, info.Size()
	o.tail = make([]byte, min(o.written, tailLength))
	if _, err := o.read.ReadAt(o.tail, o.written-int64(len(o.tail))); err != nil {
		return exit.Failed(err, "")
	}
	return nil
}

// repair removes the incomplete last line of the record of an earlier run. If another program has changed the file since it was
// opened, what that did is found by change.
func (o *OutputFile) repair() error {
	if !o.unrepaired {
		return nil
	}
	o.unrepaired = false
	if !o.intact() {
		return nil
	}
	if _, err := record.Repair(o.file); err != nil {
		return exit.Failed(err, "")
	}
	return o.goOn()
}

// Path returns the name of the file that is being written.
func (o *OutputFile) Path() string { return o.path }

// Write appends to the file. It searches for the file under its name first, at most every 100 ms.
func (o *OutputFile) Write(b []byte) (int, error) {
	if err := o.repair(); err != nil {
		return 0, err
	}
	if now := o.now(); !o.begun || now.Sub(o.checked) >= checkEvery {
		o.checked = now
		if err := o.check(); err != nil {
			return 0, err
		}
	}
	if !o.begun {
		o.begun = true
		if err := o.file.Truncate(0); err != nil && o.info != nil {
			return 0, err
		}
	}
	if o.Head {
		o.head.Write(b)
	} else {
		o.lines += bytes.Count(b, []byte("\n"))
	}
	return o.append(b)
}

func (o *OutputFile) append(b []byte) (int, error) {
	n, err := o.file.Write(b)
	o.written += int64(n)
	o.tail = append(o.tail, b[max(0, n-tailLength):n]...)
	o.tail = o.tail[max(0, len(o.tail)-tailLength):]
	return n, err
}

// Discard closes the file and removes it if it is empty and still ours.
func (o *OutputFile) Discard() {
	mine, err := o.file.Stat()
	at, e := os.Stat(o.path)
	o.file.Close()
	if err == nil && e == nil && mine.Size() == 0 && os.SameFile(mine, at) {
		os.Remove(o.path)
	}
}

// Close ends the file. A complete one takes the name that was asked for.
func (o *OutputFile) Close(complete bool) error {
	if err := o.check(); err != nil {
		return exit.Failed(err, "")
	}
	if complete && o.final != "" && o.old != nil { // what has the name now may be another user's
		if err := tempdir.KeepOwner(o.file, o.old, 0); err != nil {
			return exit.Failed(err, "the result is in "+o.path)
		}
	}
	err := o.file.Close()
	if o.read != nil && o.read != o.file {
		o.read.Close()
	}
	if err != nil {
		return exit.Failed(fmt.Errorf("%s: %w", o.path, err), "")
	}
	if !complete || o.final == "" {
		return nil
	}
	if err := os.Rename(o.path, o.final); err != nil {
		return exit.Failed(err, "the result is in "+o.path)
	}
	o.path, o.final = o.final, ""
	return nil
}
