package hist

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// maxLine is the length in bytes beyond which a line of a log is skipped. A histogram
// of 3 digits takes about 10 KB, the largest possible one of 5 digits about 10 MB.
const maxLine = 16 << 20

var errLongLine = fmt.Errorf("longer than %d MiB", maxLine>>20)

// A lineReader reads lines of limited length.
type lineReader struct {
	in     *bufio.Reader
	line   []byte
	number int // of the last line read, from 1
}

func newLineReader(r io.Reader) lineReader { return lineReader{in: bufio.NewReaderSize(r, 64<<10)} }

// next returns the next line, valid until the next call. It returns errLongLine for a
// line that it skipped; the next call continues after it.
func (l *lineReader) next() ([]byte, error) {
	l.line = l.line[:0]
	l.number++
	for long := false; ; {
		part, err := l.in.ReadSlice('\n')
		if long = long || len(l.line)+len(part) > maxLine; !long {
			l.line = append(l.line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err != nil && (err != io.EOF || len(l.line) == 0 && !long):
			return nil, err
		case long:
			return nil, errLongLine
		default:
			return l.line, nil
		}
	}
}
