package loadtext

import (
	"fmt"
	"io"
	"strconv"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/show/textpage"
	"github.com/tarebench/tare/record"
)

// SlowestText writes a list of the slowest operations under its title.
func SlowestText(w io.Writer, title []string, all []record.SlowOperation, closed bool, o textpage.Options) error {
	p := textpage.New(o)
	var items []string
	for _, s := range title {
		if s != "" {
			items = append(items, p.Name(s))
		}
	}
	p.Items(termtext.Normal, items...)
	p.Table(SlowestTable(all, closed, p.Charset).Fit(p.Charset, p.Columns, textpage.LeastName))
	return p.Flush(w)
}

// SlowestRows returns rows of the slowest operations, with times in ns and without a head.
func SlowestRows(file, of string, all []record.SlowOperation) (rows [][]string) {
	for i := range all {
		o := &all[i]
		rows = append(rows, []string{
			file, of, o.Name, strconv.FormatUint(o.K, 10), o.Key, number(o.Due), number(o.Start), number(o.End), number(o.Service()), number(o.Response()),
			fmt.Sprint(o.Unanswered), o.Class, o.Status, o.Part, number(o.PartTime),
		})
	}
	return rows
}

// SlowestHead is the head of the rows of SlowestRows.
var SlowestHead = []string{"file", "of", "op", "n", "key", "due_ns", "start_ns", "end_ns", "service_ns", "response_ns", "unanswered", "class", "status", "part", "part_ns"}

func number(n int64) string { return strconv.FormatInt(n, 10) }
