package layouttext

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/binary/layout"
	"github.com/tarebench/tare/internal/show/chart"
)

// SVG draws structs, a row for each cache line, with the other orders below.
// The same structs give the same bytes.
func SVG(w io.Writer, structs []*layout.Struct) error {
	var sheet chart.Sheet
	for _, s := range structs {
		sheet.Charts = append(sheet.Charts, strips("type "+s.Name+" struct", fmt.Sprintf("%s · %s · size %d, %s of %d, align %d",
			s.Path, s.Arch, s.Size, units.Plural(s.Lines, "line"), s.Line, s.Align), s.Fields, s.Size, s.Line, s.Shared))
		for _, o := range orders(s) {
			sheet.Charts = append(sheet.Charts, strips(s.Name+": "+o.name, fmt.Sprintf("%d → %d bytes", s.Size, o.Size),
				o.Fields, o.Size, s.Line, nil))
		}
	}
	return sheet.Write(w)
}

// kinds are the colours of fields, and of padding that the compiler adds.
var kinds = []chart.Swatch{
	{Class: "m1", Words: "field"}, {Class: "m0", Words: string(layout.Atomic)}, {Class: "m4", Words: string(layout.Lock)},
	{Class: "m5", Words: "declared padding"}, {Class: "n0 blocked", Words: "added padding"},
}

func kindOf(f layout.Field) chart.Swatch {
	if f.Added() {
		return kinds[4]
	}
	return kinds[map[layout.Role]int{layout.Atomic: 1, layout.Lock: 2, layout.Pad: 3}[f.Role]]
}

// strips draws a row for each line. Lines in the middle of one field are left out.
func strips(title, subtitle string, fields []layout.Field, size, line int64, shared []layout.Shared) chart.Strips {
	c := chart.Strips{Title: title, Subtitle: subtitle, Legend: kinds}
	for at := int64(0); at < line; at += line / 8 {
		c.Scale = append(c.Scale, strconv.FormatInt(at, 10))
	}
	for l := int64(0); l < layout.Lines(size, line); l++ {
		row := chart.Strip{Label: strconv.FormatInt(l*line, 10)}
		if k := slices.IndexFunc(shared, func(s layout.Shared) bool { return s.Line == l && s.Doubtful() }); k >= 0 {
			row.Note = "shared? " + suspects(shared[k])
		}
		for _, f := range fields {
			from, to := max(f.Offset-l*line, 0), min(f.Offset+f.Size-l*line, line)
			if f.Open || from >= to {
				continue
			}
			if last := (f.Offset+f.Size)/line - 1; l > 0 && to-from == line && last > l {
				row = chart.Strip{Words: "⋮ " + lines(l, last) + ": " + f.Path}
				l = last
				break
			}
			row.Boxes = append(row.Boxes, box(f, from, to, line, f.Offset/line == l))
		}
		c.Rows = append(c.Rows, row)
	}
	return c
}

// suspects names what several goroutines write on a line.
func suspects(s layout.Shared) string {
	if s.Each > 1 && len(s.Hot) == 1 {
		return fmt.Sprintf("%d elements of %s", s.Each, s.Hot[0])
	}
	return units.List(s.Hot, maxNames)
}

// box draws the part of a field that lies on a line.
func box(f layout.Field, from, to, line int64, first bool) chart.Box {
	b := chart.Box{From: float64(from) / float64(line), To: float64(to) / float64(line), Class: kindOf(f).Class}
	if f.Added() {
		b.Words = fmt.Sprintf("padding: offset %d, size %d", f.Offset, f.Size)
		return b
	}
	b.Words = fmt.Sprintf("%s %s: offset %d, size %d", f.Path, f.Type, f.Offset, f.Size)
	if b.Label = f.Path; !first {
		b.Label = "…" + f.Path
	}
	return b
}
