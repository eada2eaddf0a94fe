package render

import (
	"bytes"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/markdown"
	"github.com/tarebench/tare/internal/show/table"
)

// section is a table below the results, which text and Markdown have alike.
type section struct {
	table   *table.Table
	subject string   // what the first column names
	least   int      // cells of a shortened name that still tell what it is
	notes   []string // below it
	help    []string // how to read it, in a page
}

// sections returns all that a result has: with all, the details too.
func (p *view) sections(s *result.Result) []section {
	all := p.Verbose
	var out []section
	for _, x := range []struct {
		section
		help []string
	}{
		{p.complexity(s, all), helpGrowth},
		{p.goroutines(s, all), helpGoroutines}, {p.waitDifferences(s, all), helpWaits}, {p.waits(s, all), helpWaits},
		{p.heaps(s, all), helpHeap}, {p.allocs(s, all), helpAllocs}, {p.allocChanges(s, all), helpAllocs},
		{p.instructionChanges(s, all), helpInstructions}, {p.instructions(s, all), helpInstructions},
		{p.sampled(s, all), helpSampled}, {p.traced(s, all), helpTraced},
		{p.compiled(s, all), helpCompiler}, {p.compilerDifferences(s, all), helpCompiler},
	} {
		if len(x.table.Blocks) > 0 {
			x.section.help = x.help
			out = append(out, x.section)
		}
	}
	return out
}

// section writes a section as text.
func (t *textReport) section(x section) {
	t.Table(x.table.Fit(t.Charset, t.Columns, x.least))
	for _, n := range x.notes {
		t.Items(termtext.Dim, n)
	}
	t.Blank()
}

// mdSection writes a section in Markdown.
func mdSection(b *bytes.Buffer, x section) {
	markdown.Tables(b, x.table, x.subject)
	for _, n := range x.notes {
		markdown.Paragraph(b, markdown.Text(n))
	}
}
