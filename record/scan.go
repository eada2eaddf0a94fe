package record

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// MaxLine is the limit of a line in bytes, including its newline. It bounds the
// memory of a reader. Store larger attachments in a file beside the record.
const MaxLine = 64 << 20

// maxSkipped is how many times the limit of a line is skipped of one that is too long.
// An input may have no end.
const maxSkipped = 16

var (
	errTooLong = errors.New("line too long")
	errEndless = errors.New("line too long, and no end of it in sight")
)

// A scanner splits its input into lines in bounded memory. Unlike bufio.Scanner it
// reports whether the last line had a newline, continues after a line that is too
// long, and knows its offset.
type scanner struct {
	br     *bufio.Reader
	max    int    // MaxLine, less in tests
	first  bool   // the next line is the first: the rest of one that is too long is left
	long   []byte // a line that did not fit br's buffer
	offset int64  // end of the last line in the input
	number int    // of the last line, from 1
}

func newScanner(r io.Reader) scanner {
	return scanner{br: bufio.NewReaderSize(r, 64<<10), max: MaxLine, first: true}
}

// next returns the next line without its newline, and whether it had one. The line is
// valid until the next call. The error is io.EOF after the last line, errTooLong for
// a line that was skipped, errEndless for one whose end was not found, or that of the input.
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

// skip skips the rest of a line that is too long; err is the result of reading its
// last part. It returns io.ErrUnexpectedEOF if the input ends before the line, and
// errEndless if the line goes on and on.
func (s *scanner) skip(err error) error {
	if s.first {
		return errTooLong // no line after it would count
	}
	for limit := s.offset + maxSkipped*int64(s.max); err == bufio.ErrBufferFull; {
		if s.offset > limit {
			return errEndless
		}
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

// head returns line and the buffered text after it, for sniff, without waiting for
// more input.
func (s *scanner) head(line []byte) []byte {
	const enough = 4 << 10
	rest, _ := s.br.Peek(min(s.br.Buffered(), enough)) // does not read, so line stays valid
	head := bytes.Clone(line[:min(len(line), enough)])
	return append(append(head, '\n'), rest...)
}
