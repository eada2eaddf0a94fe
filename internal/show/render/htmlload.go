package render

import (
	"fmt"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/subjects/loadtext"
	"github.com/tarebench/tare/internal/show/textpage"
	"github.com/tarebench/tare/internal/show/webpage"
)

// htmlLoad returns a load run: what came of it in words, how far it can be trusted, and the text that the verb prints.
func htmlLoad(s *result.Result) (webpage.Run, error) {
	x, err := htmlText(s)
	if err != nil || s.Run == nil {
		return x, err
	}
	x.Blocks[0].Title, x.Blocks[0].Help = "All figures", helpLoad
	p := textpage.New(htmlOptions)
	x.Verdicts = loadVerdicts(p, s)
	f := facts{Page: p}
	f.machine(s.Run)
	f.add("plan", loadtext.Plan(s)...)
	if l := s.Load; l != nil {
		f.add("target and achieved", targetAchieved(l))
		f.add("answers", loadtext.Answers(l)...)
		f.add("the server", loadtext.Server(l)...)
	}
	if l := s.Load; l != nil && l.Agents != nil {
		f.add("agents", loadtext.AgentSummary(l.Agents)...)
	}
	f.add("load generator, and the machine", loadtext.Overhead(s)...)
	f.origin(s.Run)
	x.Facts = f.all
	var notes textpage.Notes
	notes.About(s, "")
	x.Notes, x.RowNotes = htmlNotes(p, &notes)
	switch {
	case s.LoadPairs != nil:
		addPairs(&x, s)
	case s.Load != nil:
		x.Blocks = append(loadTables(p, s.Load), x.Blocks...)
	}
	return x, nil
}

// targetAchieved returns the rate that was asked for and the one that was reached.
func targetAchieved(l *result.Load) string {
	text := "target " + units.Rate(l.TargetRate) + textpage.Sep + "achieved " + units.Rate(l.Achieved)
	if l.ClosedLoop {
		text = "closed loop: no target" + textpage.Sep + "achieved " + units.Rate(l.Achieved)
	}
	if l.Errors > 0 {
		text += textpage.Sep + "without errors " + units.Rate(l.OKRate)
	}
	return text
}

// loadVerdicts returns what came of a load run: of its rate, and of each objective.
func loadVerdicts(p *textpage.Page, s *result.Result) []webpage.Verdict {
	var out []webpage.Verdict
	add := func(kind webpage.Kind, text string) {
		if text != "" {
			out = append(out, webpage.Verdict{Kind: kind, Text: p.Text(text)})
		}
	}
	add(webpage.Plain, loadtext.Knee(s))
	if l := s.Load; l != nil && len(s.Steps) == 0 {
		add(rateKind(l), l.Verdict)
		for _, c := range l.Coincidences {
			add(webpage.Unknown, "a slow interval "+c.Text)
		}
	}
	for _, o := range s.Objectives {
		switch {
		case o.Met:
			add(webpage.Same, fmt.Sprintf("objective %s met: %s", o.Objective, o.Text))
		case o.Untrusted:
			add(webpage.Unknown, fmt.Sprintf("objective %s %s: %s", o.Objective, o.Word(), o.Text))
		default:
			add(webpage.Bad, fmt.Sprintf("objective %s missed: %s", o.Objective, o.Text))
		}
	}
	if why := textpage.PartialWhy(s); why != "" {
		add(webpage.Unknown, "partial: "+why)
	}
	return out
}

// rateKind returns how the sentence on a rate is drawn.
func rateKind(l *result.Load) webpage.Kind {
	if l.Missed {
		return webpage.Bad
	}
	return webpage.Plain
}

// addPairs puts the comparison of two sides first.
func addPairs(x *webpage.Run, s *result.Result) {
	p := newView(s, htmlOptions)
	x.Verdicts = nil
	for i := range s.LoadPairs.Sides {
		side := &s.LoadPairs.Sides[i]
		text, _ := loadtext.Verdict(side)
		x.Verdicts = append(x.Verdicts, webpage.Verdict{Kind: rateKind(&side.Load), Text: p.Text(text)})
	}
	var tables []webpage.Block
	for i := range p.versus {
		x.Verdicts = append(x.Verdicts, htmlVerdicts(&p.versus[i])...)
		tables = append(tables, p.htmlVersus(&p.versus[i], threshold(s), len(p.versus) > 1))
	}
	x.Blocks, x.Help = append(tables, x.Blocks...), helpVerdicts
}
