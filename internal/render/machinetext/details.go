package machinetext

import (
	"fmt"
	"strings"

	"github.com/tarebench/tare/internal/render/table"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/machines"
	"github.com/tarebench/tare/internal/units"
)

// details has a row for each benchmark on each machine, with its own interval and verdict.
func (v *view) details() *table.Table {
	tb := &table.Table{Columns: []table.Column{
		{}, {Title: "machine", Gap: 3}, {Title: "ratio", Gap: 3, Kind: table.Figures},
		{Title: "interval", Gap: 2, Kind: table.Right, Join: units.Dots, Mid: true}, {Title: "verdict", Gap: 3},
	}}
	for i := range v.r.Rows {
		row := &v.r.Rows[i]
		name := "  " + v.name(row)
		for _, on := range row.Machines {
			text := word(&result.Comparison{Verdict: on.Verdict, Trusted: on.Trusted})
			v.block(tb, row).Lines = append(v.block(tb, row).Lines, table.Line{Cells: []table.Cell{
				{Text: name}, {Text: v.Middle(v.Name(on.Machine), mostName)}, {Text: ratio(on.Ratio)}, intervalCell(on.Lo, on.Hi), {Text: text, Style: styleOf(on.Verdict, on.Trusted)},
			}})
			name = ""
		}
		if text := v.spread(row); text != "" {
			v.block(tb, row).Lines = append(v.block(tb, row).Lines, table.Line{Wide: text, Indent: 4})
		}
	}
	return tb
}

// spread says what iterations, forks and machines add to the variation, and what would narrow the interval.
func (v *view) spread(row *machines.Row) string {
	var parts []string
	for _, c := range row.Components {
		parts = append(parts, fmt.Sprintf("%ss %s", c.Level, percent(c.SD)))
	}
	out := strings.Join(parts, ", ")
	if out != "" {
		out = v.name(row) + ": spread of " + out
	}
	if row.Advice != "" {
		out = strings.TrimPrefix(out+"; "+row.Advice, "; ")
	}
	return v.Text(out)
}

// percent writes a relative standard deviation, which is not known if a level was not repeated.
func percent(sd result.Number) string { return units.Percent(float64(sd)) }
