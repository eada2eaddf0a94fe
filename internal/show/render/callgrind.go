package render

import (
	"errors"
	"fmt"
	"io"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/subjects/profile"
)

// writeCallgrind writes the instructions of a benchmark by function and line, for KCachegrind and callgrind_annotate. Counts
// are those of all operations that were counted. It fails unless the result has exactly one such benchmark and side.
func writeCallgrind(w io.Writer, s *result.Result) error {
	var one *result.Benchmark
	for i := range s.Results {
		r := &s.Results[i]
		switch {
		case r.Instructions == nil:
		case one != nil:
			return fmt.Errorf("callgrind: a file holds the instructions of one benchmark and side, and there are those of %s and %s", printable(one.Name), printable(r.Name))
		default:
			one = r
		}
	}
	if one == nil {
		return errors.New("callgrind: the record has no instructions by line; tare bench --prof instructions counts them")
	}
	x := one.Instructions
	var lines []profile.CountedLine
	for i := range x.Functions {
		f := &x.Functions[i]
		for _, l := range f.Lines {
			lines = append(lines, profile.CountedLine{Function: f.Name, File: l.File, Line: l.Line, Count: l.Count})
		}
		if f.Rest != 0 {
			lines = append(lines, profile.CountedLine{Function: f.Name, Count: f.Rest})
		}
	}
	for _, r := range x.Rest {
		lines = append(lines, profile.CountedLine{Function: "(other functions: " + partNames[r.Part] + ")", Count: r.Count})
	}
	return profile.CallgrindLines(w, fmt.Sprintf("Benchmark%s, %s", one.Name, units.Plural(x.Ops, "operation")), "Ir", lines)
}
