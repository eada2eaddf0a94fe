package chart

import (
	"fmt"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
)

// Inline returns a chart as an element of a page, without a style: the page has one for the classes of charts. label says in a
// sentence what the chart shows, to those who do not see it.
func Inline(x Chart, label string) (string, error) {
	c, _, err := x.draw()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="picture" width="%s" height="%s" viewBox="0 0 %[1]s %[2]s" role="img" aria-label="%[3]s">`+"\n",
		px(c.width), px(c.height), termtext.XML(label))
	b.Write(c.body.Bytes())
	b.WriteString("</svg>\n")
	return b.String(), nil
}
