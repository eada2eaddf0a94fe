package loadtext

import (
	"fmt"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/show/table"
	"github.com/tarebench/tare/internal/show/textpage"
	"github.com/tarebench/tare/record"
)

// fewSlowest is how many of the slowest operations a text lists unless it is verbose.
const fewSlowest = 5

// slowest prints the operations that took longest.
func (t *view) slowest(all []record.SlowOperation, closed bool) {
	if len(all) == 0 {
		return
	}
	shown := t.fewest(all)
	tb := SlowestTable(shown, closed, t.Charset)
	if more := len(all) - len(shown); more > 0 {
		tb.Add(table.Line{Wide: fmt.Sprintf("and %d more with -v", more), Indent: 2, Style: termtext.Dim})
	}
	t.Blank()
	t.Table(tb.Fit(t.Charset, t.Columns, textpage.LeastName))
	t.Blank()
}

// fewest returns the first of the slowest operations, or all if verbose is set.
func (t *view) fewest(all []record.SlowOperation) []record.SlowOperation {
	if t.Verbose {
		return all
	}
	return all[:min(len(all), fewSlowest)]
}

// SlowestTable returns a table of operations. closed says that they were never due.
func SlowestTable(all []record.SlowOperation, closed bool, cs termtext.Charset) *table.Table {
	const widest = 40
	tb := &table.Table{Columns: []table.Column{{Title: "slowest"}, {Max: widest, Drop: 3}}}
	titles := []string{"due at", "waited", "service", "response"}
	if closed {
		titles = []string{"sent at", "service"}
	}
	for _, title := range titles {
		col := table.Column{Title: title, Kind: table.Right}
		if title == "waited" {
			col.Drop, col.Quiet = 2, true
		}
		tb.Columns = append(tb.Columns, col)
	}
	for i := range all {
		o := &all[i]
		cells := []table.Cell{{Text: "  " + cs.Text(o.Name)}, {Text: cs.Text(o.Key)}, {Text: second(o.Due)}}
		if !closed {
			cells = append(cells, table.Cell{Text: units.Time(o.Start - o.Due)})
		}
		cells = append(cells, atLeast(o, o.Service()))
		if !closed {
			cells = append(cells, atLeast(o, o.Response()))
		}
		tb.Add(table.Line{Cells: cells, Rest: cs.Text(strings.Join(SlowWords(o), ", "))})
	}
	return tb
}

// second returns a time since the start of a run to the millisecond.
func second(ns int64) string { return units.Fixed(float64(ns)/1e9, 3) + " s" }

// atLeast shows a time of an operation: with > if it was given up.
func atLeast(o *record.SlowOperation, ns int64) table.Cell {
	if o.Unanswered {
		return table.Cell{Text: "> " + units.Time(ns), Style: termtext.Yellow}
	}
	return table.Cell{Text: units.Time(ns)}
}

// SlowWords returns how an operation ended, unless it was well, and what took longest in it.
func SlowWords(o *record.SlowOperation) (words []string) {
	switch {
	case o.Unanswered:
		words = append(words, "unanswered")
	case o.Class != "":
		words = append(words, strings.TrimSpace(o.Class+" "+o.Status))
	}
	if o.Part != "" {
		words = append(words, o.Part+" "+units.Time(o.PartTime))
	}
	if o.Paused > 0 {
		words = append(words, "pauses of "+units.Time(o.Paused)+" not counted")
	}
	return words
}

// SlowLine returns one of the slowest operations in one line.
func SlowLine(o *record.SlowOperation, closed bool) string {
	took := o.Response()
	if closed {
		took = o.Service()
	}
	text := units.Time(took)
	if o.Unanswered {
		text = "> " + text
	}
	text += " " + o.Name
	if o.Key != "" {
		text += " " + o.Key
	}
	return strings.Join(append([]string{text + " at " + second(o.Due)}, SlowWords(o)...), ", ")
}
