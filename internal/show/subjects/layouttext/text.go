package layouttext

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/binary/layout"
)

// Options is the format of the text.
type Options struct {
	Width int  // columns; default 100
	UTF8  bool // lines and arrows instead of hyphens
}

func (o Options) width() int {
	if o.Width == 0 {
		return 100
	}
	return max(o.Width, 40)
}

func (o Options) charset() termtext.Charset { return termtext.Charset{UTF8: o.UTF8} }

// Text writes one table of fields for each struct. It returns the first error of w.
func Text(w io.Writer, structs []*layout.Struct, o Options) error {
	var b strings.Builder
	for i, s := range structs {
		if i > 0 {
			b.WriteByte('\n')
		}
		t := text{Charset: o.charset(), s: s, o: o, out: &b}
		t.head()
		t.table()
		t.sharing()
		t.orders()
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// text writes one struct.
type text struct {
	termtext.Charset
	s   *layout.Struct
	o   Options
	out *strings.Builder
}

func (t text) printf(format string, args ...any) { fmt.Fprintf(t.out, format, args...) }

// headWidth is the column at which the first line of a struct is broken.
const headWidth = 80

func (t text) head() {
	left := "type " + t.Name(t.s.Name) + " struct"
	right := fmt.Sprintf("size %d, %s, align %d", t.s.Size, units.Plural(t.s.Lines, "line"), t.s.Align)
	gap := max(min(t.o.width(), headWidth)-termtext.Width(left)-len(right), 2)
	t.printf("%s%s%s\n", left, strings.Repeat(" ", gap), right)
	about := []string{}
	for _, s := range []string{t.s.Path, t.s.Where, t.s.Arch, t.block()} {
		if s != "" {
			about = append(about, s)
		}
	}
	t.wrap(strings.Join(about, t.Text(" · ")), "", "  ")
	t.out.WriteByte('\n')
}

// block returns a phrase with the size in bytes of the heap block that holds the struct, "" if it is unknown.
func (t text) block() string {
	s := t.s
	switch {
	case s.Block == 0:
		return ""
	case s.Packed:
		return fmt.Sprintf("on the heap %d, in a block of %d that small objects share", s.Size, s.Block)
	case s.Aligned:
		return fmt.Sprintf("on the heap %d, from the start of a line", s.Block)
	}
	return fmt.Sprintf("on the heap %d, from anywhere in a line", s.Block)
}

// row is the text of one field in the table.
type row struct{ offset, size, name, typ, note string }

func (t text) table() {
	var rows []row
	for i, f := range t.s.Fields {
		rows = append(rows, t.row(i, f))
	}
	names, types := 0, 0
	for _, r := range rows {
		names = max(names, termtext.Width(r.name))
		types = max(types, termtext.Width(r.typ))
	}
	names = min(names, t.o.width()/3)
	types = min(types, t.o.width()/3)
	const numbers = 16
	t.printf("%8s%6s  field\n", "offset", "size")
	line := int64(-1)
	for i, r := range rows {
		if l := t.s.Fields[i].Offset / t.s.Line; l != line && t.s.Fields[i].Offset < max(t.s.Size, 1) {
			line = l
			label := fmt.Sprintf("%s line %d ", strings.Repeat(t.Text("─"), 2), l)
			t.printf("  %s%s\n", label, strings.Repeat(t.Text("─"), max(numbers+names+types-termtext.Width(label), 2)))
		}
		s := fmt.Sprintf("%8s%6s  %s  %s", r.offset, r.size, termtext.Left(t.Middle(r.name, names), names), termtext.Left(t.Middle(r.typ, types), types))
		if r.note != "" {
			indent := termtext.Width(s) + 2
			t.wrap(r.note, s+"  ", strings.Repeat(" ", min(indent, t.o.width()/2)))
			continue
		}
		t.printf("%s\n", strings.TrimRight(s, " "))
	}
}

func (t text) row(i int, f layout.Field) row {
	r := row{offset: strconv.FormatInt(f.Offset, 10), size: strconv.FormatInt(f.Size, 10), note: t.note(i, f)}
	indent := strings.Repeat("  ", f.Depth)
	if f.Added() {
		r.name = indent + "-"
		return r
	}
	r.name, r.typ = indent+t.Name(f.Name), t.Name(f.Type)
	if f.Open && strings.HasPrefix(f.Type, "struct") {
		r.typ = "struct" // its fields follow
	}
	return r
}

// note returns the remarks about a field, "" if there are none.
func (t text) note(i int, f layout.Field) string {
	var notes []string
	add := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	line := t.s.Line
	first, last := f.Offset/line, (f.Offset+max(f.Size, 1)-1)/line
	switch {
	case f.Added() && f.Offset+f.Size == t.s.Size:
		add("padding, added at the end")
	case f.Added():
		add("padding, added")
	case f.Role == layout.Pad:
		add("padding")
	case f.Open:
	case f.Role.Hot():
		if f.Within {
			add("%s within", f.Role)
		} else {
			add("%s", f.Role)
		}
		if f.Misaligned {
			add("not aligned to 8: sync/atomic panics on it")
		}
		if before := t.before(i, first); before != "" {
			add("shares line %d with %s: written by another side?", first, before)
		}
	}
	switch {
	case f.Open || first == last || f.Added() && f.Size < line:
	case f.Size <= line:
		add("crosses into line %d", last)
	default:
		add("lines %d to %d", first, last)
	}
	return strings.Join(notes, "; ")
}

// before returns the name of the first earlier field that several goroutines write and that ends on the same cache
// line, or "".
func (t text) before(i int, line int64) string {
	for _, f := range t.s.Fields[:i] {
		if f.Role.Hot() && !f.Open && f.Size > 0 && (f.Offset+f.Size-1)/t.s.Line == line {
			return f.Name
		}
	}
	return ""
}

// remark is a text about a range of cache lines.
type remark struct {
	from, to int64
	text     string
}

// sharing writes which cache lines several goroutines write, and whether that is false sharing.
func (t text) sharing() {
	var all []remark
	say := func(l int64, format string, args ...any) {
		text := fmt.Sprintf(format, args...)
		for i := range all {
			if all[i].text == text && all[i].to == l-1 {
				all[i].to = l
				return
			}
		}
		all = append(all, remark{l, l, text})
	}
	for _, s := range t.s.Shared {
		switch {
		case len(s.Hot) > 1:
			say(s.Line, "%s: false sharing if different goroutines write them, good if the same do", enumerate(s.Hot))
		case s.Each > 1:
			say(s.Line, "%d elements of %s: false sharing if different goroutines write them", s.Each, s.Hot[0])
		}
		switch {
		case len(s.Plain) == 0:
		case len(s.Locks) == len(s.Hot):
			say(s.Line, "%s beside %s: good if guarded by it", enumerate(s.Plain), enumerate(s.Hot))
		default:
			say(s.Line, "%s beside %s: readers wait for its writers", enumerate(s.Plain), enumerate(s.Hot))
		}
	}
	if len(all) == 0 {
		return
	}
	t.out.WriteByte('\n')
	t.wrap("sharing (a heuristic: types tell what is written at the same time, not by whom)", "", "  ")
	for _, r := range all {
		label := fmt.Sprintf("  line %d  ", r.from)
		if r.to > r.from {
			label = fmt.Sprintf("  lines %d to %d  ", r.from, r.to)
		}
		t.wrap(r.text, label, "          ")
	}
}

func (t text) orders() {
	s := t.s
	if s.Padding > 0 {
		about := fmt.Sprintf("padding %d of %d bytes (%s)", s.Padding, s.Size, units.PercentTo(float64(s.Padding)/float64(s.Size), 0))
		switch {
		case s.Best != nil:
		case s.Spare > 0:
			about += "; with declared padding in it, other orders are not judged"
		default:
			about += ", and no order of the fields takes less"
		}
		t.out.WriteByte('\n')
		t.wrap(about, "", "  ")
	}
	t.order("best order", s.Best)
	t.order("atomic fields on lines of their own", s.Separated)
}

// order writes a different order of the fields and the bytes it saves.
func (t text) order(what string, o *layout.Order) {
	if o == nil {
		return
	}
	arrow := t.Text("→")
	t.out.WriteByte('\n')
	t.wrap(fmt.Sprintf("%s: %d %s %d bytes%s", what, t.s.Size, arrow, o.Size, blocks(t.s, o, arrow)), "", "  ")
	t.fields(o)
}

// blocks returns a phrase with the sizes of the heap block in the present and the other order of fields.
func blocks(s *layout.Struct, o *layout.Order, arrow string) string {
	switch {
	case s.Block == 0:
		return ""
	case s.Block == o.Block:
		return fmt.Sprintf(", on the heap %d as before", o.Block)
	}
	return fmt.Sprintf(", on the heap %d %s %d", s.Block, arrow, o.Block)
}

func (t text) fields(o *layout.Order) {
	var names []string
	for _, f := range o.Fields {
		switch {
		case f.Added():
		case f.Name == "_":
			names = append(names, f.Name+unbroken+strings.ReplaceAll(f.Type, " ", unbroken))
		default:
			names = append(names, f.Name)
		}
	}
	t.wrap(strings.Join(names, ", "), "  ", "  ")
}

// unbroken is a no-break space: no line ends at it.
const unbroken = "\u00a0"

// wrap writes words, which may be names of a binary and so anything, in lines of the text's width. The first line begins with head, the others with indent.
func (t text) wrap(words, head, indent string) {
	line := head
	empty := true
	for word := range strings.SplitSeq(words, " ") {
		word = t.Name(strings.ReplaceAll(word, unbroken, " "))
		if !empty && termtext.Width(line)+1+termtext.Width(word) > t.o.width() {
			t.printf("%s\n", strings.TrimRight(line, " "))
			line, empty = indent, true
		}
		if !empty {
			line += " "
		}
		line += word
		empty = false
	}
	t.printf("%s\n", strings.TrimRight(line, " "))
}

// enumerate joins names with commas. If there are too many, it ends with the number of those left out.
func enumerate(names []string) string {
	const most = 6
	if len(names) <= most+1 {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
}
