package aatest

import (
	"fmt"
	"math"
	"time"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/stat"
)

// MaxChange is the smallest change, with what tare bench measures by default,
// up to which a machine is called fit.
const MaxChange = 0.10

// Whether a machine is fit for comparisons.
const (
	Fit     = "fit"
	Unfit   = "unfit"
	Unknown = "unknown"
)

// Verdict says whether the machine is fit, and for changes of what size.
//
// It is unfit if this way calls more different than chance may: the whole
// interval of the rate of false positives lies above Alpha; or if with what tare
// bench measures by default no change up to MaxChange is found in a share of
// Power. With too few windows of either way this must be certain: the interval
// of the change lies above MaxChange; otherwise nothing is known. In all other
// cases it is fit.
type Verdict struct {
	Fit     string      `json:"fit"`    // Fit, Unfit or Unknown
	Change  stat.Number `json:"change"` // for which it is: Smallest.Default.Value
	Reasons []string    `json:"reasons"`
}

func judge(r *Result) Verdict {
	v := Verdict{Fit: Fit, Change: r.Smallest.Default.Value, Reasons: []string{}}
	against := func(format string, args ...any) {
		v.Fit = Unfit
		v.Reasons = append(v.Reasons, fmt.Sprintf(format, args...))
	}
	few := r.windows() < Needed
	if float64(r.This.Lo) > Alpha {
		against("this way calls the same binary different in %s of windows, %s or more, where chance allows %s",
			share(r.This.Rate), share(r.This.Lo), share(Alpha))
	}
	least := r.Smallest.Default.Value
	if few {
		least = r.Smallest.Default.Lo
	}
	switch {
	case !(float64(least) > MaxChange):
	case math.IsInf(float64(v.Change), 1):
		against("no change is found 8 times of 10")
	default:
		against("a change is found 8 times of 10 only from %s on, which is more than %s", share(v.Change), share(MaxChange))
	}
	if few && v.Fit == Fit {
		v.Fit = Unknown
		v.Reasons = append(v.Reasons, r.TooFew())
	}
	return v
}

// TooFew says that there are not enough windows, and what would give enough.
func (r *Result) TooFew() string {
	s := fmt.Sprintf("too few windows (%d of %d)", r.windows(), Needed)
	if r.Budget > 0 {
		s += fmt.Sprintf("; tare selftest --budget %s gives enough", units.Duration(time.Duration(r.Budget)))
	} else {
		s += "; give it a larger --budget"
	}
	return s
}

// share writes a share with one decimal, as far as there is room for one.
func share(x stat.Number) string {
	if x >= 0.9995 {
		return units.Percent(float64(x))
	}
	return units.PercentTo(float64(x), 1)
}
