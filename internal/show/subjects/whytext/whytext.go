// Package whytext shows to people what made a benchmark slower or faster.
package whytext

import (
	"fmt"
	"io"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/result/why"
	"github.com/tarebench/tare/internal/show/textpage"
	"github.com/tarebench/tare/stat"
)

// Text writes rows. none is what to say where there are none.
func Text(w io.Writer, rows []Row, none string, o textpage.Options) error {
	p := textpage.New(o)
	for i := range rows {
		if i > 0 {
			p.Blank()
		}
		text{p, &rows[i]}.row()
	}
	if len(rows) == 0 {
		p.Para(termtext.Normal, "%s", none)
	}
	return p.Flush(w)
}

type text struct {
	*textpage.Page
	*Row
}

func (t text) row() {
	t.head()
	for i := range t.Answer.Causes {
		t.Blank()
		t.cause(i+1, &t.Answer.Causes[i])
		for _, h := range t.hunksOf(i) {
			t.hunk(h, t.shownAt(i, h))
		}
	}
	t.changed()
	if rest := t.Rest(); rest != "" {
		t.Blank()
		t.Hang(termtext.Normal, "-  ", "not explained: "+rest)
	}
	if none := t.None(); none != "" {
		t.Blank()
		t.Para(termtext.Normal, "%s", none)
	}
	for _, n := range t.Answer.Notes {
		t.Para(termtext.Normal, "%s", n)
	}
	t.Hang(termtext.Dim, "", t.Lacking())
	if t.Next != "" {
		t.Hang(termtext.Normal, "next: ", t.Line(t.Next))
	}
}

// head writes the verdict.
func (t text) head() {
	verdict, values := t.Headline()
	const gap = "   "
	name := t.Charset.Name(t.Title)
	lines := []string{name + gap + verdict + gap + values}
	if termtext.Width(t.Page.Text(lines[0])) > t.Columns {
		lines = []string{name + gap + verdict, values}
	}
	for _, l := range lines {
		t.Print(t.style(), termtext.Wrap(t.Page.Text(l), t.Columns)...)
	}
	t.Items(termtext.Dim, t.Charset.Name(t.Pkg), t.Shares())
	for _, r := range t.Remarks() {
		t.Para(termtext.Dim, "%s", r)
	}
}

// style returns that of the verdict, as in a comparison.
func (t text) style() termtext.Style {
	switch {
	case !t.Trusted:
		return termtext.Yellow
	case t.Verdict == string(stat.Slower):
		return termtext.Red
	case t.Verdict == string(stat.Faster):
		return termtext.Green
	}
	return termtext.Bold
}

func (t text) cause(n int, c *why.Cause) {
	t.Hang(termtext.Bold, fmt.Sprintf("%d  ", n), c.What)
	const indent = "   "
	t.Hang(termtext.Normal, indent, "explains "+Explains(c), Sure(c))
	t.Hang(termtext.Dim, indent, Places(c.Place))
	t.Hang(termtext.Dim, indent, c.Evidence...)
}

// changed writes what changed and touches no cause.
func (t text) changed() {
	if len(t.Changed) == 0 {
		return
	}
	t.Blank()
	t.Hang(termtext.Normal, "   ", t.little()+":")
	for _, h := range t.Changed {
		t.hunk(h, -1)
	}
}

// hunk writes a part of the change, a line of it in a line. One that a cause before has is only named.
func (t text) hunk(h why.Hunk, before int) {
	const indent, tab = "     ", "    "
	if before >= 0 {
		t.Hang(termtext.Dim, "   ", t.Line(h.File)+": "+sameHunk(before))
		return
	}
	t.Print(termtext.Dim, "   "+t.Charset.Head(t.Line(title(h)), t.Columns-3))
	for _, l := range h.Lines {
		style := map[byte]termtext.Style{'-': termtext.Red, '+': termtext.Green}[l[0]]
		t.Print(style, strings.TrimRight(indent+t.Charset.Head(t.Line(strings.ReplaceAll(l, "\t", tab)), t.Columns-len(indent)), " "))
	}
	if h.Left > 0 {
		t.Print(termtext.Dim, indent+t.Page.Text(left(h)))
	}
}
