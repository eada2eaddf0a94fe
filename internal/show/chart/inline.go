package chart

import (
	"fmt"
	"io"

	"github.com/tarebench/tare/internal/base/termtext"
)

// Inline returns a chart as an element of a page, without a style: the page has one for the classes of charts. label
// says in a sentence what the chart shows, to those who do not see it.
func Inline(x Chart, label string) (string, error) {
	c, _, err := x.draw()
	if err != nil {
		return "", err
	}
	attributes := ` role="img" aria-label="` + termtext.XML(label) + `"`
	return Element("picture", c.width, c.height, attributes, "\n"+c.body.String()) + "\n", nil
}

// Element returns an element of a page that has the style of its class. attributes begin with a blank.
func Element(class string, width, height float64, attributes, body string) string {
	return fmt.Sprintf(`<svg class="%s" width="%s" height="%s" viewBox="0 0 %[2]s %[3]s"%[4]s>%[5]s</svg>`, class, px(width), px(height), attributes, body)
}

// Drawing is an image whose elements are drawn elsewhere. It has the style of all charts.
type Drawing struct {
	Title, Description string
	Width, Height      float64
	Attributes         string // of the image, for its script; they begin with a blank
	Style              string // of further classes
	Body               string // elements
}

// Write writes the drawing as one SVG image.
func (d Drawing) Write(w io.Writer) error {
	c := canvas{width: d.Width, height: d.Height, style: d.Style, attributes: d.Attributes}
	c.body.WriteString(d.Body)
	return c.write(w, d.Title, d.Description)
}
