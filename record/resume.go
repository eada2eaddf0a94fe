package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// OpenAppend opens an existing record file to append lines. It removes a cut-off last
// line and returns its length in bytes; a last line that lacks only its newline gets
// it. It never changes whole lines, nor files that are no record files, for which it
// returns the error of [Reader.Next] on the first line. No other process may write
// the file meanwhile.
//
// The file is open for writing only. The caller must close it.
func OpenAppend(path string) (f *os.File, cut int64, err error) {
	cut, err = mend(path)
	if err != nil {
		return nil, 0, err
	}
	// Opened again, because on Windows a handle for appending cannot truncate.
	f, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return nil, 0, err
	}
	return f, cut, nil
}

func mend(path string) (cut int64, err error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return 0, err
	}
	defer func() {
		if cerr := f.Close(); err == nil {
			err = cerr
		}
	}()
	return Repair(f)
}

// Repair makes a record file that is open for reading and writing end with a whole line, as [OpenAppend] does, and moves its offset to
// the end.
func Repair(f *os.File) (cut int64, err error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, fmt.Errorf("%s: cannot append: not a regular file", f.Name())
	}
	size := info.Size()
	if _, err := NewReader(io.NewSectionReader(f, 0, size), f.Name()).Next(); err != nil {
		return 0, err
	}
	start, err := lastLine(f, size)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", f.Name(), err)
	}
	rest := make([]byte, size-start)
	if _, err := f.ReadAt(rest, start); err != nil && len(rest) > 0 {
		return 0, fmt.Errorf("%s: %w", f.Name(), err)
	}
	whole := json.Valid(rest)
	if len(rest) > 0 && !whole {
		cut = int64(len(rest))
		if err := f.Truncate(start); err != nil {
			return 0, err
		}
	}
	if _, err := f.Seek(0, io.SeekEnd); err != nil {
		return 0, err
	}
	if whole {
		_, err = f.WriteString("\n")
	}
	return cut, err
}

// lastLine returns the offset after the last newline of a file of the given size.
func lastLine(f io.ReaderAt, size int64) (int64, error) {
	const step = 64 << 10
	buf := make([]byte, step)
	for end := size; end > 0; {
		part := buf[:min(end, step)]
		at := end - int64(len(part))
		if _, err := f.ReadAt(part, at); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(part, '\n'); i >= 0 {
			return at + int64(i) + 1, nil
		}
		if size-at > MaxLine {
			return 0, fmt.Errorf("no line ends in the last %d bytes", int64(MaxLine))
		}
		end = at
	}
	return 0, nil
}
