package scenario

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/suggest"
	"github.com/tarebench/tare/load"
	"go.yaml.in/yaml/v3"
)

// A Problem is something wrong in a file.
type Problem struct {
	Line, Column int    // from 1
	Path         string // of the value: transactions.buy.steps[0].check
	Text         string // what is wrong, and what to do
}

// maxProblems limits the list of an error.
const maxProblems = 20

// A ParseError lists what is wrong in a file, in the order of the lines.
type ParseError struct {
	File     string
	Problems []Problem
	More     int // that are not listed
}

func (e *ParseError) Error() string {
	var b strings.Builder
	for i, p := range e.Problems {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s:%d:%d: ", e.File, p.Line, p.Column)
		if p.Path != "" {
			b.WriteString(p.Path + ": ")
		}
		b.WriteString(p.Text)
	}
	if e.More > 0 {
		fmt.Fprintf(&b, "\n%s: %d more", e.File, e.More)
	}
	return b.String()
}

// problems collects what is wrong.
type problems struct{ list []Problem }

func (p *problems) add(n *yaml.Node, path, format string, args ...any) {
	p.addAt(n, 0, path, format, args...)
}

// addAt adds a problem at a place in the text of a scalar. Places in blocks and behind escapes are
// not known: it then names the beginning.
func (p *problems) addAt(n *yaml.Node, at int, path, format string, args ...any) {
	column := n.Column
	if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0 && !strings.ContainsAny(n.Value[:min(at, len(n.Value))], "\\\"'\n") {
		column += at
		if at > 0 && n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
			column++
		}
	}
	p.list = append(p.list, Problem{max(n.Line, 1), max(column, 1), shortened(path), shortened(fmt.Sprintf(format, args...))})
}

// shortened cuts a text that repeats a long value of the file.
func shortened(text string) string {
	const most = 400
	text = load.Redact("", text) // before it is cut, as half of a secret is not found
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// err returns all problems, in the order of the file; nil if there are none.
func (p *problems) err(file string) error {
	if len(p.list) == 0 {
		return nil
	}
	slices.SortStableFunc(p.list, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	list := slices.Compact(p.list)
	n := min(len(list), maxProblems)
	return &ParseError{File: file, Problems: list[:n], More: len(list) - n}
}

// didYouMean returns "(did you mean X?)" for a word that is near a known one, or "".
func didYouMean(word string, known []string) string {
	best := suggest.Nearest(word, known, 2)
	if best == "" {
		return ""
	}
	return " (did you mean " + best + "?)"
}
