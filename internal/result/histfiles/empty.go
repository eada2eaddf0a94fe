package histfiles

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/result/latencies"
	"github.com/tarebench/tare/record"
)

// finish warns about skipped lines, and explains why nothing was selected.
func (src *source) finish() error {
	n, first := src.reader.Skipped()
	if src.seen.Intervals == 0 {
		return &noneError{src.noIntervals(n, first)}
	}
	if n > 0 {
		src.in.Warn(src.name + ": " + src.skipped(n, first))
	}
	if src.kept == 0 {
		src.in.empty = src.noneSelected()
		if len(src.in.Files) > 1 {
			src.in.Warn(src.in.empty.Error())
		}
	}
	return nil
}

// noneError is the error of a file without any interval.
type noneError struct{ error }

func (e *noneError) Unwrap() error { return e.error }

// leaveOut keeps the error of a file without intervals where others may have some. It reports false for any other error.
func (in *Input) leaveOut(err error) bool {
	none := (*noneError)(nil)
	if !in.KeepOthers || len(in.Files) == 1 || !errors.As(err, &none) {
		return false
	}
	if in.leftOut == nil {
		in.leftOut = none
	} else {
		in.Warn(none.Error())
	}
	return true
}

// noneSelected returns which selection matches nothing of a file, and what the file has.
func (src *source) noneSelected() error {
	if !slices.ContainsFunc(src.tags, func(tag string) bool { return matchesTag(src.in.Tags, tag) }) {
		return exit.Failed(fmt.Errorf("%s: no tag %s", src.name, strings.Join(src.in.Tags, ", ")), "there is "+latencies.ListTags(src.tags))
	}
	return exit.Failed(fmt.Errorf("%s: no interval starts %s", src.name, src.in.Range),
		fmt.Sprintf("the log goes from %s to %s, counted from %s", formatSeconds(src.seen.First), formatSeconds(src.seen.Last), formatTime(src.start())))
}

// skipped returns how many lines were skipped, and why the first of them was.
func (src *source) skipped(n int, first error) string {
	why := strings.TrimPrefix(first.Error(), src.name+":")
	why = strings.Join(strings.FieldsFunc(why, func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
	if n == 1 {
		return "1 line skipped, line " + why
	}
	return fmt.Sprintf("%d lines skipped, first at line %s", n, why)
}

// noIntervals returns what a file without any interval is.
func (src *source) noIntervals(skipped int, first error) error {
	if _, ok := src.reader.(*latencies.Reader); ok {
		text := src.name + ": the record has no latencies of a measured phase"
		if skipped > 0 {
			text += ": " + src.skipped(skipped, first)
		}
		return exit.Failed(errors.New(text), "tare load records latencies, and so do benchmarks of package bench that ask for them")
	}
	if isLog(src.head) {
		if skipped > 0 {
			return exit.Failed(fmt.Errorf("%s: a histogram log of which no interval can be read: %s", src.name, src.skipped(skipped, first)), "")
		}
		return exit.Failed(fmt.Errorf("%s: a histogram log without an interval", src.name), "")
	}
	_, err := record.NewReader(bytes.NewReader(src.head), src.name).Next()
	if e := (*record.NotRecordError)(nil); errors.As(err, &e) {
		return exit.Failed(fmt.Errorf("%s: not a histogram log: found %s", src.name, e.Found), "logs are .hlog files of HdrHistogram, or written by tare load -o FILE.hlog")
	}
	return exit.Failed(fmt.Errorf("%s: not a histogram log", src.name), "")
}

// isLog reports whether a file begins like a histogram log.
func isLog(head []byte) bool {
	return bytes.HasPrefix(head, []byte("#")) && bytes.Contains(head, []byte("#[Histogram log format")) ||
		bytes.HasPrefix(head, []byte("#[")) || bytes.HasPrefix(head, []byte(`"StartTimestamp"`))
}
