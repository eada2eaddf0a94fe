package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/exit"
	"github.com/tarebench/tare/internal/termtext"
	"github.com/tarebench/tare/record"
)

// inputFlags choose what is read of the files.
type inputFlags struct {
	tags []string
	span rangeFlags
}

func (f *inputFlags) register(fl *pflag.FlagSet) {
	f.registerTag(fl)
	f.span.register(fl)
}

func (f *inputFlags) registerTag(fl *pflag.FlagSet) {
	fl.StringArrayVar(&f.tags, "tag", nil, "only this `TAG`; * stands for anything, '' for no tag; repeatable")
}

// input is where the intervals of several files come from, in their order.
type input struct {
	s     streams
	files []string
	tags  []string
	span  histRange

	kept int   // intervals of all files
	none error // why a file has none that was asked for
}

func (f *inputFlags) open(s streams, files []string) (*input, error) {
	span, err := f.span.parse()
	if err != nil {
		return nil, err
	}
	return &input{s: s, files: files, tags: f.tags, span: span}, nil
}

// each calls f for each interval that was asked for, file by file.
func (in *input) each(f func(src *histSource, i hist.Interval) error) error {
	for n := range in.files {
		src, err := in.source(n)
		if err != nil {
			return err
		}
		for {
			i, err := src.next()
			if err == io.EOF {
				break
			}
			if err == nil {
				err = f(src, i)
			}
			if err != nil {
				src.close()
				return err
			}
		}
	}
	if err := in.end(); err != io.EOF {
		return err
	}
	return nil
}

// end is what there is after the last interval of the last file: io.EOF, or an error
// if no file has anything that was asked for.
func (in *input) end() error {
	if in.kept == 0 && in.none != nil {
		return in.none
	}
	return io.EOF
}

// intervalReader reads the intervals of one file: a hist.LogReader, or recordReader.
type intervalReader interface {
	Next() (hist.Interval, error)
	StartTime() time.Time
	Skipped() (n int, first error)
}

// histSource is one file.
type histSource struct {
	in     *input
	number int    // of the file, from 0
	name   string // for messages
	head   []byte // of the file
	reader intervalReader
	close  func() error

	kept  int
	tags  []string // that were seen, also those not asked for
	first time.Duration
	last  time.Duration // where the last interval ends
	read  int           // intervals, also those not asked for
}

// sniffed is how much of a file is looked at to tell what it is.
const sniffed = 4096

// source opens a file.
func (in *input) source(n int) (*histSource, error) {
	src := &histSource{in: in, number: n, name: in.files[n], close: func() error { return nil }}
	r := in.s.in
	if src.name == "-" {
		src.name = stdinName
	} else {
		f, err := os.Open(src.name)
		if err != nil {
			return nil, usageError(err, "")
		}
		r, src.close = f, f.Close
	}
	b := bufio.NewReaderSize(r, 64<<10)
	src.head, _ = b.Peek(sniffed) // an error comes again
	src.head = bytes.Clone(src.head)
	if bytes.HasPrefix(bytes.TrimLeft(bytes.TrimPrefix(src.head, []byte("\ufeff")), " \t\r\n"), []byte("{")) {
		src.reader = newRecordReader(b, src.name)
	} else {
		src.reader = hist.NewLogReader(b, src.name)
	}
	return src, nil
}

// next returns the next interval that was asked for. At the end it tells what was
// left out, and it is an error if the file has no interval at all.
func (src *histSource) next() (hist.Interval, error) {
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
			return i, recordError(err)
		}
		src.see(i)
		if matchesTag(src.in.tags, i.Tag) && src.in.span.has(i.Start, src.start()) {
			src.kept++
			src.in.kept++
			return i, nil
		}
	}
}

// start is the start of the log.
func (src *histSource) start() time.Time { return src.reader.StartTime() }

// see remembers what there is, to say it where nothing of it was asked for.
func (src *histSource) see(i hist.Interval) {
	at := i.Start.Sub(src.start())
	if src.read == 0 {
		src.first = at
	}
	src.read++
	src.first, src.last = min(src.first, at), max(src.last, at+i.Length)
	if !slices.Contains(src.tags, i.Tag) {
		src.tags = append(src.tags, i.Tag)
	}
}

// finish tells which lines were left out, or why there is nothing.
func (src *histSource) finish() error {
	n, first := src.reader.Skipped()
	if src.read == 0 {
		return src.nothing(n, first)
	}
	if n > 0 {
		exit.Message(src.in.s.err, "warning", src.name+": "+src.skipped(n, first))
	}
	if src.kept == 0 {
		err := src.notAsked()
		if len(src.in.files) > 1 {
			exit.Message(src.in.s.err, "warning", err.Error())
		}
		src.in.none = err
	}
	return nil
}

// notAsked says why nothing of a file was asked for, and what there is.
func (src *histSource) notAsked() error {
	if !slices.ContainsFunc(src.tags, func(tag string) bool { return matchesTag(src.in.tags, tag) }) {
		var names []string
		for _, tag := range src.tags {
			names = append(names, tagName(tag))
		}
		return failed(fmt.Errorf("%s: no tag %s", src.name, strings.Join(src.in.tags, ", ")), "there is "+someOf(names))
	}
	return failed(fmt.Errorf("%s: no interval starts %s", src.name, src.in.span),
		fmt.Sprintf("the log goes from %s to %s, counted from %s", secondsOf(src.first), secondsOf(src.last), histTime(src.start())))
}

// skipped says how many lines were left out, and why the first of them.
func (src *histSource) skipped(n int, first error) string {
	why := termtext.OneLine(strings.TrimPrefix(first.Error(), src.name+":"))
	if n == 1 {
		return "1 line skipped, line " + why
	}
	return fmt.Sprintf("%d lines skipped, first at line %s", n, why)
}

// nothing says what a file is that has no interval.
func (src *histSource) nothing(skipped int, first error) error {
	if _, ok := src.reader.(*recordReader); ok {
		text := src.name + ": the record has no latencies of a measured phase"
		if skipped > 0 {
			text += ": " + src.skipped(skipped, first)
		}
		return failed(errors.New(text), "tare load records latencies, and so do benchmarks of package bench that ask for them")
	}
	if bytes.HasPrefix(src.head, []byte("#")) && bytes.Contains(src.head, []byte("#[Histogram log format")) || bytes.HasPrefix(src.head, []byte("#[")) || bytes.HasPrefix(src.head, []byte(`"StartTimestamp"`)) {
		if skipped > 0 {
			return failed(fmt.Errorf("%s: a histogram log of which no interval can be read: %s", src.name, src.skipped(skipped, first)), "")
		}
		return failed(fmt.Errorf("%s: a histogram log without an interval", src.name), "")
	}
	_, err := record.NewReader(bytes.NewReader(src.head), src.name).Next()
	if e := (*record.NotRecordError)(nil); errors.As(err, &e) {
		return failed(fmt.Errorf("%s: not a histogram log: found %s", src.name, e.Found), "logs are .hlog files of HdrHistogram, or written by tare load -o FILE.hlog")
	}
	return failed(fmt.Errorf("%s: not a histogram log", src.name), "")
}
