// Package whytext shows to people what made a benchmark slower or faster.
package whytext

import (
	"fmt"
	"io"
	"math"
	"path"
	"strings"

	"github.com/tarebench/tare/internal/render/page"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/termtext"
	"github.com/tarebench/tare/internal/units"
	"github.com/tarebench/tare/internal/why"
)

// Row is a comparison with its answer.
type Row struct {
	*result.Comparison
	Answer  why.Answer
	Missing []string // profilers that were not used, or not on both sides
	Next    string   // the command to run next; "" for none
}

// Text writes rows. one says what is to be said where there are none.
func Text(w io.Writer, rows []Row, none string, o page.Options) error {
	p := page.New(o)
	for i := range rows {
		if i > 0 {
			p.Blank()
		}
		text{p, &rows[i]}.row()
	}
	if len(rows) == 0 {
		p.Para(termtext.Normal, "%s", none)
	}
	_, err := p.WriteTo(w)
	return err
}

type text struct {
	*page.Page
	*Row
}

func (t text) row() {
	c := t.Comparison
	t.Items(termtext.Bold, fmt.Sprintf("%s   %s → %s   %.3g (%.3g … %.3g) %s", t.Charset.Name(c.Name),
		units.Value(c.Unit, float64(c.Old), 4), units.Value(c.Unit, float64(c.New), 4), float64(c.Ratio), float64(c.Lo), float64(c.Hi), c.Verdict))
	t.Items(termtext.Dim, t.Charset.Name(c.Pkg), c.Base+" → "+c.Side, t.shares())
	for i, x := range t.Answer.Causes {
		t.Blank()
		t.cause(i+1, x)
	}
	if t.Answer.Ledger != why.OfNothing {
		t.Blank()
		t.Hang(termtext.Normal, "-  ", fmt.Sprintf("not explained: %s", shown(t.Answer.Rest)))
	} else if len(t.Answer.Causes) == 0 && len(t.Answer.Notes) == 0 {
		t.Blank()
		t.Para(termtext.Normal, "No cause was found.")
	}
	for _, n := range t.Answer.Notes {
		t.Para(termtext.Normal, "%s", t.Line(n))
	}
	if len(t.Missing) > 0 {
		t.Para(termtext.Dim, "not looked at: --prof %s", strings.Join(t.Missing, ","))
	}
	if t.Next != "" {
		t.Hang(termtext.Normal, "next: ", t.Line(t.Next))
	}
}

// shares says what the shares are of.
func (t text) shares() string {
	switch t.Answer.Ledger {
	case why.OfTime:
		return "shares of the difference in time"
	case why.OfInstructions:
		return "shares of the added instructions, not of time"
	}
	return ""
}

func (t text) cause(n int, c why.Cause) {
	share := shown(c.Share)
	if c.Joint {
		share += " together with the others of its group"
	}
	t.Hang(termtext.Bold, fmt.Sprintf("%d  ", n), t.Line(c.What))
	about := []string{"explains " + share}
	if c.Kind == why.CauseWait && math.IsNaN(c.Share.Value) {
		about[0] += ": goroutines wait side by side"
	}
	if c.Exact {
		about = append(about, "counts are exact")
	}
	if c.Where {
		about = append(about, "where the time is spent; no count says why")
	}
	t.Hang(termtext.Normal, "   ", strings.Join(about, ", "))
	if place := places(c.Place); place != "" {
		t.Hang(termtext.Dim, "   ", t.Line(place))
	}
	if len(c.Evidence) > 0 {
		t.Hang(termtext.Dim, "   ", t.Line(strings.Join(c.Evidence, " · ")))
	}
}

// shown writes a share with its interval.
func shown(s why.Share) string {
	switch {
	case math.IsNaN(s.Value):
		return "an unknown share"
	case s.Lo == s.Hi || math.IsInf(s.Hi, 0) || math.IsInf(s.Lo, 0):
		return fmt.Sprintf("%.0f %%", percent(s.Value))
	}
	return fmt.Sprintf("%.0f %% (%.0f … %.0f)", percent(s.Value), percent(s.Lo), percent(s.Hi))
}

// percent returns whole percents, and no negative zero.
func percent(x float64) float64 { return math.Round(100*x) + 0 }

// places writes where a cause is on both sides.
func places(p [2]why.Place) string {
	at := func(x why.Place) string {
		if x.File == "" || x.Line == 0 {
			return ""
		}
		return fmt.Sprintf("%s:%d", path.Base(x.File), x.Line)
	}
	old, new := at(p[0]), at(p[1])
	switch {
	case old == "" || old == new:
		return new
	case new == "":
		return old
	}
	return old + " → " + new
}
