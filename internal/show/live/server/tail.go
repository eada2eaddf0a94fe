package server

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/tarebench/tare/internal/base/tempdir"
)

// Sizes of what is read at once, in bytes.
const (
	readSize = 256 << 10
	maxLine  = 256 << 20 // a longer line is never whole
)

// readLines returns whole lines of a file from an offset: about readSize bytes, and at least one line. It returns nothing where
// no whole line has been written. The file is not kept open, so that it can be renamed on every system.
func readLines(path string, offset int64) ([]byte, error) {
	f, err := os.Open(path)
	if final, beside := strings.CutSuffix(path, tempdir.PartialSuffix); errors.Is(err, fs.ErrNotExist) && beside {
		f, err = os.Open(final) // it has just got its name
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for size := readSize; size <= maxLine; size *= 8 {
		text := make([]byte, size)
		n, err := f.ReadAt(text, offset)
		if err != nil && err != io.EOF {
			return nil, err
		}
		text = text[:n]
		if end := bytes.LastIndexByte(text, '\n'); end >= 0 {
			return text[:end+1], nil
		}
		if n < size {
			break
		}
	}
	return nil, nil
}
