package whytext

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/tarebench/tare/internal/show/markdown"
	"github.com/tarebench/tare/internal/show/textpage"
)

// Markdown writes rows for a pull request. none is what to say where there are none.
func Markdown(w io.Writer, rows []Row, none string) error {
	var b bytes.Buffer
	for i := range rows {
		md{&b, &rows[i]}.row()
	}
	if len(rows) == 0 {
		markdown.Paragraph(&b, markdown.Text(none))
	}
	markdown.End(&b)
	_, err := b.WriteTo(w)
	return err
}

type md struct {
	b *bytes.Buffer
	*Row
}

func (m md) row() {
	verdict, values := m.Headline()
	markdown.Paragraph(m.b, "### "+markdown.Code(m.Title)+": "+markdown.Text(verdict))
	markdown.Items(m.b, "", items(m.Pkg, values, m.Shares()))
	for _, r := range m.Remarks() {
		markdown.Paragraph(m.b, markdown.Text(r))
	}
	m.table()
	markdown.Paragraph(m.b, markdown.Text(m.None()))
	for _, n := range m.Answer.Notes {
		markdown.Paragraph(m.b, markdown.Text(n))
	}
	m.hunks()
	markdown.Paragraph(m.b, markdown.Text(m.Lacking()))
	if m.Next != "" {
		markdown.Paragraph(m.b, "next: "+markdown.Code(strings.ReplaceAll(m.Next, "\t", " ")))
	}
}

func items(list ...string) (out []string) {
	for _, s := range list {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

// table writes the causes, and what is left.
func (m md) table() {
	rows := [][]string{{"", "cause", "explains", "where", "evidence"}}
	for i := range m.Answer.Causes {
		c := &m.Answer.Causes[i]
		evidence := strings.Join(items(append([]string{Sure(c)}, c.Evidence...)...), textpage.Sep)
		rows = append(rows, []string{fmt.Sprint(i + 1), markdown.Text(c.What), markdown.Text(Explains(c)), markdown.Text(Places(c.Place)), markdown.Text(evidence)})
	}
	if rest := m.Rest(); rest != "" {
		rows = append(rows, []string{"", "not explained", markdown.Text(rest), "", ""})
	}
	if len(rows) > 1 {
		markdown.Rows(m.b, rows, []bool{true, false, false, false, false})
		m.b.WriteByte('\n')
	}
}

// hunks writes the parts of the change in collapsed sections, each once.
func (m md) hunks() {
	for i := range m.Answer.Causes {
		var parts []string
		for _, h := range m.hunksOf(i) {
			if before := m.shownAt(i, h); before < 0 {
				parts = append(parts, fenced(plain(h)))
			}
		}
		if len(parts) > 0 {
			markdown.Details(m.b, fmt.Sprintf("cause %d: the part of the change", i+1), strings.Join(parts, "\n\n"))
		}
	}
	for _, h := range m.Changed {
		markdown.Details(m.b, m.little(), fenced(plain(h)))
	}
}

// fenced returns a hunk as a block of code that is coloured as a diff.
func fenced(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t")
	}
	return markdown.Fenced(strings.Join(lines, "\n"), "diff")
}
