package loadtext

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/table"
	"github.com/tarebench/tare/internal/show/textpage"
)

// errors prints the failures, each with its share and its first error.
func (t *view) errors(fs []result.Failure) {
	tb := &table.Table{Columns: []table.Column{{}, {Kind: table.Right}, {Kind: table.Right}}}
	for _, f := range fs {
		l := table.Line{Cells: []table.Cell{
			{Text: "  " + t.Text(strings.TrimSpace(f.Name+" "+wayOf(f)))}, {Text: units.Count(f.Count)}, {Text: Share(f.Share)},
		}}
		if f.First != "" {
			l.Rest = "first: " + t.Text(f.First)
		}
		tb.Add(l)
	}
	t.Table(tb.Fit(t.Charset, t.Columns, textpage.LeastName))
}

// Share returns a share with two digits where it is small: one in a thousand is no 0 %.
func Share(share float64) string {
	if share > 0 && share < 0.01 {
		return units.Trimmed(100*share, 2) + " %"
	}
	return units.Percent(share)
}

// wayOf returns the class, and the status that the system answered.
func wayOf(f result.Failure) string {
	if f.Status == "" {
		return f.Class
	}
	return f.Class + " " + f.Status
}

// mostStatuses is how many are printed.
const mostStatuses = 8

// traffic returns the answers by status, the frequent ones first, the rows, and the bytes per second.
func traffic(l *result.Load) []string {
	var items []string
	names := slices.Sorted(maps.Keys(l.Statuses))
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(l.Statuses[b], l.Statuses[a]) })
	for _, name := range names[:min(len(names), mostStatuses)] {
		items = append(items, fmt.Sprintf("status %s: %s", name, units.Count(l.Statuses[name])))
	}
	if more := len(names) - mostStatuses; more > 0 {
		items = append(items, fmt.Sprintf("%d more statuses", more))
	}
	if l.Rows > 0 {
		items = append(items, "rows "+units.Count(l.Rows))
	}
	if l.SentRate > 0 || l.ReceivedRate > 0 {
		items = append(items, "sent "+units.Bytes(int64(l.SentRate))+"/s", "received "+units.Bytes(int64(l.ReceivedRate))+"/s")
	}
	return items
}
