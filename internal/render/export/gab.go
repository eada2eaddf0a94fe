package export

import (
	"encoding/json"
	"errors"
	"io"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/termtext"
	"github.com/tarebench/tare/internal/units"
	"github.com/tarebench/tare/record"
)

// gabEntry is an entry of github-action-benchmark: BenchmarkResult of its src/extract.ts.
type gabEntry struct {
	Name  string  `json:"name"`
	Unit  string  `json:"unit"`
	Value float64 `json:"value"`
	Range string  `json:"range,omitempty"`
	Extra string  `json:"extra,omitempty"`
}

var errNoSmaller = errors.New("gab: no unit in it is better when it is smaller")

// GAB writes the JSON of github-action-benchmark's tool customSmallerIsBetter. A file has one direction, so that rates are
// left out; times, bytes and allocations are in it. Of a comparison it has the last side.
func GAB(w io.Writer, s *result.Result) error {
	rows := lastSide(s)
	if len(rows) == 0 {
		return errNothing
	}
	names, unique, out := rowNamesOf(rows), uniqueNames{}, []gabEntry{}
	for _, r := range rows {
		name := unique.of(names.long(r))
		out = gabAdd(out, name, r.Unit, r.Interval, units.Plural(r.Forks, "fork"))
		for _, m := range r.Metrics {
			out = gabAdd(out, name+" - "+termtext.Visible(m.Unit), m.Unit, m.Interval, units.Plural(reported(m, r.Forks), "fork"))
		}
	}
	if len(out) == 0 {
		return errNoSmaller
	}
	e := json.NewEncoder(termtext.JSON(w))
	e.SetIndent("", "  ")
	return e.Encode(out)
}

func gabAdd(to []gabEntry, name, unit string, i result.Interval, extra string) []gabEntry {
	if record.UnitOf(unit).Better == record.Higher || !isFinite(float64(i.Median)) {
		return to
	}
	x := gabEntry{Name: name, Unit: unit, Value: float64(i.Median), Extra: extra}
	if isFinite(float64(i.Lo)) && isFinite(float64(i.Hi)) {
		x.Range = exact(float64(i.Lo)) + ".." + exact(float64(i.Hi))
	}
	return append(to, x)
}
