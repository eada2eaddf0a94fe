package chart

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
)

// Strips is rows of boxes side by side, such as the fields of a struct on its cache lines.
type Strips struct {
	Title    string
	Subtitle string   // a line below the title; may be empty
	Scale    []string // above the rows, at equal distances from their left end
	Rows     []Strip  // in the order drawn
	Legend   []Swatch // of which those are shown that a box has
}

// A Strip is one row.
type Strip struct {
	Label string // at its left
	Boxes []Box
	Note  string // at its right: what is wrong with it
	Words string // in place of boxes: which rows are left out
}

// A Box is a part of a row.
type Box struct {
	From, To float64 // shares of the row
	Class    string  // of its colour, as in a Swatch
	Label    string  // as much of it as has room
	Words    string  // what a tool tip says
}

// A Swatch is a colour by its class in [BoxColours], and what it means.
type Swatch struct{ Class, Words string }

// BoxColours are the colours of boxes, the same in light and dark. Readers with colour blindness can distinguish them
// (after Okabe and Ito). A dashed box is paler and has a broken outline.
const BoxColours = `.root { fill: #dfe3e8 } .m0 { fill: #f2ad5c } .m1 { fill: #84c5ee } .m2 { fill: #8fd3b6 } .m3 { fill: #f4e785 } .m4 { fill: #dba6c4 } .m5 { fill: #c3c9d1 }
.l3 { fill: #5f9fd6 } .l2 { fill: #9cc5e8 } .l1 { fill: #cfe2f3 } .n0 { fill: #e4e6e9 } .g1 { fill: #fbe0c4 } .g2 { fill: #f6bd84 } .g3 { fill: #ec8f45 }
.blocked { fill-opacity: 0.7; stroke: #4b535d; stroke-dasharray: 3 2 }`

const stripStyle = BoxColours + `
.box { fill: #16202b }
.warn { fill: #b4256f }
@media (prefers-color-scheme: dark) {
.warn { fill: #f778ba }
}
`

// Sizes in pixels.
const (
	stripLeft  = margin + 48 // of the boxes: room for labels
	stripWidth = 720
	stripNotes = 216
)

// Write writes the chart as one SVG image.
func (s Strips) Write(w io.Writer) error { return write(w, s) }

func (s Strips) draw() (*canvas, caption, error) {
	c := &canvas{width: stripLeft + stripWidth + stripNotes + margin, style: stripStyle}
	y := head(c, s.Title, s.Subtitle)
	if used := slices.DeleteFunc(slices.Clone(s.Legend), func(x Swatch) bool { return !s.has(x.Class) }); len(used) > 0 {
		c.legend(margin, y, used)
		y += lineStep + 8
	}
	if len(s.Scale)*len(s.Rows) > 0 {
		y += textSize
		for i, text := range s.Scale {
			c.text("minor", stripLeft+stripWidth*float64(i)/float64(len(s.Scale)), y-4, start, text)
		}
	}
	var words []string
	for _, row := range s.Rows {
		y += row.draw(c, y)
		words = append(words, row.describe())
	}
	c.height = y + margin
	return c, caption{s.Title, strings.Join(slices.DeleteFunc(words, func(s string) bool { return s == "" }), "; ")}, nil
}

// has reports whether a box is of a class.
func (s Strips) has(class string) bool {
	return slices.ContainsFunc(s.Rows, func(row Strip) bool {
		return slices.ContainsFunc(row.Boxes, func(b Box) bool { return b.Class == class })
	})
}

// draw draws the row below y and returns its height.
func (s Strip) draw(c *canvas, y float64) float64 {
	if s.Words != "" {
		c.text("minor", stripLeft, y+13, start, s.Words)
		return lineStep
	}
	const height = 30
	c.text("minor", margin, y+height/2+4, start, s.Label)
	for _, b := range s.Boxes {
		x := stripLeft + stripWidth*b.From
		c.box(b.Class, x, y, stripWidth*(b.To-b.From), height-2, b.Label, b.Words)
	}
	if s.Note != "" {
		c.text("warn", stripLeft+stripWidth+8, y+height/2+4, start, cutTo(s.Note, stripNotes))
	}
	return height + 2
}

// describe says what a row shows.
func (s Strip) describe() string {
	var words []string
	for _, b := range s.Boxes {
		words = append(words, b.Words)
	}
	if s.Words+s.Note != "" {
		words = append(words, s.Words+s.Note)
	}
	return strings.Join(words, ", ")
}

// box draws a rectangle with a tool tip, and its label if there is room for some of it.
func (c *canvas) box(class string, x, y, width, height float64, label, words string) {
	fmt.Fprintf(&c.body, "<g><title>%s</title>", termtext.XML(words))
	c.rect(class, x+0.5, y, max(width-1, 1), height)
	label = termtext.Charset{UTF8: true}.Name(label) // escapes take room
	if label = cutTo(label, width-8); label != "" {
		c.text("box", x+4, y+height/2+4, start, label)
	}
	c.body.WriteString("</g>\n")
}

// legend draws what the colours mean, side by side.
func (c *canvas) legend(x, y float64, legend []Swatch) {
	for _, s := range legend {
		c.rect(s.Class, x, y, 11, 11)
		c.text("minor", x+16, y+10, start, s.Words)
		x += 16 + widthOf(s.Words) + 18
	}
}
