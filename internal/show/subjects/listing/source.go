package listing

import (
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
)

// place is a line of a file.
type place struct {
	file string
	line int
}

// sourceOf writes the lines that lead to instruction i, as far as they are others
// than those of the instruction before: the function's own first, then those of the
// functions that were inlined there.
func (c *code) sourceOf(i int) {
	if c.numbers {
		return
	}
	frames := c.r.fn.frames(i)
	from := 0
	for from < len(frames) && from < len(c.last) && frames[from] == c.last[from] {
		from++
	}
	if from == len(frames) && len(frames) == len(c.last) {
		return
	}
	c.last = frames
	for k := min(from, len(frames)-1); k < len(frames); k++ {
		c.sourceLine(frames[k], k, i)
	}
}

func (c *code) sourceLine(f frame, depth, i int) {
	if depth == 0 && f.line <= 0 {
		return
	}
	s := ""
	if depth > 0 {
		s = termtext.Pad(2*min(depth-1, 4)) + c.g.inlined + c.g.Line(shortName(f.name)) + "  "
	}
	if f.line > 0 {
		s += c.g.Line(base(f.file)) + ":" + strconv.Itoa(f.line)
	}
	room := c.Columns - c.lead()
	s = c.g.Middle(s, room*2/3)
	if x := strings.TrimSpace(c.g.Line(c.source[place{f.file, f.line}])); x != "" && room-termtext.Width(s)-2 > 8 {
		s += "  " + c.g.Head(x, room-termtext.Width(s)-2)
	}
	lead := ""
	if w := c.d.width(); w > 0 {
		lead = c.d.between(i) + " "
	}
	c.line(termtext.Pad(c.lead()-termtext.Width(lead)), lead, termtext.Cyan.Paint(s, c.Color))
}
