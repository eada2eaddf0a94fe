package record

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// MaxLine is the most bytes that a line may have, its newline included. It
// bounds the memory of a reader; attachments that come near it belong into a
// file beside the record.
const MaxLine = 64 << 20

var errTooLong = errors.New("line too long")

// A scanner cuts its input into lines in bounded memory. Unlike bufio.Scanner
// it tells whether the last line had a newline, can go on after a line that is
// too long, and knows how many bytes it has gone through.
type scanner struct {
	br     *bufio.Reader
	max    int    // MaxLine, less in tests
	long   []byte // a line that did not fit br's buffer
	offset int64  // end of the last line in the input
	number int    // of the last line, from 1
}

func newScanner(r io.Reader) scanner {
	return scanner{br: bufio.NewReaderSize(r, 64<<10), max: MaxLine}
}

// next returns the next line without its newline, and whether it had one. The
// line is valid until the call after. The error is io.EOF after the last line,
// errTooLong for a line that was skipped, or what the input returned.
func (s *scanner) next() (line []byte, ended bool, err error) {
	s.number++
	line, err = s.br.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		line, err = s.nextLong(line)
	} else {
		s.offset += int64(len(line))
	}
	switch {
	case err == nil:
		return line[:len(line)-1], true, nil
	case err == io.EOF && len(line) > 0:
		return line, false, nil
	}
	return nil, false, err
}

// nextLong reads the rest of a line that began with start.
func (s *scanner) nextLong(start []byte) ([]byte, error) {
	if cap(s.long) > keepBuffer {
		s.long = nil
	}
	s.long = s.long[:0]
	part, err := start, bufio.ErrBufferFull
	for {
		s.offset += int64(len(part))
		if len(s.long)+len(part) > s.max {
			return nil, s.skip(err)
		}
		s.long = append(s.long, part...)
		if err != bufio.ErrBufferFull {
			return s.long, err
		}
		part, err = s.br.ReadSlice('\n')
	}
}

// skip goes to the end of a line that is too long; err is how far its last
// part came. A too long line that has no end is io.ErrUnexpectedEOF.
func (s *scanner) skip(err error) error {
	for err == bufio.ErrBufferFull {
		var part []byte
		part, err = s.br.ReadSlice('\n')
		s.offset += int64(len(part))
	}
	switch err {
	case nil:
		return errTooLong
	case io.EOF:
		return io.ErrUnexpectedEOF
	}
	return err
}

// head returns line and, of what follows it, as much as is at hand, so that
// the beginning of an unknown input can be looked at without waiting for more.
func (s *scanner) head(line []byte) []byte {
	const enough = 4 << 10
	rest, _ := s.br.Peek(min(s.br.Buffered(), enough)) // does not read, so line stays valid
	head := bytes.Clone(line[:min(len(line), enough)])
	return append(append(head, '\n'), rest...)
}
