package render

import (
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/termtext"
)

// notes are the footnotes under a table: doubts about single rows, each printed
// once however many rows share it.
type notes struct{ list []result.Warning }

// add returns the number of w's footnote, from 1.
func (n *notes) add(w result.Warning) int {
	w.Code = "" // not printed: two codes with the same words are one note
	if i := slices.Index(n.list, w); i >= 0 {
		return i + 1
	}
	n.list = append(n.list, w)
	return len(n.list)
}

// brief are the notes with each piece of advice spelled out once: a later note
// with the same advice points at the first that has it.
func (n *notes) brief(mark func(int) string) []result.Warning {
	out := slices.Clone(n.list)
	first := map[string]int{}
	for i, w := range out {
		if w.Advice == "" {
			continue
		}
		if at, told := first[w.Advice]; told {
			out[i].Advice = "as " + mark(at+1)
		} else {
			first[w.Advice] = i
		}
	}
	return out
}

// marks are the marks of a row's warnings, in the order of their numbers.
func (n *notes) marks(g glyphs, ws []result.Warning) string {
	var nums []int
	for _, w := range ws {
		nums = append(nums, n.add(w))
	}
	slices.Sort(nums)
	var out []string
	for _, i := range slices.Compact(nums) {
		out = append(out, g.mark(i))
	}
	return strings.Join(out, " ")
}

// doubt writes a warning behind its mark or heading, wrapped to n columns. The
// advice follows an arrow, on a line of its own unless everything fits on one.
func (g glyphs) doubt(head string, w result.Warning, n int) []string {
	text, advice := g.Text(w.Text), g.Text(w.Advice)
	indent := termtext.Width(head) + 1
	whole := text
	if advice != "" {
		advice = g.arrow + " " + advice
		whole += " " + advice
	}
	var out []string
	if indent+termtext.Width(whole) <= n {
		return []string{head + " " + whole}
	}
	for _, l := range termtext.Wrap(text, n-indent) {
		out = append(out, termtext.Pad(indent)+l)
	}
	hang := termtext.Width(g.arrow) + 1
	for i, l := range termtext.Wrap(strings.TrimPrefix(advice, g.arrow+" "), n-indent-hang) {
		lead := termtext.Pad(hang)
		if i == 0 {
			lead = g.arrow + " "
		}
		out = append(out, termtext.Pad(indent)+lead+l)
	}
	if len(out) > 0 {
		out[0] = head + out[0][termtext.Width(head):]
	}
	return out
}
