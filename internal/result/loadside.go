package result

import (
	"fmt"
	"strings"

	"github.com/tarebench/tare/internal/base/units"
)

// warnings returns what is to be said of the operations of a side, as of those of a run of one side.
func (x *LoadSide) warnings() []Warning {
	out := failures(&x.Load)
	if w := x.Load.unansweredWarning(); w != nil {
		out = append(out, *w)
	}
	for i := range out {
		out[i].Side = x.Side
	}
	return out
}

// unansweredWarning returns a warning about operations that were never answered, however few; nil if there are none.
// Windows of sides have no warnings of their own in records.
func (l *Load) unansweredWarning() *Warning {
	n := l.Unfinished + l.Unsent
	if n == 0 {
		return nil
	}
	var parts []string
	for _, x := range []struct {
		n, oldest int64
		what      string
	}{{l.Unfinished, l.UnfinishedOldest, "in flight at the end"}, {l.Unsent, l.UnsentOldest, "due and not sent"}} {
		if x.n > 0 {
			parts = append(parts, fmt.Sprintf("%s %s (oldest %s)", units.Count(x.n), x.what, units.Time(x.oldest)))
		}
	}
	return &Warning{
		Code:   CodeUnanswered,
		Text:   fmt.Sprintf("%s of %s operations were never answered: %s", units.Count(n), units.Count(l.Scheduled), strings.Join(parts, ", ")),
		Advice: "percentiles that these decide are lower bounds: they count with the time that they had waited",
	}
}
