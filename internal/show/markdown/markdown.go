// Package markdown writes the parts of GitHub-flavoured Markdown that reports share:
// paragraphs, tables, notes. It is UTF-8 always, and tables line up in the source too.
package markdown

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/table"
	"github.com/tarebench/tare/internal/show/textpage"
)

// Items writes facts side by side behind a heading.
func Items(b *bytes.Buffer, head string, items []string) {
	if len(items) > 0 {
		Paragraph(b, head+Text(strings.Join(items, textpage.Sep)))
	}
}

// Notes writes the notes and why a run is partial: notes about rows as a numbered list.
func Notes(b *bytes.Buffer, s *result.Result, notes *textpage.Notes, verbose bool) {
	var list []string
	for _, n := range notes.List(verbose) {
		text := Text(n.Text)
		if n.Advice != "" {
			text += " → " + Text(n.Advice)
		}
		switch {
		case n.Machine:
			Paragraph(b, "machine: "+text)
			continue
		case n.Number == 0:
			Paragraph(b, "warning: "+text)
			continue
		}
		list = append(list, fmt.Sprintf("%d. %s", n.Number, text))
		for _, r := range n.Rows {
			list = append(list, "   - "+Text(r.Text))
		}
	}
	Paragraph(b, strings.Join(list, "\n"))
	if text := textpage.PartialWhy(s); text != "" {
		Paragraph(b, "**partial:** "+Text(text))
	}
}

// Repeat writes how to repeat the run.
func Repeat(b *bytes.Buffer, s *result.Result) {
	if args := textpage.RepeatArgs(s.Run); args != nil {
		Paragraph(b, "repeat: "+code(strings.Join(textpage.Command(charset, args, 1<<30), " "), ""))
	}
}

// charset is the charset of Markdown.
var charset = termtext.Charset{UTF8: true}

// Paragraph writes a text that is quoted already, and nothing for an empty one.
func Paragraph(b *bytes.Buffer, text string) {
	if text != "" {
		b.WriteString(text + "\n\n")
	}
}

// Tables writes the blocks of a table, each as one of its own with the columns that have
// texts in it. Lines of words stand below. subject is the title of the first column; without it
// the column is left out.
func Tables(b *bytes.Buffer, t *table.Table, subject string) {
	for _, block := range t.Blocks {
		if block.Title != "" {
			Paragraph(b, "**"+Text(block.Title)+"**")
		}
		columns := (&table.Table{Columns: t.Columns, Blocks: []table.Block{block}}).Used()
		if subject == "" {
			columns = columns[1:]
		}
		rows, right := [][]string{nil}, []bool(nil)
		for _, c := range columns {
			title := t.Columns[c].Title
			if c == 0 {
				title = subject
			}
			rows[0], right = append(rows[0], Text(title)), append(right, t.Columns[c].Kind != table.Words)
		}
		var below []string
		for _, l := range block.Lines {
			if l.Wide != "" {
				below = append(below, l.Wide)
				continue
			}
			row := cells(t, l, columns)
			for len(rows[0]) < len(row) { // words where no line has figures
				rows[0], right = append(rows[0], ""), append(right, false)
			}
			rows = append(rows, row)
		}
		if len(rows) > 1 {
			Rows(b, rows, right)
			b.WriteByte('\n')
		}
		for _, text := range below {
			Paragraph(b, Text(text))
		}
	}
}

// cells returns the cells of a line, the first of which is a name.
func cells(t *table.Table, l table.Line, columns []int) []string {
	var out []string
	for _, c := range columns {
		if c >= len(l.Cells) {
			break
		}
		ce := l.Cells[c]
		text := ce.Text
		if ce.Tail != "" {
			text += t.Columns[c].Join + ce.Tail
		}
		if c == 0 {
			out = append(out, Code(strings.TrimSpace(text)))
		} else {
			out = append(out, Text(text))
		}
	}
	if l.Rest != "" {
		out = append(out, Text(l.Rest))
	}
	return out
}

// robotWords matches words that robots obey at the beginning of a line without a mark before them: names of robots, and orders.
const robotWords = `(?i:(?:bors(?:-ng)?|homu|jenkins|zuul|azp|travis|buildkite|dependabot|renovate|mergify|mergifyio|kodiak|prow|rultor|snyk|codecov|coderabbit|pre-commit\.ci)(?:[^\w]|$)|` +
	`r[+?=](?:[^=]|$)|delegate[+=]|(?:re-?(?:test|check|run|build|try|open)|lgtm|shipit|rollup|squash|(?:un)?approved?|needs_\w+|bot_\w+|rebuild_\w+)(?:[^\w]|$)|` +
	`(?:try|merge|close|build|test)(?:$|[+-])|try |test this|ok to test|add to \w+list|ship it|check experimental|run (?:tests?|ci|all)\b|(?:backport|cherry-?pick) |i (?:have read|hereby|agree)\b)`

// order matches the beginning of a line that robots obey wherever in a comment it stands: /approve, @dependabot merge, bors r+.
var order = regexp.MustCompile(`^(?:[/@!]|` + robotWords + `)`)

// Fenced makes the lines of a text printable, and a block of code. language says how it is coloured; "": not at all. A line that
// a robot would obey is indented: robots read the text of a comment, in which a block of code is nothing special.
func Fenced(text, language string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, l := range lines {
		lines[i] = charset.Name(strings.ReplaceAll(l, "\t", "    "))
		if order.MatchString(lines[i]) {
			lines[i] = " " + lines[i]
		}
	}
	text = strings.Join(lines, "\n")
	f := Fence(text, 3)
	return f + language + "\n" + text + "\n" + f
}

// End leaves one newline at the end.
func End(b *bytes.Buffer) {
	b.Truncate(len(bytes.TrimRight(b.Bytes(), "\n")))
	b.WriteByte('\n')
}

// Details writes a text in a collapsed section.
func Details(b *bytes.Buffer, title, text string) { Paragraph(b, Folded(title, text)) }

// Folded returns a Markdown text in a collapsed section.
func Folded(title, text string) string {
	return "<details>\n<summary>" + htmlText(title) + "</summary>\n\n" + text + "\n\n</details>"
}
