package export

import (
	"io"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/result"
)

// LoadCSV writes a row for each kind of latency of each operation, in ns, of
// a search or a sweep for each step. The column slo_met is true, false or, of a step during which the load generator
// was too late to tell, undecided. The last column names the figures that are lower bounds, because operations were
// never answered; without such figures it is absent.
func LoadCSV(w io.Writer, s *result.Result) error {
	rows := [][]string{{
		"step", "asked", "achieved", "rate_missed", "slo_met", "name", "kind", "count",
		"min", "mean", "p50", "p90", "p99", "p99.9", "p99.99", "max", "unit", "at_least",
	}}
	switch {
	case len(s.Steps) > 0:
		for i := range s.Steps {
			l := &s.Steps[i]
			rows = append(rows, loadRows(strconv.Itoa(i+1), l, l.Objectives, l.Latencies)...)
		}
	case s.Load != nil:
		rows = append(rows, loadRows("", s.Load, s.Objectives, s.Latencies)...)
	}
	return termtext.WriteCSV(w, withoutEmptyLast(rows))
}

// withoutEmptyLast removes the last column if it is empty but for its title: in runs whose
// operations were all answered no figure is a lower bound.
func withoutEmptyLast(rows [][]string) [][]string {
	last := len(rows[0]) - 1
	for _, r := range rows[1:] {
		if r[last] != "" {
			return rows
		}
	}
	for i := range rows {
		rows[i] = rows[i][:last]
	}
	return rows
}

func loadRows(step string, l *result.Load, os []result.Outcome, latencies []result.Latency) [][]string {
	met := ""
	if len(os) > 0 {
		all := true
		for _, o := range os {
			all = all && o.Met
		}
		met = strconv.FormatBool(all)
		if l.Undecided {
			met = "undecided"
		}
	}
	whole := func(n int64) string { return strconv.FormatInt(n, 10) }
	var rows [][]string
	for _, x := range latencies {
		rows = append(rows, []string{
			step, known(l.TargetRate), exact(l.Achieved), strconv.FormatBool(l.Missed), met, x.Name, x.Kind, whole(x.Count),
			whole(x.Min), exact(x.Mean), whole(x.P50), whole(x.P90), whole(x.P99), whole(x.P999), whole(x.P9999), whole(x.Max), x.Unit, strings.Join(x.AtLeast, " "),
		})
	}
	return rows
}
