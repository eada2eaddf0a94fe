package benchorder

import (
	"bytes"
	"errors"
	"io"
	"os"
)

// tail reads the lines of a file that grows. After an error nothing more is read.
type tail struct {
	path string
	line func([]byte) error
	file *os.File
	rest []byte // of a line that is not whole yet
	err  error
}

// read hands over the lines that have become whole.
func (t *tail) read() {
	if t.file == nil && t.err == nil {
		if t.err = t.open(); errors.Is(t.err, os.ErrNotExist) { // nothing is written yet
			t.err = nil
			return
		}
	}
	if t.err != nil {
		return
	}
	more, err := io.ReadAll(t.file)
	t.rest = append(t.rest, more...)
	for err == nil {
		line, rest, whole := bytes.Cut(t.rest, []byte("\n"))
		if !whole {
			break
		}
		err, t.rest = t.line(line), rest
	}
	t.err = err
}

func (t *tail) open() (err error) {
	t.file, err = os.Open(t.path)
	return err
}

func (t *tail) close() {
	if t.file != nil {
		t.file.Close()
	}
}
