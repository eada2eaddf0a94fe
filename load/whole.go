package load

import (
	"strings"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/record"
)

// Warnings returns those warnings of [Run] that follow from the counts and latencies of a whole phase, for phases that were
// added up from those of several load generators. cost is that of a clock reading in ns; cutOff says that the phase was
// stopped early.
func Warnings(c Config, whole *Interval, cost float64, cutOff bool) []record.Warn {
	var out []record.Warn
	if !c.Schedule.closed() {
		sent := counts{scheduled: whole.Scheduled, unsent: whole.Unsent, dropped: whole.Dropped}
		over := int64(0)
		if whole.TargetRate > 0 {
			over = whole.Length - int64(float64(whole.Scheduled)/whole.TargetRate*1e9)
		}
		out = rateMissed(c, sent, whole, cutOff, over)
	}
	out = append(out, unansweredWarnings(whole)...)
	return append(out, resolutionWarnings(whole.Latencies, cost)...)
}

// OfWhole reports whether [Warnings] returns warnings of a code.
func OfWhole(code string) bool {
	return code == diagnosis.RateMissed || code == diagnosis.Unanswered || code == diagnosis.NotResolvable
}

// IsPart reports whether a kind is a part of another one: GET/first-byte is one of GET, and is never sent by itself.
func IsPart(kind string) bool { return strings.Contains(kind, "/") }
