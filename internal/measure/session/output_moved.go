package session

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/tempdir"
)

// check goes on in a new file if another program has changed the one that is written.
func (o *OutputFile) check() error {
	what := o.change()
	if what == "" {
		return nil
	}
	if err := o.repair(); err != nil {
		return err
	}
	old, intact := o.file, o.intact()
	f, err := o.next()
	if err != nil {
		return fmt.Errorf("%s %s while tare was writing it, and no file can take its place: %w", o.path, what, err)
	}
	o.moves = append(o.moves, o.path+" "+what+" while tare was writing it")
	from := o.read
	o.file, o.read, o.path, o.final = f, f, f.Name(), ""
	o.identify()
	if err := o.refill(from, intact); err != nil {
		return err
	}
	if from != nil && from != old {
		from.Close()
	}
	return old.Close()
}

// refill writes to a new file what was written to the one before: all of it if that is
// intact, and the head if not.
func (o *OutputFile) refill(from *os.File, intact bool) error {
	size := o.written
	o.written, o.tail = 0, nil
	if !intact {
		if o.lines > 0 {
			o.anyLost = true
			o.moves[len(o.moves)-1] += fmt.Sprintf(", and %d of its lines are lost", o.lines)
		}
		o.lost, o.lines = o.lost+o.lines, 0
		_, err := o.append(o.head.Bytes())
		return err
	}
	if size == 0 {
		return nil
	}
	_, err := io.Copy(writerFunc(o.append), io.NewSectionReader(from, 0, size))
	return err
}

type writerFunc func([]byte) (int, error)

func (w writerFunc) Write(b []byte) (int, error) { return w(b) }

// change says what another program did to the file; "" if nothing.
func (o *OutputFile) change() string {
	if o.info == nil {
		return ""
	}
	at, err := os.Stat(o.path)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "" // without permission it is not known what is there
	case err != nil:
		return "was removed or renamed"
	case !os.SameFile(o.info, at):
		return "was replaced"
	case !o.intact():
		if now, err := o.file.Stat(); err == nil && now.Size() < o.written {
			return "was truncated"
		}
		return "was overwritten"
	}
	return ""
}

// intact reports whether the open file holds what was written, by its size and its end.
func (o *OutputFile) intact() bool {
	if !o.begun {
		return true // it holds nothing of ours yet
	}
	if o.read == nil {
		return false
	}
	now, err := o.read.Stat()
	if err != nil || now.Size() != o.written {
		return false
	}
	end := make([]byte, len(o.tail))
	_, err = o.read.ReadAt(end, o.written-int64(len(end)))
	return err == nil && bytes.Equal(end, o.tail)
}

// next creates the file to go on in: NAME.2.jsonl beside NAME.jsonl, or, where that
// cannot be created, the same name among the records of runs without -o. It has the mode and the group of the file before.
func (o *OutputFile) next() (f *os.File, err error) {
	before, err := o.file.Stat()
	if err != nil {
		return nil, err
	}
	first := strings.TrimSuffix(o.first, tempdir.PartialSuffix)
	ext := filepath.Ext(first)
	dir, name := filepath.Split(strings.TrimSuffix(first, ext))
	for _, dir := range []string{dir, recordsDir()} {
		for n := 2; n < 1000; n++ {
			path := filepath.Join(dir, fmt.Sprintf("%s.%d%s", name, n, ext))
			f, err = openNew(path, os.O_CREATE|os.O_RDWR|appendFlag(), 0o600)
			if !errors.Is(err, fs.ErrExist) {
				break
			}
		}
		if err == nil {
			return f, errors.Join(claimRecord(f), tempdir.KeepOwner(f, before, 0))
		}
	}
	return nil, err
}

// takeLost returns how many lines were lost since the last call.
func (o *OutputFile) takeLost() (n int) {
	n, o.lost = o.lost, 0
	return n
}

// Moved returns the error of a file that another program removed, replaced or
// truncated while it was written; nil if none did.
func (o *OutputFile) Moved() error {
	if len(o.moves) == 0 {
		return nil
	}
	saved := "all of it"
	if o.anyLost {
		saved = "what could be saved"
	}
	return exit.Failed(errors.New(strings.Join(o.moves, "; ")), saved+" is in "+o.path+"; keep other programs from the files of a run")
}

// PrintMoved prints moved, the error of a file that another program changed while it was
// written, and returns the error that ends the verb: err, or failure if that is nil.
// Without moved it prints nothing and returns err.
func PrintMoved(w io.Writer, moved, err error) error {
	if moved == nil {
		return err
	}
	exit.Print(w, moved, "")
	if err == nil {
		return exit.Silent(exit.Failure)
	}
	return err
}
