package textpage

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
)

// Notes are the warnings about what a text shows: those about the machine, about the whole
// run, and about single rows. Those of one kind become one note, with the rows it is about.
// The zero value is empty.
type Notes struct {
	about []note // the run and the machine
	kinds []note // rows; the mark of a note is its place
	rows  map[string]bool
}

// note is a kind of warning, with all that was said of it.
type note struct {
	code, advice string
	warnings     []rowWarning
}

// rowWarning is a warning about a row, or about the run.
type rowWarning struct {
	row string
	result.Warning
}

// name returns the row with its side.
func (d rowWarning) name() string {
	if d.Side == "" {
		return d.row
	}
	return d.row + " (" + d.Side + ")"
}

// Run adds warnings about the whole run.
func (n *Notes) Run(ws ...result.Warning) {
	for _, w := range ws {
		add(&n.about, "", w)
	}
}

// Row adds the warnings about a row, and returns the numbers of their notes, from 1. A row
// without warnings is to be added too: notes say of how many rows they are about how many.
func (n *Notes) Row(name string, ws []result.Warning) (numbers []int) {
	if n.rows == nil {
		n.rows = map[string]bool{}
	}
	n.rows[name] = true
	for _, w := range ws {
		if i := add(&n.kinds, name, w) + 1; !slices.Contains(numbers, i) {
			numbers = append(numbers, i)
		}
	}
	slices.Sort(numbers)
	return numbers
}

// mostOfKind is how many notes of one kind about the run are shown one by one without -v.
const mostOfKind = 3

// figures matches what differs from row to row in a text of one kind.
var figures = regexp.MustCompile(`[0-9][0-9.,]*`)

// shape returns a text without its figures, its row and its side.
func shape(row string, w result.Warning) string {
	text := w.Text
	for _, name := range []string{row, w.Side} {
		if name != "" {
			text = strings.ReplaceAll(text, name, "…")
		}
	}
	return figures.ReplaceAllString(text, "#")
}

// add puts a warning beside those of its kind, and returns the place of the kind. Warnings that
// have a code with a name are of one kind if that is the same, others if they have the same
// words, but for figures and the row itself.
func add(kinds *[]note, row string, w result.Warning) int {
	same := func(k note) bool {
		if diagnosis.Of(w.Code).Name != "" {
			return k.code == w.Code
		}
		if row == "" {
			return k.code == w.Code && (k.code != "" || k.warnings[0].Text == w.Text)
		}
		first := k.warnings[0]
		return diagnosis.Of(k.code).Name == "" && k.advice == w.Advice && (first.Text == w.Text || k.code == w.Code && shape(first.row, first.Warning) == shape(row, w))
	}
	i := slices.IndexFunc(*kinds, same)
	if i < 0 {
		i = len(*kinds)
		*kinds = append(*kinds, note{code: w.Code, advice: w.Advice})
	}
	k := &(*kinds)[i]
	if !slices.ContainsFunc(k.warnings, func(d rowWarning) bool { return d.row == row && d.Side == w.Side && d.Text == w.Text }) {
		k.warnings = append(k.warnings, rowWarning{row, w})
	}
	return i
}

// Marks adds the warnings about a row, and returns the marks of their notes.
func (p *Page) Marks(n *Notes, row string, ws []result.Warning) string {
	var out []string
	for _, i := range n.Row(row, ws) {
		out = append(out, p.Mark(i))
	}
	return strings.Join(out, " ")
}

// Note is a note as it is written.
type Note struct {
	Number       int      // its mark; 0 for one that is about the run
	Machine      bool     // it is about the machine
	Text, Advice string   // for people, not yet printable
	Rows         []Note   // with the whole text for each row: only if that is wanted
	Names        []string // of the rows that it is about
}

// List returns the notes in the order in which they are written: first what is about the
// machine, then the run, then rows. With verbose, a note of several texts has them all.
func (n *Notes) List(verbose bool) []Note {
	var out []Note
	about := slices.Clone(n.about)
	slices.SortStableFunc(about, func(a, b note) int { return cmp.Compare(rank(a.code), rank(b.code)) })
	busy := false
	for _, k := range about {
		machine := diagnosis.Of(k.code).Machine
		busy = busy || machine
		shown := k.warnings
		if len(shown) > mostOfKind && !verbose {
			shown = shown[:1]
		}
		for _, text := range distinct(shown, func(d rowWarning) string { return d.Text }) {
			same := slices.DeleteFunc(slices.Clone(shown), func(d rowWarning) bool { return d.Text != text })
			d := same[0]
			text = sides(same) + text
			if more := len(k.warnings) - len(shown); more > 0 {
				text += fmt.Sprintf(" (and %s of this kind: -v has all)", units.Plural(more, "more note"))
			}
			out = append(out, Note{Machine: machine, Text: text, Advice: d.Advice})
		}
	}
	for i, k := range n.kinds {
		note := n.kind(k, verbose)
		note.Number, note.Names = i+1, distinct(k.warnings, rowWarning.name)
		if busy && diagnosis.Of(k.code).MachineMayCause {
			note.Advice = "the machine may be the cause: see above, and measure again when it is quiet"
		}
		out = append(out, note)
	}
	seen := map[string]int{} // advice, and the note that has it
	for i := range out {
		o := &out[i]
		if at := seen[o.Advice]; o.Advice != "" && o.Number > 0 && at > 0 {
			o.Advice = fmt.Sprintf("as note %d", at)
		} else if o.Number > 0 {
			seen[o.Advice] = o.Number
		}
	}
	return out
}

