package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// OpenAppend opens an existing record file to write further lines at its end.
// A cut-off last line is removed, and cut says how many bytes that were; a last
// line that lacks only its newline gets it. Whole lines are never touched,
// whatever is in them, and neither is a file that is not a record file, for
// which the error is that of [Reader.Next] on its first line. Nobody else may
// be writing the file meanwhile.
//
// The file returned is for writing only. It is the caller's to close.
func OpenAppend(path string) (f *os.File, cut int64, err error) {
	cut, err = mend(path)
	if err != nil {
		return nil, 0, err
	}
	// Opened anew, because where O_APPEND is a right of its own (Windows) it
	// does not include truncating.
	f, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return nil, 0, err
	}
	return f, cut, nil
}

// mend makes the file end with a newline.
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
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, fmt.Errorf("%s: cannot go on writing what is not a regular file", path)
	}
	if _, err := NewReader(f, path).Next(); err != nil {
		return 0, err
	}
	start, err := lastLine(f, info.Size())
	if err != nil {
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	rest := make([]byte, info.Size()-start)
	if _, err := f.ReadAt(rest, start); err != nil && len(rest) > 0 {
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	switch {
	case len(rest) == 0:
		return 0, nil
	case json.Valid(rest):
		_, err := f.WriteAt([]byte("\n"), info.Size())
		return 0, err
	}
	return int64(len(rest)), f.Truncate(start)
}

// lastLine returns where in a file of the given size the text after the last
// newline begins.
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
