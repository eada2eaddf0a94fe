package render

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/markdown"
	"github.com/tarebench/tare/internal/show/subjects/loadtext"
	"github.com/tarebench/tare/record"
)

// writeLoadPairs writes a load run of two sides as text: the comparison, and what became of the operations of each side.
func writeLoadPairs(b *bytes.Buffer, s *result.Result, o Options) {
	t := newText(s, o)
	t.Items(termtext.Dim, loadtext.Header(s, o)...)
	t.Hang(termtext.Dim, "sides: ", t.loadSides(s)...)
	t.Blank()
	for i := range s.LoadPairs.Sides {
		text, style := loadtext.Verdict(&s.LoadPairs.Sides[i])
		t.Items(style, t.Text(text)+".")
	}
	t.Blank()
	if len(t.versus) > 0 {
		t.comparisons()
	} else {
		t.Print(termtext.Normal, "no pair of windows was measured")
		t.Blank()
	}
	for i := range s.LoadPairs.Sides {
		x := &s.LoadPairs.Sides[i]
		t.Hang(termtext.Normal, t.Name(x.Side)+": ", sideCounts(x)...)
	}
	for _, line := range loadtext.Errors(s) {
		t.Hang(termtext.Red, "", t.Text(line))
	}
	slow := loadtext.Coincidences(s)
	for _, line := range slow {
		t.Hang(termtext.Yellow, "slow: ", t.Text(line))
	}
	if len(slow) > 0 {
		t.Items(termtext.Dim, loadtext.NoCause)
	}
	t.Blank()
	t.Foot(s, &t.notes, loadtext.Overhead(s))
	t.WriteTo(b)
}

// loadSides says what the sides are, and how they were measured.
func (p *view) loadSides(s *result.Result) []string {
	var out []string
	for _, x := range s.Run.Sides {
		out = append(out, p.loadSide(x))
	}
	w := s.LoadPairs
	if w.Unpaired {
		return append(out, fmt.Sprintf("medians of intervals; %s intervals of confidence, BH-corrected, threshold ± %s", p.level, units.Percent(threshold(s))))
	}
	how := units.Plural(w.Pairs, "pair") + " of windows"
	if c := s.Run.Config.Load; c != nil && c.Window > 0 {
		how += " of " + units.Duration(c.Window)
	}
	if w.Starts > 0 {
		how += ", " + units.Plural(w.Starts, "start") + " of each server"
	}
	return append(out, how, fmt.Sprintf("medians of windows; %s intervals, BH-corrected, threshold ± %s", p.level, units.Percent(threshold(s))))
}

// loadSide says what stands behind the name of a side.
func (p *view) loadSide(x record.Side) string {
	text := p.Name(x.Name) + " = "
	switch {
	case x.URL != "" && x.Command != "": // a run without a pair
		return text + p.Text(x.URL) + ", " + p.Text(x.Command)
	case x.URL != "":
		return text + p.Text(x.URL)
	}
	text += p.Text(x.Command)
	state := shortRevision(x.Revision)
	switch {
	case x.Ref != "" && !strings.HasPrefix(x.Revision, x.Ref):
		state = p.Text(x.Ref) + ", " + state
	case x.Dirty:
		state += ", dirty"
	}
	if state != "" {
		text += " (" + state + ")"
	}
	return text
}

// sideCounts says what became of the operations of a side.
func sideCounts(x *result.LoadSide) []string {
	l := &x.Load
	out := []string{units.Count(l.Scheduled) + " due", units.Count(l.Operations) + " answered", units.Plural(l.Errors, "error")}
	for _, n := range []struct {
		n    int64
		what string
	}{{l.Dropped, "dropped"}, {l.Unsent, "unsent"}, {l.Unfinished, "unfinished"}} {
		if n.n > 0 {
			out = append(out, units.Count(n.n)+" "+n.what)
		}
	}
	out = append(out, fmt.Sprintf("longest backlog %d", l.BacklogMax), units.Plural(l.Workers, "worker"))
	if len(l.Slowest) > 0 {
		out = append(out, "slowest "+loadtext.SlowLine(&l.Slowest[0], l.ClosedLoop))
	}
	return append(append(out, loadtext.Answers(l)...), loadtext.Server(l)...)
}

// mdLoadPairs writes a load run of two sides as Markdown.
func mdLoadPairs(b *bytes.Buffer, s *result.Result, o Options) {
	o.UTF8 = true
	p := newView(s, o)
	for i := range s.LoadPairs.Sides {
		text, _ := loadtext.Verdict(&s.LoadPairs.Sides[i])
		markdown.Paragraph(b, "**"+markdown.Text(text)+".**")
	}
	for i := range p.versus {
		p.mdVersus(b, &p.versus[i])
	}
	markdown.Items(b, "sides: ", p.loadSides(s))
	for i := range s.LoadPairs.Sides {
		x := &s.LoadPairs.Sides[i]
		markdown.Items(b, markdown.Text(x.Side)+": ", sideCounts(x))
	}
	slow := loadtext.Coincidences(s)
	for _, line := range slow {
		markdown.Paragraph(b, "slow: "+markdown.Text(line))
	}
	if len(slow) > 0 {
		markdown.Paragraph(b, loadtext.NoCause)
	}
	markdown.Items(b, "", loadtext.Header(s, o))
	markdown.Items(b, "tare: ", loadtext.Overhead(s))
	markdown.Notes(b, s, &p.notes, o.Verbose)
	markdown.Repeat(b, s)
	markdown.End(b)
}
