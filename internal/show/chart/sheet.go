package chart

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// A Chart is one of the kinds of this package.
type Chart interface {
	Write(io.Writer) error
	draw() (*canvas, caption, error)
}

// caption is what a chart shows, in words.
type caption struct{ title, description string }

// write writes a chart as one SVG image.
func write(w io.Writer, x Chart) error {
	c, words, err := x.draw()
	if err != nil {
		return err
	}
	return c.write(w, words.title, words.description)
}

// Sheet is several charts, one below the other, as one image.
type Sheet struct{ Charts []Chart }

var errNoCharts = errors.New("chart: a sheet without charts")

// Write writes the sheet as one SVG image.
func (s Sheet) Write(w io.Writer) error { return write(w, s) }

func (s Sheet) draw() (*canvas, caption, error) {
	if len(s.Charts) == 0 {
		return nil, caption{}, errNoCharts
	}
	sheet, words := &canvas{}, caption{}
	var all []string
	for i, x := range s.Charts {
		c, said, err := x.draw()
		if err != nil {
			return nil, caption{}, err
		}
		if i == 0 {
			words.title = said.title
		}
		all = append(all, said.title+": "+said.description)
		fmt.Fprintf(&sheet.body, "<g transform=\"translate(0 %s)\">\n", px(sheet.height))
		sheet.body.Write(c.body.Bytes())
		sheet.body.WriteString("</g>\n")
		sheet.width, sheet.height = max(sheet.width, c.width), sheet.height+c.height
		if !strings.Contains(sheet.style, c.style) {
			sheet.style += c.style
		}
	}
	words.description = strings.Join(all, ". ")
	return sheet, words, nil
}
