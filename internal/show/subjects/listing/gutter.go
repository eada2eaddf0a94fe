package listing

import (
	"slices"
	"strings"
)

// gutter draws the jumps of a region at the left of its instructions.
type gutter struct {
	g       glyphs
	lanes   [][]bundle // the innermost first
	omitted int        // jumps that no lane was left for
	selves  map[int]bool
}

func newGutter(g glyphs, edges []edge) *gutter {
	d := &gutter{g: g, selves: map[int]bool{}}
	d.lanes, d.omitted = pack(bundles(edges), maxLanes)
	for _, e := range edges {
		if e.from == e.to {
			d.selves[e.from] = true
		}
	}
	return d
}

// width returns the columns of the gutter: one for each lane, and one for arrow heads.
func (d *gutter) width() int {
	if len(d.lanes) == 0 && len(d.selves) == 0 {
		return 0
	}
	return len(d.lanes) + 1
}

// Directions in which a glyph has a line.
const (
	up = 1 << iota
	down
	left
	right
)

// row returns the gutter of instruction i.
func (d *gutter) row(i int) string {
	if d.width() == 0 {
		return ""
	}
	var b strings.Builder
	across, arrives := false, false // a line comes from the left; it ends here
	for _, lane := range slices.Backward(d.lanes) {
		glyph := 0
		if across {
			glyph = left | right
		}
		for k := range lane {
			l := &lane[k]
			if i < l.lo || i > l.hi {
				continue
			}
			if i > l.lo {
				glyph |= up
			}
			if i < l.hi {
				glyph |= down
			}
			if i == l.to || slices.Contains(l.from, i) {
				across = true
				glyph |= right
				arrives = arrives || i == l.to
			}
		}
		b.WriteString(d.g.lines[glyph])
	}
	switch {
	case d.selves[i]:
		b.WriteString(d.g.self)
	case arrives:
		b.WriteString(d.g.head)
	case across:
		b.WriteString(d.g.lines[left|right])
	default:
		b.WriteByte(' ')
	}
	return b.String()
}

// between returns the gutter of a row between instruction i and the one before.
func (d *gutter) between(i int) string {
	if d.width() == 0 {
		return ""
	}
	var b strings.Builder
	for _, lane := range slices.Backward(d.lanes) {
		glyph := 0
		for k := range lane {
			if lane[k].lo < i && i <= lane[k].hi {
				glyph = up | down
			}
		}
		b.WriteString(d.g.lines[glyph])
	}
	return b.String() + " "
}