// rank puts the warnings about the machine before others.
func rank(code string) int {
	if diagnosis.Of(code).Machine {
		return 0
	}
	return 1
}

// kind returns a note about rows: the text itself if there is one, else what kind it is, of how
// many rows, and where it is worst.
func (n *Notes) kind(k note, verbose bool) Note {
	rows := distinct(k.warnings, func(d rowWarning) string { return d.row })
	texts := distinct(k.warnings, func(d rowWarning) string { return d.Text })
	of := "all rows"
	if len(rows) < len(n.rows) {
		of = fmt.Sprintf("%d of %s", len(rows), units.Plural(len(n.rows), "row"))
	}
	switch {
	case len(texts) == 1 && len(rows) == 1:
		return Note{Text: sides(k.warnings) + texts[0], Advice: k.advice}
	case len(texts) == 1:
		return Note{Text: sides(k.warnings) + texts[0] + " (" + of + ")", Advice: k.advice}
	case len(rows) == 1:
		said := distinct(k.warnings, func(d rowWarning) string { return sides([]rowWarning{d}) + d.Text })
		return Note{Text: strings.Join(said, "; "), Advice: k.advice}
	}
	worst := k.warnings[0]
	for _, d := range k.warnings {
		if d.Severity > worst.Severity {
			worst = d
		}
	}
	out := Note{Text: cmp.Or(diagnosis.Of(k.code).Name, worst.Text) + ": " + of, Advice: k.advice}
	switch {
	case worst.Figure != "":
		out.Text += fmt.Sprintf(" (worst %s: %s)", worst.Figure, worst.name())
	case len(rows) < len(n.rows):
		out.Text += " (" + few(distinct(k.warnings, rowWarning.name)) + ")"
	}
	if diagnosis.Of(k.code).Name == "" && !verbose {
		out.Text += "; -v has all"
	}
	if verbose {
		for _, d := range k.warnings {
			out.Rows = append(out.Rows, Note{Text: d.name() + ": " + d.Text})
		}
	}
	return out
}

// distinct returns the different texts that warnings have.
func distinct(warnings []rowWarning, text func(rowWarning) string) (out []string) {
	for _, d := range warnings {
		if s := text(d); s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// sides returns a text such as "old and new: " for warnings that name sides.
func sides(warnings []rowWarning) string {
	names := strings.Join(distinct(warnings, func(d rowWarning) string { return d.Side }), " and ")
	if names != "" {
		names += ": "
	}
	return names
}

// few returns the first names, and how many more there are.
func few(names []string) string {
	const most = 3
	shown, rest := Cut(names, most)
	out := strings.Join(shown, ", ")
	if len(rest) > 0 {
		out += " and " + units.Count(len(rest)) + " more"
	}
	return out
}

// Notes writes notes: those about the machine and the run behind a word, those about rows
// behind their marks.
func (p *Page) Notes(n *Notes) {
	for _, x := range n.List(p.Verbose) {
		head := "warning:"
		switch {
		case x.Machine:
			head = "machine:"
		case x.Number > 0:
			head = p.Mark(x.Number)
		}
		p.Note(termtext.Yellow, head, x.Text, x.Advice)
		for _, r := range x.Rows {
			p.Print(termtext.Yellow, p.hung(termtext.Pad(termtext.Width(head)), r.Text, "")...)
		}
	}
}

// Note writes one note behind a heading. Its advice follows an arrow, on a line of its own
// unless everything fits on one.
func (p *Page) Note(st termtext.Style, head, text, advice string) {
	p.Print(st, p.hung(head, text, advice)...)
}

func (p *Page) hung(head, text, advice string) []string {
	text, advice = p.Text(text), p.Text(advice)
	indent := termtext.Width(head) + 1
	arrow := ""
	if advice != "" {
		arrow = p.Text("→ ")
		if whole := head + " " + text + " " + arrow + advice; termtext.Width(whole) <= p.Columns {
			return []string{whole}
		}
	}
	var out []string
	for _, l := range termtext.Wrap(text, p.Columns-indent) {
		for _, part := range termtext.Chop(l, p.Columns-indent) {
			out = append(out, termtext.Pad(indent)+part)
		}
	}
	for i, l := range termtext.Wrap(advice, p.Columns-indent-termtext.Width(arrow)) {
		lead := arrow
		if i > 0 {
			lead = termtext.Pad(termtext.Width(arrow))
		}
		out = append(out, termtext.Pad(indent)+lead+l)
	}
	if len(out) > 0 {
		out[0] = head + out[0][termtext.Width(head):]
	}
	return out
}
