package profile

import (
	"io"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/show/table"
	"github.com/tarebench/tare/internal/show/textpage"
	"github.com/tarebench/tare/record"
)

// Options say how a text for people looks.
type Options = textpage.Options

const defaultTop = 20

const blockedTitle = "blocked" // of a column

// text is a text that is being written.
type text struct {
	*textpage.Page
	top int
}

func newText(o Options, c Config) *text {
	if c.Top == 0 {
		c.Top = defaultTop
	}
	return &text{Page: textpage.New(o), top: c.Top}
}

// Text writes how the profile was taken, the hottest functions, states and reasons to
// wait, what is not in it, and the warnings. An error of w is returned wrapped.
func (v *View) Text(w io.Writer, o Options) error {
	t := newText(o, v.cfg)
	machine, others := split(v.warnings)
	t.Warn(machine)
	t.Blank()
	t.header(v)
	if v.Total == 0 {
		t.empty(v)
	} else {
		t.functions(v)
		t.peeks(v)
		t.reasons(v)
		if v.cfg.Path {
			t.path(v)
		}
	}
	t.blind(v)
	t.Warn(others)
	return t.Flush(w)
}

// TextFunctions writes the functions, and callers and callees of those that [Config.Peek] names, without what [View.Text]
// says around them. An error of w is returned wrapped.
func (v *View) TextFunctions(w io.Writer, o Options) error {
	t := newText(o, v.cfg)
	if v.cfg.Narrows() || v.cfg.Peek == nil {
		t.functions(v)
	}
	t.peeks(v)
	return t.Flush(w)
}

// functions is the table of the hottest ones.
func (t *text) functions(v *View) {
	excluded := v.ExcludesBlocked()
	title := []string{"function", "self", "share", "total", "share"}
	if excluded {
		title = append(title, blockedTitle)
	}
	if v.CountType != "" {
		title = append(title, v.CountType)
	}
	rows := [][]string{title}
	shown, rest := cutTop(v.rows(), t.top)
	for _, f := range shown {
		row := []string{f.Name, value(f.Self, v.Unit), share(v.shareShown(f.Self), f.SelfError), value(f.Total, v.Unit), share(v.shareShown(f.Total), f.TotalError)}
		if excluded {
			row = append(row, value(f.BlockedTotal, v.Unit))
		}
		if v.CountType != "" {
			row = append(row, value(f.Count, "count"))
		}
		rows = append(rows, row)
	}
	if len(shown) > 0 {
		t.table(rows)
	}
	if len(rest) > 0 {
		var sum int64
		for _, f := range rest {
			sum += f.Self
		}
		t.say("%d more functions: %s self", len(rest), share(v.shareShown(sum), 0))
	}
	t.shares(v, excluded)
	t.kept(v, "")
	t.Blank()
}

// shares says what the shares of the table are of, and what is not in it.
func (t *text) shares(v *View, excluded bool) {
	switch {
	case excluded:
		t.say("self, total, share: without blocked time; all goroutines ran for %s and were blocked for %s", value(v.Shown, v.Unit), value(v.Blocked, v.Unit))
		t.say("blocked: waiting for a channel, a lock, a timer or the network, here or in a callee; --blocked includes it in self and total")
	case v.several():
		t.say("share: of the time of all goroutines, %s", value(v.Shown, v.Unit))
	}
	if v.Harness > 0 {
		t.say("excluded: %s in which package testing waited for what it runs", value(v.Harness, v.Unit))
	}
	if v.how != nil {
		t.say("%s: standard error, by chance alone", "±")
	}
}

// reasons is the table of states and reasons to wait, with where most of each is.
func (t *text) reasons(v *View) {
	reasons, all := v.Reasons, v.Total-v.Harness
	if v.Harness > 0 {
		reasons = v.reasonsOf(v.only(running, blocked))
	}
	if len(reasons) == 0 {
		return
	}
	rows := [][]string{{"state", t.noun(v), "share", "most of it in"}}
	for _, r := range reasons {
		name := r.State
		if r.Reason != "" {
			name += ": " + r.Reason
		}
		if r.State == record.StateRunning && v.how != nil && v.how.Waited() > 0 {
			name += " (upper bound)"
		}
		rows = append(rows, []string{name, value(r.Value, v.Unit), share(shareOf(r.Value, all), 0), r.Functions[0].Name})
	}
	t.table(rows)
	t.Blank()
}

// noun returns what the values of a view are.
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
		t.say("no function was in two samples in a row, or which were is not known")
		t.Blank()
		return
	}
	excluded := v.ExcludesBlocked()
	title := []string{"parent > function", "seen twice in a row"}
	if excluded {
		title = append(title, blockedTitle)
	}
	rows := [][]string{title}
	shown, rest := cutTop(v.shownEdges(), t.top)
	for _, e := range shown {
		name := e.Function
		if e.Parent != "" {
			name = e.Parent + " > " + name
		}
		row := []string{name, value(e.Running+e.Blocked, "nanoseconds")}
		if excluded {
			row = []string{name, value(e.Running, "nanoseconds"), value(e.Blocked, "nanoseconds")}
		}
		rows = append(rows, row)
	}
	t.table(rows)
	if len(rest) > 0 {
		t.say("%d more", len(rest))
	}
	t.Blank()
}

// cutTop is textpage.Cut, except that a negative top means all.
func cutTop[T any](list []T, top int) (shown, rest []T) {
	if top < 0 {
		return list, nil
	}
	return textpage.Cut(list, top)
}

// table writes rows, the first of which is the title. The first column is of names, and so is a
// last one of four.
func (t *text) table(rows [][]string) {
	const names, least = 4, 20 // columns of a table whose last are names; cells of a name
	tb := &table.Table{Short: withoutPaths}
	for i, title := range rows[0] {
		c := table.Column{Title: title, Kind: table.Right, Drop: len(rows[0]) - i}
		if i == 0 || i == names-1 && len(rows[0]) == names {
			c.Kind = table.Words
		}
		switch {
		case i < 2:
			c.Drop = 0
		case title == blockedTitle: // the last to be dropped
			c.Drop = len(rows[0])
		}
		tb.Columns = append(tb.Columns, c)
	}
	for _, r := range rows[1:] {
		for i := range r {
			if tb.Columns[i].Kind == table.Words {
				r[i] = t.Name(r[i])
			}
			if most := t.Columns / 3; i == names-1 && tb.Columns[i].Kind == table.Words && termtext.Width(r[i]) > most {
				r[i] = t.Middle(withoutPaths(r[i]), most)
			}
		}
		tb.Row(r...)
	}
	t.Table(tb.Fit(t.Charset, t.Columns, least))
}

// say writes a sentence, over as many lines as it needs.
func (t *text) say(format string, args ...any) { t.Para(termtext.Normal, format, args...) }
