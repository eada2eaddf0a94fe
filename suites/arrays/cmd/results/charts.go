package main

import (
	"fmt"
	"math"
	"strconv"

	"github.com/tarebench/tare/internal/show/chart"
	"github.com/tarebench/tare/suites/arrays"
	"github.com/tarebench/tare/suites/published"
)

// drawn is the size that charts are of: the article's.
const drawn = 32 << 10

// titles are those of charts, by operation.
var titles = map[string]string{
	"clear":      "clear(s)",
	"zeroloop":   "for i := range s { s[i] = 0 }",
	"fill":       "for i := range s { s[i] = v }",
	"backfill":   "for i := len(s) - 1; i >= 0; i-- { s[i] = v }",
	"unsafefill": "the loop, by unsafe pointers",
	"offheap":    "the loop, over memory of mmap",
	"simdfill":   "vectors of 32 bytes, simd/archsimd",
	"double":     "copy that doubles itself",
	"copy":       "copy(to, from)",
	"copyloop":   "for i, v := range from { to[i] = v }",
	"backcopy":   "for i := len(from) - 1; i >= 0; i-- { to[i] = from[i] }",
	"simdcopy":   "vectors of 32 bytes, simd/archsimd",
}

// charts draws one chart for each operation, all of them by type.
func (r *suiteResult) charts() []published.Chart {
	var all []published.Chart
	for _, op := range arrays.Ops() {
		c := chart.Bars{
			Title: titles[op], Unit: "s",
			Subtitle: fmt.Sprintf("slices of %s; median of forks and %g %% interval", sizeName(drawn), 100*r.runs[0].Confidence),
		}
		for _, typ := range arrays.Types() {
			b := chart.Bar{Label: typ, Value: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}
			if x := r.found[key{strconv.Itoa(drawn), op, typ}]; x != nil && x.Failed == "" {
				b.Value, b.Lo, b.Hi = float64(x.Median)/1e9, float64(x.Lo)/1e9, float64(x.Hi)/1e9
			}
			c.Bars = append(c.Bars, b)
		}
		all = append(all, published.Chart{Name: op, Bars: c})
	}
	return all
}
