package calls

import (
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/record"

	"github.com/tarebench/tare/internal/show/textpage"
)

// quantiles are the percentiles that are shown.
var quantiles = [...]float64{0.5, 0.9, 0.99, 0.999}

// percentile returns the time that a share q of a function's calls did not exceed, in ns: the
// middle of the bucket where it is, but not beyond what was least and most. It is not
// known (false) of so few calls that none is beyond it.
func percentile(f *record.TraceFunc, q float64) (ns float64, ok bool) {
	var n int64
	for _, b := range f.Hist {
		n += b.N
	}
	if n == 0 || q > 0.5 && float64(n)*(1-q) < 1-1e-9 {
		return 0, false
	}
	rest := max(1, int64(float64(n)*q+0.999999))
	for _, b := range f.Hist {
		if rest -= b.N; rest <= 0 {
			return min(max((b.From+b.To)/2, f.Min), f.Max), true
		}
	}
	return f.Max, true
}

// percentName returns a text such as 99.9 of 0.999.
func percentName(q float64) string { return units.Plain(100 * q) }

// spread is the table of how the calls of a function differ.
func (t *text) spread(c *Calls) {
	if !c.timed() || len(c.order) == 0 {
		return
	}
	timed, goroutines, sd := column{title: "timed"}, column{title: "goroutines", keep: 1}, column{title: "sd"}
	var of [len(quantiles)]column
	for i, q := range quantiles {
		of[i].title = "p" + percentName(q)
		of[i].keep = len(quantiles) - i + 1
	}
	var rows []row
	shown, _ := textpage.Cut(c.order, c.cfg.Top)
	for _, i := range shown {
		f := &c.t.Funcs[i]
		rows = append(rows, row{name: c.short(i)})
		timed.cells = append(timed.cells, count(f.Timed))
		goroutines.cells = append(goroutines.cells, nonzero(f.Goroutines))
		var dev figure
		if f.Timed > 1 {
			dev = rounded(deviation(f), step(c.t), 2)
		}
		sd.cells = append(sd.cells, dev)
		for j, q := range quantiles {
			var p figure
			if ns, ok := percentile(f, q); ok {
				p = rounded(ns, step(c.t), 2) // a bucket is an eighth of a power of two
			}
			of[j].cells = append(of[j].cells, p)
		}
	}
	t.table("how calls differ", rows, append([]column{timed, sd}, append(of[:], goroutines)...))
	t.Blank()
}
