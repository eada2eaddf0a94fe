package export

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/result"
)

func csvHeader() []string {
	return []string{
		"pkg", "name", "params", "procs", "side", "role", "mode", "n",
		"unit", "forks", "forks_failed", "median", "lo", "hi", "confidence",
		"spread_within", "spread_between", "warnings", "failed",
	}
}

// CSV writes a row for each unit of each result, the main unit first, and
// one without figures for a benchmark that failed. Figures have full precision;
// what is not known or does not apply is empty, and infinite bounds are +Inf and
// -Inf. Spread and coverage are known for the main unit only.
//
// The interval for another run's median has two more columns if any result has it.
//
// A summary that compares gives a row for each comparison instead.
func CSV(w io.Writer, s *result.Result) error {
	rows := [][]string{csvHeader()}
	another := slices.ContainsFunc(s.Results, func(r result.Benchmark) bool { return r.Another.Known() })
	if another {
		rows[0] = append(rows[0], "another_lo", "another_hi")
	}
	for i := range s.Results {
		r := &s.Results[i]
		for j, row := range csvRows(r) {
			if another && j == 0 && r.Another.Known() {
				row = append(row, exact(float64(r.Another.Lo)), exact(float64(r.Another.Hi)))
			} else if another {
				row = append(row, "", "")
			}
			rows = append(rows, row)
		}
	}
	if len(s.Comparisons) > 0 {
		rows = comparisonRows(s.Comparisons)
	}
	return termtext.WriteCSV(w, rows)
}

func csvRows(r *result.Benchmark) [][]string {
	row := func(figures ...string) []string {
		out := []string{r.Pkg, r.Name, params(r.Params), positive(r.Procs), r.Side, r.Role, r.Mode, positive(r.N)}
		return append(append(out, figures...), codes(r.Warnings), r.Failed)
	}
	failed := strconv.Itoa(r.ForksFailed)
	if r.Forks == 0 {
		return [][]string{row(r.Unit, "0", failed, "", "", "", "", "", "")}
	}
	rows := [][]string{row(r.Unit, strconv.Itoa(r.Forks), failed,
		exact(float64(r.Median)), exact(float64(r.Lo)), exact(float64(r.Hi)),
		known(r.Confidence), known(r.SpreadWithin), known(r.SpreadBetween))}
	for _, m := range r.Metrics {
		rows = append(rows, row(m.Unit, strconv.Itoa(reported(m, r.Forks)), failed,
			exact(float64(m.Median)), exact(float64(m.Lo)), exact(float64(m.Hi)), "", "", ""))
	}
	return rows
}

// reported returns the number of forks that have a value of the metric.
func reported(m result.Metric, forks int) int {
	if len(m.Values) == 0 {
		return forks
	}
	return len(result.Reported(m.Values))
}

// params joins parameters as they stand in the benchmark's name.
func params(ps result.Params) string {
	parts := make([]string, len(ps))
	for i, p := range ps {
		parts[i] = p.Key + "=" + p.Value
	}
	return strings.Join(parts, "/")
}

func codes(ws []result.Warning) string {
	parts := make([]string, len(ws))
	for i, w := range ws {
		parts[i] = w.Code
	}
	return strings.Join(parts, " ")
}

func exact(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// known returns x unrounded, "" for zero, which means unknown.
func known(x float64) string {
	if x == 0 {
		return ""
	}
	return exact(x)
}

func positive[T int | int64](n T) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(int64(n), 10)
}
