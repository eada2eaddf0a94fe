package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/subjects/calls"
	"github.com/tarebench/tare/internal/show/subjects/profile"
	"github.com/tarebench/tare/internal/show/webpage"
	"github.com/tarebench/tare/record"
)

// mostFunctions is how many functions a table of a page has.
const mostFunctions = 200

// htmlProgram returns what a program did: of each view its pictures and tables, above its text.
func htmlProgram(s *result.Result, of Selection) (webpage.Run, error) {
	views, err := programViews(s, record.KindOf(s.Run), of)
	if err != nil || len(views) == 0 {
		return webpage.Run{}, err
	}
	blocks, err := htmlViews(views)
	return webpage.Run{Blocks: blocks}, err
}

// htmlProfiles returns the call stacks of benchmarks that were sampled or traced: what changed from side to side first.
func htmlProfiles(s *result.Result, of Selection) ([]webpage.Block, error) {
	if readable(s, record.AttachTrace, record.AttachSampled, record.AttachSampledProfile) != nil {
		return nil, nil // a warning of its fork says so
	}
	views, err := ProfileDifferences(s, StackOptions{Selection: of})
	if err != nil {
		return nil, err
	}
	stacks, err := StackViews(s, StackOptions{Selection: of})
	if err != nil {
		return nil, err
	}
	traced, err := CallsViews(s, calls.Config{Selection: of})
	if err != nil {
		return nil, err
	}
	return htmlViews(append(append(views, stacks...), traced...))
}

// htmlViews returns the blocks of views.
func htmlViews(views []*View) (out []webpage.Block, err error) {
	for _, v := range views {
		blocks, err := v.html()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", v.Title, err)
		}
		if len(views) > 1 && len(blocks) > 0 && blocks[0].Title == "" {
			blocks[0].Title = v.Title
		}
		out = append(out, blocks...)
	}
	return out, nil
}

func (v *View) html() (out []webpage.Block, err error) {
	switch {
	case v.Difference != nil:
		out = append(out, graphBlock(v.Difference.Graph(), "what changed of "+v.Title, helpDifference(v.Difference)), changeTable(v.Difference))
	case v.Profile != nil:
		p, err := v.Profile()
		if err != nil {
			return nil, err
		}
		out = append(out, graphBlock(p.Graph(), "flame graph of "+v.Title, helpFlame))
		if p.ExcludesBlocked() {
			out = append(out, graphBlock(p.GraphBlocked(), "flame graph of "+v.Title+", blocked time", helpBlocked))
		}
		if v.Files[TraceEventsSuffix] == nil && p.CountType != calls.TypeCalls { // calls have a table of their own in the text
			out = append(out, functionTable(p))
		}
	}
	var text strings.Builder
	if err := v.write(&text); err != nil {
		return nil, err
	}
	out = append(out, webpage.Block{Text: strings.TrimRight(text.String(), "\n")})
	if v.Listing != nil {
		if regions := v.Listing.Fold(); len(regions) > 0 {
			out = append(out, webpage.Block{Title: "Machine code", Code: regions, Help: helpCode})
		}
	}
	return out, nil
}

// write writes the text. Of machine code a page has more than text can show.
func (v *View) write(w io.Writer) error {
	if v.Listing != nil {
		o := htmlOptions
		o.Title = v.Title
		return v.Listing.Lists(w, o)
	}
	return v.Text(w, htmlOptions)
}

func graphBlock(g *profile.Graph, alt string, help []string) webpage.Block {
	return webpage.Block{Graph: &webpage.Graph{Graph: g, Alt: alt}, Help: help}
}

// functionTable returns the functions of a profile, which readers sort and narrow.
func functionTable(v *profile.View) webpage.Block {
	excluded := v.ExcludesBlocked()
	t := &webpage.Table{Columns: []webpage.Column{{Title: "function"}, {Title: "self", Number: true}, {Title: "share", Number: true}, {Title: "total", Number: true}, {Title: "share", Number: true}}}
	if excluded {
		t.Columns = append(t.Columns, webpage.Column{Title: "blocked", Number: true})
	}
	rows := v.Rows()
	for _, f := range rows[:min(len(rows), mostFunctions)] {
		cells := []webpage.Cell{
			{Text: printable(f.Name)}, {Text: v.Value(f.Self), Value: exactValue(float64(f.Self))}, {Text: v.ShareText(f.Self, f.SelfError), Value: exactValue(float64(f.Self))},
			{Text: v.Value(f.Total), Value: exactValue(float64(f.Total))}, {Text: v.ShareText(f.Total, f.TotalError), Value: exactValue(float64(f.Total))},
		}
		if excluded {
			cells = append(cells, webpage.Cell{Text: v.Value(f.BlockedTotal), Value: exactValue(float64(f.BlockedTotal))})
		}
		t.Add(cells...)
	}
	b := webpage.Block{Title: "Functions", Table: t, Help: helpFunctions}
	if n := len(rows) - mostFunctions; n > 0 {
		b.Notes = []string{units.Plural(n, "more function") + " are in the record"}
	}
	return b
}

// changeTable returns the functions of two profiles beside each other.
func changeTable(d *profile.Difference) webpage.Block {
	t := &webpage.Table{Columns: []webpage.Column{{Title: "function"}}}
	for _, of := range []string{"self", "total"} {
		t.Columns = append(t.Columns, webpage.Column{Title: of + ", " + d.Names[0], Number: true}, webpage.Column{Title: of + ", " + d.Names[1], Number: true}, webpage.Column{Title: "points", Number: true})
		if d.Sampled {
			t.Columns = append(t.Columns, webpage.Column{Title: units.Level(d.Confidence) + " interval", Number: true}, webpage.Column{Title: of + " is"})
		}
	}
	places := d.Places()
	for _, c := range d.Functions[:min(len(d.Functions), mostFunctions)] {
		cells := []webpage.Cell{{Text: printable(c.Name)}}
		for _, x := range []profile.ShareChange{c.Self, c.Total} {
			if x.Old+x.New == 0 { // nothing was found in itself
				cells = append(cells, make([]webpage.Cell, (len(t.Columns)-1)/2)...)
				continue
			}
			cells = append(cells, webpage.Cell{Text: profile.Percent(x.Old, places), Value: exactValue(x.Old)}, webpage.Cell{Text: profile.Percent(x.New, places), Value: exactValue(x.New)},
				webpage.Cell{Text: profile.Points(x.Value, places), Value: exactValue(x.Value)})
			if d.Sampled {
				cells = append(cells, webpage.Cell{Text: profile.Points(x.Lo, places) + units.Dots + profile.Points(x.Hi, places)}, webpage.Cell{Text: d.Verdict(x)})
			}
		}
		t.Add(cells...)
	}
	b := webpage.Block{Title: "What changed, by function", Table: t, Notes: d.Notes()}
	if n := len(d.Functions) - mostFunctions; n > 0 {
		b.Notes = append(b.Notes, units.Plural(n, "more function")+" are in the records")
	}
	return b
}
