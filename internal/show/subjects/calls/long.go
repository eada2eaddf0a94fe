package calls

import (
	"cmp"
	"fmt"

	"github.com/tarebench/tare/internal/base/termtext"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/show/textpage"
)

// long says which functions' times are mostly those of a few of their calls: of many
// functions, of the first.
func (t *text) long(c *Calls, shown []int) {
	if !c.timed() {
		return
	}
	const few = 3
	var lines []string
	for _, i := range shown {
		f := &c.t.Funcs[i]
		x := c.t.Long(f)
		if x.N == 0 {
			continue
		}
		of := f.Mean * float64(f.Timed) // what was timed; more is estimated of the others
		lines = append(lines, fmt.Sprintf("* %s of the %s of %s are %s of %s: its first, of more work, or interrupted",
			rounded(x.Total, step(c.t), 2), rounded(of, step(c.t), 2), t.Line(c.short(i)), cmp.Or(map[int64]string{1: "one call"}[x.N], units.Count(x.N)+" calls"), units.Count(f.Timed)))
	}
	top, rest := textpage.Cut(lines, few)
	for _, l := range top {
		t.Para(termtext.Normal, "%s", l)
	}
	if len(rest) > 0 {
		t.Para(termtext.Normal, "* the same applies to %s more", units.Plural(len(rest), "function"))
	}
}
