package why

import (
	"fmt"
	"math"
	"slices"
)

// layoutCause is the placement of code: nothing else changed, and other placements of both sides take the same time.
func (e *Evidence) layoutCause(whole Measure, others []Cause) (Cause, bool) {
	l := e.Layouts
	if l == nil || slices.ContainsFunc(others, func(c Cause) bool { return !c.Where }) {
		return Cause{}, false
	}
	if !e.allSame() {
		return Cause{}, false
	}
	overlap := l.Range[0][0] <= l.Range[1][1] && l.Range[1][0] <= l.Range[0][1]
	if !overlap || math.Abs(l.Ratio.Value-1) > z95*l.Ratio.Err {
		return Cause{}, false
	}
	v := 1 - (l.Ratio.Value-1)*e.Wall[0].Value/whole.Value
	return Cause{
		Kind: CauseLayout, What: "the same machine code lies at other addresses", Share: Share{v, max(0, v-z95*l.Ratio.Err*e.Wall[0].Value/math.Abs(whole.Value)), 1},
		Evidence: []string{fmt.Sprintf("other placements: A %.4g … %.4g ns/op, B %.4g … %.4g", l.Range[0][0], l.Range[0][1], l.Range[1][0], l.Range[1][1])},
	}, true
}

// SameEverywhere reports whether the machine code that the benchmark reaches is the same on both sides: other layouts of it can tell
// whether its placement makes the difference.
func (e *Evidence) SameEverywhere() bool { return e.allSame() && len(e.Settings) == 0 }

// allSame reports whether the machine code of all functions that the benchmark reaches is the same on both sides, also of those
// that prepare its data.
func (e *Evidence) allSame() bool {
	if e.SameCode {
		return true
	}
	for base := range e.Code[0] {
		if same, _ := e.sameCode(base); !same {
			return false
		}
	}
	return len(e.Code[0]) > 0 && len(e.Code[0]) == len(e.Code[1])
}
