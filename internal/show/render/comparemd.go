package render

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/markdown"
	"github.com/tarebench/tare/internal/show/textpage"
)

// mdLost names what the first side has and another has not.
func (p *view) mdLost(b *bytes.Buffer) {
	var list []string
	for _, l := range p.lost {
		list = append(list, "- **lost:** "+markdown.Text(l))
	}
	markdown.Paragraph(b, strings.Join(list, "\n"))
}

// mdComparisons writes what fits a comment on a pull request: the counts, the rows that matter, and the others in a
// collapsed section.
func (p *view) mdComparisons(b *bytes.Buffer, s *result.Result) {
	for i := range p.versus {
		p.mdVersus(b, &p.versus[i])
	}
	for _, x := range p.sections(s) {
		mdSection(b, x)
	}
	for _, l := range p.lacking {
		markdown.Paragraph(b, "not compared: "+markdown.Text(l))
	}
	for _, out := range p.outputs {
		markdown.Details(b, out.of, markdown.Fenced(strings.Join(out.lines, "\n"), ""))
	}
	if p.Verbose {
		var all bytes.Buffer
		p.addResults(s)
		p.mdResults(&all)
		markdown.Details(b, "results of each side", strings.TrimSpace(all.String()))
	}
	markdown.Notes(b, s, &p.notes, p.Verbose)
	markdown.Items(b, "sides: ", p.sides(s))
	markdown.Items(b, "", header(s))
	markdown.Items(b, "tare: ", textpage.Overhead(s.Tare, p.Verbose))
	markdown.Repeat(b, s)
}

func (p *view) mdVersus(b *bytes.Buffer, v *versus) {
	var words []string
	for _, c := range v.counts {
		words = append(words, c.String())
	}
	headline := strings.Join(words, textpage.Sep)
	if len(p.versus) > 1 {
		headline = markdown.Text(v.side+" against "+v.base) + ": " + headline
	}
	markdown.Paragraph(b, "**"+headline+"**")

	rest := map[string]int{}
	for _, bl := range v.blocks {
		for _, x := range bl.pairs {
			if !x.matters() {
				rest[verdictWord(x.main.c.Verdict)]++
			}
		}
	}
	failed := p.mdBroken(v)
	if n := p.mdPairs(b, v, true, failed); n > 0 {
		b.WriteByte('\n')
	}
	if len(rest) > 0 {
		var folded bytes.Buffer
		p.mdPairs(&folded, v, false, nil)
		var title []string
		for _, c := range v.counts {
			if rest[c.what] > 0 {
				title = append(title, count{n: rest[c.what], what: c.what}.String())
			}
		}
		markdown.Details(b, strings.Join(title, textpage.Sep), strings.TrimRight(folded.String(), "\n"))
	}
	var lines []string
	for i := range v.geomeans {
		g := &v.geomeans[i]
		text := markdown.Text(g.unit) + " (descriptive): " + g.ratio
		if g.lo != "" {
			text += " (" + g.lo + units.Dots + g.hi + ")"
		}
		lines = append(lines, text)
	}
	for _, l := range v.legend {
		lines = append(lines, markdown.Text(l))
	}
	markdown.Paragraph(b, strings.Join(lines, textpage.Sep))
}

// mdBroken returns the rows of what failed on either side.
func (p *view) mdBroken(v *versus) [][]string {
	var out [][]string
	for _, x := range p.broken {
		if x.side == v.base || x.side == v.side {
			out = append(out, []string{markdown.Code(x.name), "", "", "", "", "**failed** on " + markdown.Text(x.side+": "+x.why)})
		}
	}
	return out
}

// mdPairs writes the table of the benchmarks that matter, or of those that do
// not, and returns how many it has.
func (p *view) mdPairs(b *bytes.Buffer, v *versus, matter bool, more [][]string) int {
	head := []string{"benchmark", markdown.Text(p.Middle(v.base, maxSide)), markdown.Text(p.Middle(v.side, maxSide)), "ratio", p.level + " interval", "verdict"}
	right := []bool{false, true, true, true, true, false}
	if p.Verbose {
		head = append(head, testTitles()...)
		right = append(right, slices.Repeat([]bool{true}, len(testTitles()))...)
	}
	rows := [][]string{head}
	for _, bl := range v.blocks {
		titled := false
		for i := range bl.pairs {
			x := &bl.pairs[i]
			if x.matters() != matter {
				continue
			}
			if !titled && bl.pkg != "" {
				rows = append(rows, []string{"**" + markdown.Code(bl.pkg) + "**"})
				titled = true
			}
			rows = append(rows, p.mdPair(x)...)
		}
	}
	rows = append(rows, more...)
	if len(rows) > 1 {
		markdown.Rows(b, rows, right)
	}
	return len(rows) - 1
}

// mdPair returns the rows of one benchmark.
func (p *view) mdPair(x *pair) [][]string {
	marks := p.marks(x.name, x.notes())
	var out [][]string
	if x.main != nil {
		out = append(out, p.mdRatio(markdown.Code(x.name), x.main, x.main.long, marks))
	} else {
		out = append(out, []string{markdown.Code(x.name), "", "", "", "", marks})
	}
	for i := range x.under {
		r := &x.under[i]
		out = append(out, p.mdRatio("↳ "+markdown.Code(r.unit), r, r.short, ""))
	}
	return out
}

func (p *view) mdRatio(name string, r *ratio, unit, marks string) []string {
	unit = markdown.Text(unit)
	words := r.verdict("")
	switch r.word {
	case faster, slower, more, less:
		words[0] = "**" + words[0] + "**"
	}
	verdict := strings.TrimSpace(strings.Join(words, " ") + " " + marks)
	out := []string{
		name, strings.TrimSpace(r.old + " " + unit), strings.TrimSpace(r.new + " " + unit), r.ratio, r.words(), verdict,
	}
	if p.Verbose {
		out = append(out, test(r)...)
	}
	return out
}
