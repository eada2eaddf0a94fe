package hunks

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/binary/gofunc"
	"github.com/tarebench/tare/internal/result/why"
	"github.com/tarebench/tare/record"
)

const (
	near      = 2  // lines between a change and a place that it touches
	mostHunks = 2  // of a cause
	mostLines = 12 // of a hunk
)

// found is a hunk that belongs to a cause.
type found struct {
	hunk     *Hunk
	at       int // index of the line that does
	distance int // lines between that and the place
}

// OfCauses returns the parts of the change between two sides of a run that touch each cause of a difference of package pkg. If none touches
// any, rest has all that changed there, where that is little.
func OfCauses(ctx context.Context, run *record.Run, base, side, pkg string, causes []why.Cause) (of [][]why.Hunk, rest []why.Hunk) {
	packages := packagesOf(pkg, causes)
	files := betweenSides(ctx, run, base, side, packages)
	found := false
	for i := range causes {
		of = append(of, ofCause(files, &causes[i]))
		found = found || len(of[i]) > 0
	}
	if !found {
		rest = few(files, packages)
	}
	return of, rest
}

// ofCause returns the hunks that touch the lines of a cause, the nearest first. If there are none, it returns those in its functions: a cause may
// be found where a function is called, or begins.
func ofCause(files []File, c *why.Cause) []why.Hunk {
	list := atPlaces(files, c)
	if len(list) == 0 {
		list = inFunctions(files, c)
	}
	slices.SortStableFunc(list, func(a, b found) int { return cmp.Compare(a.distance, b.distance) })
	var out []why.Hunk
	for _, f := range list[:min(len(list), mostHunks)] {
		out = append(out, f.hunk.around(f.at))
	}
	return out
}

// few returns all that differs in packages but tests, if that is no more than is shown of a cause; else nothing. What touches no
// line of a cause may yet be the reason: a field that is cleared, a table of other size.
func few(files []File, packages []string) (out []why.Hunk) {
	for i := range files {
		f := &files[i]
		if packageOf(f, packages) == "" || strings.HasSuffix(f.name(), "_test.go") {
			continue
		}
		for j := range f.Hunks {
			if len(out) == mostHunks {
				return nil
			}
			out = append(out, f.Hunks[j].around(0))
		}
	}
	return out
}

// atPlaces returns the hunks near the places of a cause.
func atPlaces(files []File, c *why.Cause) (out []found) {
	var of [2]*File
	for side, p := range c.Place {
		if p.File != "" && p.Line > 0 {
			of[side] = fileAt(files, side, p)
		}
	}
	for i := range files {
		for j := range files[i].Hunks {
			best := found{hunk: &files[i].Hunks[j], distance: near + 1}
			best.hunk.changes(func(at int, line [2]int) {
				for side, f := range of {
					if f == &files[i] {
						if d := max(line[side]-c.Place[side].Line, c.Place[side].Line-line[side]); d < best.distance {
							best.at, best.distance = at, d
						}
					}
				}
			})
			if best.distance <= near {
				out = append(out, best)
			}
		}
	}
	return out
}

// changes calls do for each line that only one side has, with its index and its line number on each side: on the side without it, that
// of the line that follows.
func (h *Hunk) changes(do func(at int, line [2]int)) {
	line := h.start
	for i, l := range h.Lines {
		switch l[0] {
		case '-':
			do(i, line)
			line[0]++
		case '+':
			do(i, line)
			line[1]++
		default:
			line[0]++
			line[1]++
		}
	}
}

// fileAt returns the file that a place of a side is in: that whose path ends like the place's; nil if none does, or several do alike.
func fileAt(files []File, side int, p why.Place) *File {
	file, pkg := path.Clean(p.File), gofunc.Package(p.Func)
	if !strings.Contains(file, "/") {
		file = path.Join(pkg, file)
	}
	var best *File
	most, tied := 0, false
	for i := range files {
		f := &files[i]
		n := commonEnd(f.Path[side], file)
		switch whole := n == 1+strings.Count(f.Path[side], "/"); {
		case n == 0, n == 1 && (!whole || gofunc.IsStd(pkg)):
		case n > most:
			best, most, tied = f, n, false
		case n == most:
			tied = true
		}
	}
	if tied {
		return nil
	}
	return best
}

// commonEnd returns how many elements at the end of two paths are the same.
func commonEnd(a, b string) (n int) {
	if a == "" || b == "" {
		return 0
	}
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	for n < len(x) && n < len(y) && x[len(x)-1-n] == y[len(y)-1-n] {
		n++
	}
	return n
}

// around shortens a hunk to as many lines as are shown, around one line.
func (h *Hunk) around(at int) why.Hunk {
	out := h.Hunk
	if len(h.Lines) <= mostLines {
		return out
	}
	const before = 4
	from := min(max(0, at-before), len(h.Lines)-mostLines)
	out.Lines, out.Left = h.Lines[from:from+mostLines], len(h.Lines)-mostLines
	return out
}
