package layouttext

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/binary/layout"
)

// The picture's measures, in pixels.
const (
	svgMargin  = 20
	svgGutter  = 56  // for the offsets on the left
	svgGrid    = 768 // a cache line
	svgNotes   = 216 // for the notes on the right
	svgRow     = 30
	svgText    = 18 // a line of text
	svgLetter  = 7.25
	svgPicture = 2*svgMargin + svgGutter + svgGrid + svgNotes
)

// svgFont has letters of one width, so that the width of a text is known.
const svgFont = `font-family="ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="12"`

// SVG draws structs, a row for each cache line, with the other orders below.
// The same structs give the same bytes.
func SVG(w io.Writer, structs []*layout.Struct) error {
	p := &picture{y: svgMargin}
	for _, s := range structs {
		p.draw(s)
	}
	p.legend()
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" %s>`+"\n", svgPicture, p.y+svgMargin, svgFont)
	b.WriteString(`<defs><pattern id="added" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">` +
		`<rect width="6" height="6" fill="#fff"/><rect width="2" height="6" fill="#b8b8b8"/></pattern></defs>` + "\n")
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#fff"/>`+"\n", svgPicture, p.y+svgMargin)
	b.WriteString(p.out.String())
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

type picture struct {
	out strings.Builder
	y   int
}

func (p *picture) text(x, y int, style, s string) {
	fmt.Fprintf(&p.out, `<text x="%d" y="%d"%s>%s</text>`+"\n", x, y, style, termtext.XML(s))
}

func (p *picture) draw(s *layout.Struct) {
	p.y += svgText
	p.text(svgMargin, p.y, ` font-size="15" font-weight="bold"`, "type "+s.Name+" struct")
	p.y += svgText
	p.text(svgMargin, p.y, ` fill="#555"`, fmt.Sprintf("%s · %s · size %d, %s of %d, align %d", s.Path, s.Arch, s.Size, units.Plural(s.Lines, "line"), s.Line, s.Align))
	p.y += svgText / 2
	if s.Size == 0 {
		p.y += svgMargin
		return
	}
	p.scale(s.Line)
	p.grid(s.Fields, s.Size, s.Line, s.Shared)
	for _, o := range []struct {
		name string
		*layout.Order
	}{{"best order", s.Best}, {"atomic fields on lines of their own", s.Separated}} {
		if o.Order == nil {
			continue
		}
		p.y += svgText
		p.text(svgMargin, p.y, ` font-weight="bold"`, fmt.Sprintf("%s: %d → %d bytes", o.name, s.Size, o.Size))
		p.y += svgText / 2
		p.grid(o.Fields, o.Size, s.Line, nil)
	}
	p.y += svgMargin
}

// scale numbers the bytes of a line.
func (p *picture) scale(line int64) {
	p.y += svgText
	for at := int64(0); at < line; at += line / 8 {
		p.text(svgMargin+svgGutter+int(at*svgGrid/line), p.y-4, ` fill="#888" font-size="10"`, strconv.FormatInt(at, 10))
	}
}

// part is the share of a field in a line.
type part struct {
	field    int
	from, to int64 // in the line
}

// grid draws a row for each line. Lines in the middle of one field are left out.
func (p *picture) grid(fields []layout.Field, size, line int64, shared []layout.Shared) {
	names := paths(fields)
	notes := map[int64]string{}
	for _, s := range shared {
		switch {
		case s.Doubtful() && len(s.Hot) > 1:
			notes[s.Line] = "shared? " + strings.Join(s.Hot, ", ")
		case s.Doubtful():
			notes[s.Line] = fmt.Sprintf("shared? %d × %s", s.Each, s.Hot[0])
		}
	}
	for l := int64(0); l < layout.Lines(size, line); l++ {
		parts := partsOf(fields, l, line)
		if l > 0 && len(parts) == 1 && parts[0].to-parts[0].from == line {
			f := fields[parts[0].field]
			last := (f.Offset+f.Size)/line - 1 // the last that it fills
			if last > l {
				p.text(svgMargin+svgGutter+4, p.y+svgText-5, ` fill="#555"`, fmt.Sprintf("⋮ lines %d to %d: %s", l, last, names[parts[0].field]))
				p.y += svgText
				l = last
				continue
			}
		}
		p.text(svgMargin, p.y+svgRow/2+4, ` fill="#888"`, strconv.FormatInt(l*line, 10))
		for _, q := range parts {
			p.part(fields[q.field], names[q.field], q, l == fields[q.field].Offset/line, line)
		}
		fmt.Fprintf(&p.out, `<rect x="%d" y="%d" width="%d" height="%d" fill="none" stroke="#444"/>`+"\n", svgMargin+svgGutter, p.y, svgGrid, svgRow)
		if note := notes[l]; note != "" {
			p.text(svgMargin+svgGutter+svgGrid+10, p.y+svgRow/2+4, ` fill="#b00020"`, fit(note, svgNotes-10))
		}
		p.y += svgRow + 4
	}
}

// partsOf returns the fields on a line, without those whose own fields are shown.
func partsOf(fields []layout.Field, l, line int64) (parts []part) {
	for i, f := range fields {
		from, to := max(f.Offset-l*line, 0), min(f.Offset+f.Size-l*line, line)
		if !f.Open && from < to {
			parts = append(parts, part{i, from, to})
		}
	}
	return parts
}

func (p *picture) part(f layout.Field, name string, q part, first bool, line int64) {
	x, to := q.from*svgGrid/line, q.to*svgGrid/line
	about := fmt.Sprintf("%s %s: offset %d, size %d", name, f.Type, f.Offset, f.Size)
	if f.Added() {
		about = fmt.Sprintf("padding: offset %d, size %d", f.Offset, f.Size)
	}
	fmt.Fprintf(&p.out, `<g><title>%s</title><rect x="%d" y="%d" width="%d" height="%d" fill="%s" stroke="#fff"/>`,
		termtext.XML(about), svgMargin+svgGutter+int(x), p.y, to-x, svgRow, color(f))
	label := name
	if !first {
		label = "… " + name
	}
	if label = fit(label, int(to-x)-6); label != "" && !f.Added() {
		fmt.Fprintf(&p.out, `<text x="%d" y="%d">%s</text>`, svgMargin+svgGutter+int(x)+4, p.y+svgRow/2+4, termtext.XML(label))
	}
	p.out.WriteString("</g>\n")
}

// paths returns the names of fields with those around them.
func paths(fields []layout.Field) []string {
	names := make([]string, len(fields))
	var around []string
	for i, f := range fields {
		around = append(around[:f.Depth], f.Name)
		names[i] = strings.Join(around, ".")
	}
	return names
}

func color(f layout.Field) string {
	switch {
	case f.Added():
		return "url(#added)"
	case f.Role == layout.Pad:
		return "#e4e4e4"
	case f.Role == layout.Atomic:
		return "#f5b26b"
	case f.Role == layout.Lock:
		return "#e79a9a"
	}
	return "#bcd7f0"
}

// fit shortens a label to what a width has room for; "" if that says nothing.
func fit(s string, width int) string {
	s = termtext.Charset{UTF8: true}.Name(s) // escapes take room
	room := int(float64(width) / svgLetter)
	if utf8.RuneCountInString(s) <= room {
		return s
	}
	if room < 3 {
		return ""
	}
	return string([]rune(s)[:room-1]) + "…"
}

func (p *picture) legend() {
	x := svgMargin + svgGutter
	for _, e := range []struct {
		f    layout.Field
		name string
	}{
		{layout.Field{Name: "x"}, "field"}, {layout.Field{Name: "x", Role: layout.Atomic}, "atomic"}, {layout.Field{Name: "x", Role: layout.Lock}, "lock"},
		{layout.Field{Name: "_", Role: layout.Pad}, "declared padding"}, {layout.Field{}, "added padding"},
	} {
		fmt.Fprintf(&p.out, `<rect x="%d" y="%d" width="14" height="14" fill="%s" stroke="#888"/>`, x, p.y, color(e.f))
		p.text(x+20, p.y+11, ` fill="#555"`, e.name)
		x += 44 + int(svgLetter*float64(len(e.name)))
	}
	p.y += svgText
}
