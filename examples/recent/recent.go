// Package recent keeps the last error lines of a log, as the status page of a service shows them.
//
// docs/tutorial.md measures it. It has three weaknesses, which many programs have. Each
// of the files cut.diff, range.diff and clone.diff mends one; they apply in this order.
package recent

import (
	"strconv"
	"strings"
)

// Log is the last error lines of a log.
type Log struct {
	lines []string
	codes []int // status code of each line
	first int   // index of the oldest line
	kept  int   // how many lines there are
}

// New returns an empty log that keeps at most n lines.
func New(n int) *Log {
	return &Log{lines: make([]string, n), codes: make([]int, n)}
}

// Add reads a part of a log, lines such as "10:00:01 503 GET /cart", and keeps those with a
// code of 500 or more.
func (l *Log) Add(part string) {
	for line := range strings.SplitSeq(part, "\n") {
		if code := codeOf(line); code >= 500 {
			l.keep(line, code)
		}
	}
}

// codeOf returns the status code of a line, 0 if it has none.
func codeOf(line string) int {
	words := strings.Fields(line)
	if len(words) < 2 {
		return 0
	}
	code, err := strconv.Atoi(words[1])
	if err != nil {
		return 0
	}
	return code
}

// keep adds a line, in place of the oldest if the log is full.
func (l *Log) keep(line string, code int) {
	next := (l.first + l.kept) % len(l.lines)
	l.lines[next], l.codes[next] = line, code
	if l.kept < len(l.lines) {
		l.kept++
	} else {
		l.first = (l.first + 1) % len(l.lines)
	}
}

// Lines returns the lines, the oldest first.
func (l *Log) Lines() []string {
	lines := make([]string, l.kept)
	for i := range lines {
		lines[i] = l.lines[(l.first+i)%len(l.lines)]
	}
	return lines
}

// Count returns how many lines have this code.
func (l *Log) Count(code int) int {
	n := 0
	for i := range l.kept {
		if l.codes[(l.first+i)%len(l.codes)] == code {
			n++
		}
	}
	return n
}
