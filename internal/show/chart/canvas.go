package chart

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tarebench/tare/internal/base/termtext"
)

// A canvas takes the elements of one SVG image, in pixels from the upper left corner.
type canvas struct {
	body          bytes.Buffer
	width, height float64
	style         string // of classes that only some charts have
	attributes    string // of the image, for its script
}

// A point is a place on the canvas.
type point struct{ x, y float64 }

// An anchor says which end of a text stands at its place.
type anchor string

const (
	start  anchor = "start"
	middle anchor = "middle"
	end    anchor = "end"
)

// charWidth is what a character takes in a font of which nothing is known but its
// size, as a share of that: rather too much.
const charWidth = 0.6

const (
	titleSize = 16.0
	textSize  = 12.0
)

// widthOf estimates the width of a text of the normal size.
func widthOf(s string) float64 {
	return textSize * charWidth * float64(utf8.RuneCountInString(s))
}

func (c *canvas) rect(class string, x, y, w, h float64) {
	fmt.Fprintf(&c.body, `<rect class="%s" x="%s" y="%s" width="%s" height="%s"/>`+"\n", class, px(x), px(y), px(w), px(h))
}

func (c *canvas) line(class string, x1, y1, x2, y2 float64) {
	fmt.Fprintf(&c.body, `<path class="%s" d="M%s %sL%s %s"/>`+"\n", class, px(x1), px(y1), px(x2), px(y2))
}

// path draws a line through points, of which there is at least one.
func (c *canvas) path(class string, points []point) {
	fmt.Fprintf(&c.body, `<path class="%s" d="M%s %s`, class, px(points[0].x), px(points[0].y))
	for _, p := range points[1:] {
		fmt.Fprintf(&c.body, "L%s %s", px(p.x), px(p.y))
	}
	if len(points) == 1 {
		c.body.WriteString("h0.01") // or nothing is drawn
	}
	c.body.WriteString("\"/>\n")
}

func (c *canvas) text(class string, x, y float64, at anchor, s string) {
	fmt.Fprintf(&c.body, `<text class="%s" x="%s" y="%s" text-anchor="%s">%s</text>`+"\n", class, px(x), px(y), at, termtext.XML(s))
}

// write writes the image. The description is for those who do not see it.
func (c *canvas) write(w io.Writer, title, description string) error {
	var out bytes.Buffer
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %[1]s %[2]s" role="img"%[3]s>`+"\n", px(c.width), px(c.height), c.attributes)
	fmt.Fprintf(&out, "<title>%s</title>\n<desc>%s</desc>\n", termtext.XML(title), termtext.XML(description))
	fmt.Fprintf(&out, "<style>\n%s%s</style>\n", style, c.style)
	fmt.Fprintf(&out, `<rect class="paper" width="%s" height="%s"/>`+"\n", px(c.width), px(c.height))
	out.Write(c.body.Bytes())
	out.WriteString("</svg>\n")
	if _, err := w.Write(out.Bytes()); err != nil {
		return fmt.Errorf("chart %q: %w", title, err)
	}
	return nil
}

// head writes what stands above a chart and returns where it ends.
func head(c *canvas, title, subtitle string) float64 {
	y := margin + titleSize
	c.text("title", margin, y, start, title)
	if subtitle != "" {
		y += lineStep
		c.text("minor", margin, y, start, subtitle)
	}
	return y + 14
}

// notes writes what stands below a chart that ends at y, and returns where they end.
func notes(c *canvas, y float64, notes []string) float64 {
	for _, n := range notes {
		y += lineStep
		c.text("minor", margin, y, start, n)
	}
	return y
}

// thin returns the points without those that would be drawn at the same place as the point before. It keeps the
// first and the last.
func thin(points []point) []point {
	const seen = 0.25 // pixels
	out := points[:1:1]
	for i, p := range points[1:] {
		q := out[len(out)-1]
		if i+2 == len(points) || math.Abs(p.x-q.x) >= seen || math.Abs(p.y-q.y) >= seen {
			out = append(out, p)
		}
	}
	return out
}

// px writes a length with at most two decimals.
func px(x float64) string {
	s := strconv.FormatFloat(x, 'f', 2, 64)
	s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	if s == "-0" || s == "" {
		return "0"
	}
	return s
}
