package histfiles

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/input"
	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/result/latencies"
)

// intervalReader is a hist.LogReader or a latencies.Reader.
type intervalReader interface {
	Next() (hist.Interval, error)
	StartTime() time.Time
	Skipped() (n int, first error)
}

// source is one file.
type source struct {
	in     *Input
	number int    // of the file, from 0
	name   string // for messages
	head   []byte // of the file
	reader intervalReader
	close  func() error

	seen latencies.Source // all intervals, selected or not
	tags []string         // of all intervals
	kept int              // selected intervals
}

// headSize is how many bytes of a file tell what it is.
const headSize = 4096

// source opens a file.
func (in *Input) source(n int) (*source, error) {
	r, err := input.Open(in.Files[n], in.Stdin)
	if err != nil {
		return nil, err
	}
	src := &source{in: in, number: n, name: r.Name, close: r.Close}
	b := bufio.NewReaderSize(r, 64<<10)
	head, _ := b.Peek(headSize) // the next read returns the same error
	src.head = bytes.Clone(head)
	if isRecord(src.head) {
		src.reader = latencies.NewReader(b, src.name)
	} else {
		src.reader = hist.NewLogReader(b, src.name)
	}
	return src, nil
}

func isRecord(head []byte) bool {
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	return bytes.HasPrefix(text, []byte("{"))
}

// each calls f for each selected interval and closes the file.
func (src *source) each(f func(src *source, i hist.Interval) error) error {
	defer src.close()
	for {
		i, err := src.next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = f(src, i)
		}
		if err != nil {
			return err
		}
	}
}

// next returns the next selected interval, or io.EOF at the end. It is an error if the
// file has no interval at all.
func (src *source) next() (hist.Interval, error) {
	for {
		i, err := src.reader.Next()
		switch {
		case err == io.EOF:
			src.close()
			if err := src.finish(); err != nil {
				return i, err
			}
			return i, io.EOF
		case err != nil:
			return i, err
		}
		i.Tag = termtext.Charset{UTF8: true}.Name(i.Tag)
		src.seen.Extend(i, src.start())
		if !slices.Contains(src.tags, i.Tag) {
			src.tags = append(src.tags, i.Tag)
		}
		if !src.in.Range.Contains(i.Start, src.start()) {
			continue
		}
		if matchesTag(src.in.Tags, i.Tag) {
			src.kept++
			src.in.kept++
			return i, nil
		}
		if src.in.unselected != nil {
			if err := src.in.unselected(src, i); err != nil {
				return i, exit.Failed(fmt.Errorf("%s: %s: %w", src.name, latencies.TagName(i.Tag), err), "")
			}
		}
	}
}

// start returns the start of the log.
func (src *source) start() time.Time { return src.reader.StartTime() }

// of describes what is selected of one tag, before its first interval.
func (src *source) of(tag string) latencies.Source {
	return latencies.Source{File: src.name, Number: src.number, Tag: tag, Unit: src.in.Unit}
}
