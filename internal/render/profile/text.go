package profile

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/termtext"
)

// Options say how a table for people looks. The zero value is fit for a file that any
// program may read.
type Options struct {
	Width int  // columns; 0 is 100, and less than 60 counts as 60
	Top   int  // functions and paths at most; 0 is 20, and less than 0 is all
	UTF8  bool // characters beyond ASCII
	Color bool // ANSI attributes: titles are bold
	Path  bool // with "parent > function", if it is known what was seen twice in a row
}

const defaultTop = 20

// text is a table that is being written.
type text struct {
	*termtext.Page
	top       int
	chars     termtext.Charset
	pm, micro string
}

// newText is an empty one.
func newText(o Options) *text {
	if o.Top == 0 {
		o.Top = defaultTop
	}
	c := termtext.Charset{UTF8: o.UTF8}
	return &text{Page: termtext.NewPage(o.Width, o.Color), top: o.Top, chars: c, pm: c.Text("±"), micro: c.Text("µs")}
}

// Text writes how the profile was taken, the hottest functions, states and reasons to
// wait, what is not in it, and the warnings. An error of w is returned wrapped.
func (v *View) Text(w io.Writer, o Options) error {
	t := newText(o)
	t.header(v)
	if v.Total == 0 {
		t.empty(v)
	} else {
		t.functions(v)
		t.reasons(v)
		if o.Path {
			t.path(v)
		}
	}
	t.blind(v)
	t.warn(v.warnings)
	return t.to(w)
}

// functions is the table of the hottest ones.
func (t *text) functions(v *View) {
	title := []string{"function", "self", "share", "total", "share"}
	if v.CountType != "" {
		title = append(title, v.CountType)
	}
	rows := [][]string{title}
	shown, rest := cut(v.Functions, t.top)
	for _, f := range shown {
		row := []string{f.Name, t.value(f.Self, v.Unit), t.share(v.Share(f.Self), f.SelfError), t.value(f.Total, v.Unit), t.share(v.Share(f.Total), f.TotalError)}
		if v.CountType != "" {
			row = append(row, t.value(f.Count, "count"))
		}
		rows = append(rows, row)
	}
	t.table(rows)
	if len(rest) > 0 {
		var sum int64
		for _, f := range rest {
			sum += f.Self
		}
		t.say("%d more functions: %s self", len(rest), t.share(v.Share(sum), 0))
	}
	if v.several() {
		states := ""
		if len(v.states) > 0 {
			states = " " + strings.Join(v.states, " or ")
		}
		t.say("share: of the time of all goroutines%s, %s", states, t.value(v.Total, v.Unit))
	}
	if v.how != nil {
		t.say("%s: standard error, by chance alone", t.pm)
	}
	t.Print(termtext.Normal, "")
}

// reasons is the table of states and reasons to wait, with where most of each is.
func (t *text) reasons(v *View) {
	if len(v.Reasons) == 0 {
		return
	}
	rows := [][]string{{"state", t.noun(v), "share", "most of it in"}}
	for _, r := range v.Reasons {
		name := r.State
		if r.Reason != "" {
			name += ": " + r.Reason
		}
		rows = append(rows, []string{name, t.value(r.Value, v.Unit), t.share(v.Share(r.Value), 0), r.Functions[0].Name})
	}
	t.table(rows)
	t.Print(termtext.Normal, "")
}

// noun is what the values of a view are.
func (t *text) noun(v *View) string {
	if v.Unit == "nanoseconds" {
		return "time"
	}
	return v.Type
}

// path is the table of callers and functions that were seen twice in a row.
func (t *text) path(v *View) {
	if len(v.Edges) == 0 && v.how == nil {
		return // all was seen
	}
	if len(v.Edges) == 0 {
		t.say("nothing was seen in two looks in a row, or it is not known whether it was")
		t.Print(termtext.Normal, "")
		return
	}
	rows := [][]string{{"parent > function", "seen twice in a row"}}
	shown, rest := cut(v.Edges, t.top)
	for _, e := range shown {
		name := e.Function
		if e.Parent != "" {
			name = e.Parent + " > " + name
		}
		rows = append(rows, []string{name, t.value(e.Value, "nanoseconds")})
	}
	t.table(rows)
	if len(rest) > 0 {
		t.say("%d more", len(rest))
	}
	t.Print(termtext.Normal, "")
}

// cut divides a list into what is shown and the rest; a line for one more is no longer
// than one that says so.
func cut[T any](list []T, top int) (shown, rest []T) {
	if top < 0 || len(list) <= top+1 {
		return list, nil
	}
	return list[:top], list[top:]
}

// table writes rows, the first of which is the title. The first column, and a last one of
// names, begin at the left; the first takes what room there is. Where the others have none, the
// last ones are named instead.
func (t *text) table(rows [][]string) {
	names := len(rows[0]) - 1
	if len(rows[0]) != 4 {
		names = -1
	}
	sizes := make([]int, len(rows[0]))
	for _, r := range rows {
		for i, c := range r {
			r[i] = t.chars.Name(c)
			sizes[i] = max(sizes[i], termtext.Width(r[i]))
		}
	}
	const gap = 2
	const least = 20 // columns of a name
	columns, used := 1, 0
	for _, n := range sizes[1:] {
		if used+n+gap > t.Columns-min(sizes[0], least) && columns != names {
			break
		}
		used += n + gap
		columns++
	}
	if columns == names+1 && used > t.Columns-least {
		used -= sizes[names] // which is shortened itself
	}
	sizes[0] = min(sizes[0], max(t.Columns-used, least))
	for n, r := range rows {
		var b strings.Builder
		for i, c := range r[:columns] {
			switch {
			case i == 0:
				b.WriteString(termtext.Left(t.shorten(c, sizes[0]), sizes[0]))
			case i == names:
				used := termtext.Width(b.String()) + gap
				b.WriteString(termtext.Pad(gap) + t.shorten(c, max(t.Columns-used, least)))
			default:
				b.WriteString(termtext.Pad(gap) + termtext.Right(c, sizes[i]))
			}
		}
		row := t.middle(strings.TrimRight(b.String(), " "), t.Columns)
		st := termtext.Normal
		if n == 0 {
			st = termtext.Bold
		}
		t.Print(st, row)
	}
	if gone := apartTitles(rows[0])[columns:]; len(gone) > 0 {
		t.say("not shown in %d columns: %s", t.Columns, strings.Join(gone, ", "))
	}
}

// apartTitles tells columns of the same title by the ones before them.
func apartTitles(titles []string) []string {
	out := slices.Clone(titles)
	for i, s := range titles {
		if i > 0 && (slices.Contains(titles[:i], s) || slices.Contains(titles[i+1:], s)) {
			out[i] = titles[i-1] + "'s " + s
		}
	}
	return out
}

// shorten leaves out of a name that is too long the path of its package, and then what is in
// the middle: its end tells most.
func (t *text) shorten(s string, room int) string {
	if termtext.Width(s) <= room {
		return s
	}
	return t.middle(withoutPaths(s), room)
}

// middle cuts a text that is too long: its end tells most.
func (t *text) middle(s string, room int) string { return t.chars.Cut(s, room, termtext.NearTheFront) }

// say writes a sentence, over as many lines as it needs.
func (t *text) say(format string, args ...any) {
	t.Print(termtext.Normal, t.chars.Fit(t.chars.Text(fmt.Sprintf(format, args...)), t.Columns)...)
}
