package pace

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// maxLine is the limit of a line of a replay file, in bytes, so that a binary file is
// rejected early.
const maxLine = 4096

// Read reads due times for Config.Times, one per line, from the start of the
// schedule: a whole number of nanoseconds (1500000) or a Go duration (1.5ms).
// They must ascend; equal ones are a burst. Blank lines and lines that begin
// with # are skipped. Eight bytes per operation are kept. Errors begin with
// name and line: "trace.txt:12: …".
func Read(r io.Reader, name string) ([]time.Duration, error) {
	var times []time.Duration
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, maxLine), maxLine)
	last, line := time.Duration(0), 0
	for lines.Scan() {
		line++
		text := strings.TrimSpace(lines.Text())
		if line == 1 {
			text = strings.TrimSpace(strings.TrimPrefix(text, "\ufeff")) // byte order mark
		}
		if text == "" || text[0] == '#' {
			continue
		}
		due, err := parseDue(text)
		if err == nil && due < last {
			err = fmt.Errorf("%v comes after %v: due times must ascend", due, last)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, line, err)
		}
		times = append(times, due)
		last = due
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("%s:%d: longer than %d bytes: not a list of due times", name, line+1, maxLine)
	case err != nil:
		return nil, fmt.Errorf("%s:%d: %w", name, line+1, err)
	case len(times) == 0:
		return nil, fmt.Errorf("%s: holds no due times", name)
	}
	return times, nil
}

func parseDue(text string) (time.Duration, error) {
	ns, err := strconv.ParseInt(text, 10, 64)
	due := time.Duration(ns)
	if errors.Is(err, strconv.ErrRange) {
		return 0, fmt.Errorf("%s: more nanoseconds than 292 years have", text)
	}
	if err != nil {
		if due, err = time.ParseDuration(text); err != nil {
			return 0, fmt.Errorf("%q is neither a whole number of nanoseconds nor a duration such as 1.5ms", text)
		}
	}
	if due < 0 {
		return 0, fmt.Errorf("%s: due times must not be negative", text)
	}
	return due, nil
}
