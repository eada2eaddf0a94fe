package render

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/render/page"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/units"
)

// mdComparisons writes what fits a comment on a pull request: the counts, the
// rows that matter, and the rest folded away.
func (p *view) mdComparisons(b *bytes.Buffer, s *result.Result) {
	for i := range p.versus {
		p.mdVersus(b, &p.versus[i])
	}
	for _, x := range p.sections(s) {
		mdSection(b, x)
	}
	for _, l := range p.lacking {
		paragraph(b, "not compared: "+mdText(l))
	}
	for _, out := range p.outputs {
		details(b, out.of, out.fenced())
	}
	if p.Verbose {
		var all bytes.Buffer
		p.addResults(s)
		p.mdResults(&all)
		details(b, "results of each side", strings.TrimSpace(all.String()))
	}
	p.mdNotes(b, s)
	mdItems(b, "sides: ", p.sides(s))
	mdItems(b, "", header(s))
	mdItems(b, "tare: ", overhead(s.Tare, p.Verbose))
	mdRepeat(b, s)
}

func (p *view) mdVersus(b *bytes.Buffer, v *versus) {
	var words []string
	for _, c := range v.counts {
		words = append(words, c.String())
	}
	headline := strings.Join(words, page.Sep)
	if len(p.versus) > 1 {
		headline = mdText(v.side+" against "+v.base) + ": " + headline
	}
	paragraph(b, "**"+headline+"**")

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
		details(b, strings.Join(title, page.Sep), strings.TrimRight(folded.String(), "\n"))
	}
	var lines []string
	for i := range v.geomeans {
		g := &v.geomeans[i]
		text := mdText(g.unit) + " (descriptive): " + g.ratio
		if g.lo != "" {
			text += " (" + g.lo + units.Dots + g.hi + ")"
		}
		lines = append(lines, text)
	}
	for _, l := range v.legend {
		lines = append(lines, mdText(l))
	}
	paragraph(b, strings.Join(lines, page.Sep))
}

// mdBroken are the rows of what failed on either side.
func (p *view) mdBroken(v *versus) [][]string {
	var out [][]string
	for _, x := range p.broken {
		if x.side == v.base || x.side == v.side {
			out = append(out, []string{mdCode(x.name), "", "", "", "", "**failed** on " + mdText(x.side+": "+x.why)})
		}
	}
	return out
}

// mdPairs writes the table of the benchmarks that matter, or of those that do
// not, and returns how many it has.
func (p *view) mdPairs(b *bytes.Buffer, v *versus, matter bool, more [][]string) int {
	head := []string{"benchmark", mdText(p.Middle(v.base, maxSide)), mdText(p.Middle(v.side, maxSide)), "ratio", p.level + " interval", "verdict"}
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
			if !titled {
				rows = append(rows, []string{"**" + mdCode(bl.pkg) + "**"})
				titled = true
			}
			rows = append(rows, p.mdPair(x)...)
		}
	}
	rows = append(rows, more...)
	if len(rows) > 1 {
		mdRows(b, rows, right)
	}
	return len(rows) - 1
}

// mdPair are the rows of one benchmark.
func (p *view) mdPair(x *pair) [][]string {
	marks := p.marks(x.name, x.notes())
	var out [][]string
	if x.main != nil {
		out = append(out, p.mdRatio(mdCode(x.name), x.main, x.main.long, marks))
	} else {
		out = append(out, []string{mdCode(x.name), "", "", "", "", marks})
	}
	for i := range x.under {
		r := &x.under[i]
		out = append(out, p.mdRatio("↳ "+mdCode(r.unit), r, r.short, ""))
	}
	return out
}

func (p *view) mdRatio(name string, r *ratio, unit, marks string) []string {
	unit = mdText(unit)
	interval := r.note
	if r.lo != "" {
		interval = r.lo + units.Dots + r.hi
	}
	words := r.verdict("")
	switch r.word {
	case faster, slower, more, less:
		words[0] = "**" + words[0] + "**"
	}
	verdict := strings.TrimSpace(strings.Join(words, " ") + " " + marks)
	out := []string{
		name, strings.TrimSpace(r.old + " " + unit), strings.TrimSpace(r.new + " " + unit), r.ratio, interval, verdict,
	}
	if p.Verbose {
		out = append(out, test(r)...)
	}
	return out
}

// details folds a text away.
func details(b *bytes.Buffer, title, text string) {
	paragraph(b, "<details>\n<summary>"+entities(title)+"</summary>\n\n"+text+"\n\n</details>")
}
