package profile

import (
	"bufio"
	"fmt"
	"io"
)

// CountedLine is a count in a line of source of a function. File is "" and Line 0 if unknown.
type CountedLine struct {
	Function, File string
	Line           int
	Count          int64
}

// CallgrindLines writes counts by function and line in the format of callgrind, as [View.Callgrind] does, without calls.
// Lines of a function must follow each other. The format has no negative counts: they are left out, and the sum is that of
// the others.
func CallgrindLines(w io.Writer, program, event string, lines []CountedLine) error {
	total := int64(0)
	for _, l := range lines {
		total += max(0, l.Count)
	}
	b := bufio.NewWriter(w)
	callgrindHead(b, program, event, total)
	files, functions := numbered{}, numbered{}
	var last CountedLine
	for i, l := range lines {
		if l.Count < 0 {
			continue
		}
		if i == 0 || l.Function != last.Function || l.File != last.File {
			fmt.Fprintf(b, "\nfl=%s\nfn=%s\n", files.name(l.File), functions.name(l.Function))
		}
		fmt.Fprintf(b, "%d %d\n", l.Line, l.Count)
		last = l
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("profile: callgrind: %w", err)
	}
	return nil
}
