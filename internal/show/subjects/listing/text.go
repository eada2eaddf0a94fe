package listing

import (
	"io"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"

	"github.com/tarebench/tare/internal/show/textpage"
)

// Options say how a listing for people looks.
type Options = textpage.Options

// text is a listing, or a comparison, being written.
type text struct {
	*textpage.Page
	g glyphs
}

func newText(o Options) *text {
	return &text{Page: textpage.New(o), g: newGlyphs(o.UTF8)}
}

// Text writes the listing: its header, the lists, the hottest regions with their code or the
// selected functions, and the warnings. An error of w is returned wrapped.
func (l *Listing) Text(w io.Writer, o Options) error {
	t := newText(o)
	t.header(l, o.Title)
	t.lists(l)
	t.regions(l)
	t.Warn(l.warnings)
	return t.Flush(w)
}

// Lists writes the listing without the code of regions, which [Listing.Fold] returns.
func (l *Listing) Lists(w io.Writer, o Options) error {
	t := newText(o)
	t.header(l, o.Title)
	t.lists(l)
	t.Warn(l.warnings)
	return t.Flush(w)
}

// events returns those for which there is room: all, or the first ones.
func (t *text) events(l *Listing) []int {
	const (
		each = 14 // columns
		rest = 50 // for the instruction, or the name
	)
	out := []int{0}
	for e := 1; e < len(l.all) && each*(e+1) <= t.Columns-rest; e++ {
		out = append(out, e)
	}
	return out
}

// line writes a line of parts, each in its own style.
func (t *text) line(parts ...string) { t.Print(termtext.Normal, strings.Join(parts, "")) }

// para writes a sentence of ours in as many lines as it needs.
func (t *text) para(s string, st termtext.Style) { t.Para(st, "%s", s) }

// items writes facts side by side.
func (t *text) items(items []string, st termtext.Style) {
	t.Print(st, t.g.join(items, t.Columns)...)
}

// heat returns the style of a share of all samples: red from 5 % on, as in perf annotate.
func heat(share float64) termtext.Style {
	switch {
	case share >= 0.05:
		return termtext.Hot
	case share >= 0.01:
		return termtext.Yellow
	}
	return termtext.Normal
}
