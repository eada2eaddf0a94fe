package render

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/compiled"
	"github.com/tarebench/tare/internal/show/table"
	"github.com/tarebench/tare/record"
)

// mostChanged is how many functions with changes are listed of a package, unless all are asked for.
const mostChanged = 10

// compilerDifferences shows what differs between the sides of what the compiler said.
func (p *view) compilerDifferences(s *result.Result, all bool) section {
	out := section{table: &table.Table{Columns: []table.Column{{}, {Title: "line", Gap: 3}, {Gap: 3}}}, least: 16, subject: "function"}
	for i := range s.CompilerNotes {
		out.table.Blocks = append(out.table.Blocks, p.compilerBlock(&s.CompilerNotes[i], all))
	}
	return out
}

func (p *view) compilerBlock(d *result.CompilerDifference, all bool) table.Block {
	b := table.Block{Title: fmt.Sprintf("compiler: %s, %s against %s", p.Name(d.Pkg), p.Name(d.Side), p.Name(d.Base))}
	wide := func(indent int, text string) {
		b.Lines = append(b.Lines, table.Line{Wide: text, Indent: indent, Style: termtext.Dim})
	}
	for _, x := range d.Settings {
		wide(2, fmt.Sprintf("built with %s %s, before %s", p.Name(x.Name), p.Name(cmp.Or(x.New, "none")), p.Name(cmp.Or(x.Old, "none"))))
	}
	shown, rest := changedFunctions(d, all)
	for i := range shown {
		p.functionLines(&b, &shown[i], all)
	}
	switch hidden := len(rest); {
	case hidden > 0:
		wide(2, fmt.Sprintf("differences in %s; -v shows all", units.Plural(hidden, "more function")))
	case len(shown) == 0 && len(d.Settings) == 0:
		wide(2, "no difference")
	}
	return b
}

// changedFunctions returns the functions that are listed, and the others. Those that a benchmark reaches come first, and
// of these the ones of which more than the size differs.
func changedFunctions(d *result.CompilerDifference, all bool) (shown, rest []compiled.Function) {
	list := slices.Clone(d.Functions)
	rank := func(f *compiled.Function) int {
		switch {
		case !f.Reached():
			return 2
		case len(f.Changes) == 1 && f.Changes[0].Kind == compiled.KindSize:
			return 1
		}
		return 0
	}
	slices.SortStableFunc(list, func(a, b compiled.Function) int { return cmp.Compare(rank(&a), rank(&b)) })
	if all {
		return list, nil
	}
	n := 0
	for n < min(len(list), mostChanged) && list[n].Reached() {
		n++
	}
	return list[:n], list[n:]
}

// functionLines adds the lines of a function.
func (p *view) functionLines(b *table.Block, f *compiled.Function, all bool) {
	name := p.Name(f.Either().Name)
	if f.Renamed() {
		name += ", before " + p.Name(f.Old.Name)
	}
	add := func(file string, line int, text string) {
		b.Lines = append(b.Lines, table.Line{Cells: []table.Cell{{Text: "  " + name}, {Text: p.Name(file) + ":" + strconv.Itoa(line)}}, Rest: text})
	}
	note := func(text string, indent int) {
		b.Lines = append(b.Lines, table.Line{Wide: text, Indent: indent, Style: termtext.Dim})
	}
	switch {
	case f.Old == nil:
		add(f.New.File, f.New.Line, "only on this side")
	case f.New == nil:
		add(f.Old.File, f.Old.Line, "no longer there")
	}
	list := p.changeTexts(f)
	for i, c := range list {
		if i == mostChanges && !all {
			note(units.Plural(len(list)-i, "more difference")+" of "+name+"; -v shows all", 4)
			break
		}
		text := c.text
		if c.times > 1 {
			text += fmt.Sprintf(" (%d times)", c.times)
		}
		add(f.New.File, c.line, text)
		for _, why := range c.why {
			if all {
				note(p.Text(why), 6)
			}
		}
	}
}

// mostChanges is how many differences of a function are listed, unless all are asked for.
const mostChanges = 8

// changeText is a difference in words.
type changeText struct {
	line  int // in the new version
	text  string
	times int
	why   []string // a value escapes
}

// changeTexts returns the differences of a function. Equal ones of a line are one, and so are code and frame.
func (p *view) changeTexts(f *compiled.Function) (out []changeText) {
	for i := range f.Changes {
		c := &f.Changes[i]
		x := changeText{line: f.New.Line, text: p.change(c), times: 1}
		switch n := cmp.Or(c.New, c.Old); {
		case n == nil:
		case c.New == nil: // the line of the old version, as far from the declaration
			x.line = f.New.Line + n.Line - f.Old.Line
		default:
			x.line, x.why = n.Line, n.Why
		}
		last := len(out) - 1
		switch {
		case last >= 0 && out[last].line == x.line && out[last].text == x.text:
			out[last].times++
		case c.Kind == compiled.KindSize && i > 0 && f.Changes[i-1].Kind == compiled.KindFrame:
			out[last].text += ", " + x.text
		default:
			out = append(out, x)
		}
	}
	return out
}

// change says what changed.
func (p *view) change(c *compiled.Change) string {
	switch c.Kind {
	case compiled.KindFrame:
		return fmt.Sprintf("stack frame %d → %d bytes", c.OldBytes, c.NewBytes)
	case compiled.KindSize:
		return fmt.Sprintf("machine code %d → %d bytes", c.OldBytes, c.NewBytes)
	case record.NoteInlinable:
		return p.inlinable(c)
	}
	n, gained := cmp.Or(c.New, c.Old), c.New != nil
	text := p.Text(n.Text)
	choose := func(now, before string) string {
		if gained {
			return now
		}
		return before
	}
	switch c.Kind {
	case record.NoteInlined:
		text = choose("call is inlined now: ", "call is no longer inlined: ") + text
	case record.NoteCallKept:
		text = choose("call is not inlined now: ", "call was not inlined before: ") + text
	case record.NoteEscape:
		text = choose("on the heap now: ", "no longer on the heap: ") + text
		if c.Old != nil && c.New != nil {
			text += " (before: " + p.Text(c.Old.Text) + ")"
		}
	case record.NoteBounds:
		text = choose("checks an index now", "no longer checks an index")
	case record.NoteSliceBounds:
		text = choose("checks the limits of a slice now", "no longer checks the limits of a slice")
	case record.NoteCopy:
		text = choose("copied by a call now: ", "no longer copied by a call: ") + text
	default:
		text = choose("now: ", "no longer: ") + text
	}
	if k := len(n.Inlined) - 1; k >= 0 {
		text += fmt.Sprintf(", in code inlined from %s:%d", p.Name(n.Inlined[k].File), n.Inlined[k].Line)
	}
	return text
}

// inlinable says that a function can be inlined now, or no longer.
func (p *view) inlinable(c *compiled.Change) string {
	can := func(n *record.CompilerNote) bool { return n != nil && n.Kind == record.NoteInlinable }
	switch {
	case can(c.New) && c.Old != nil:
		return fmt.Sprintf("can be inlined now, at cost %d; before: %s", c.New.Cost, p.Text(c.Old.Text))
	case can(c.New):
		return fmt.Sprintf("can be inlined now, at cost %d", c.New.Cost)
	case c.New != nil:
		return fmt.Sprintf("can no longer be inlined: %s; its cost was %d", p.Text(c.New.Text), c.Old.Cost)
	}
	return "can no longer be inlined"
}
