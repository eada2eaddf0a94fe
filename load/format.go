package load

import (
	"strings"
	"time"
)

// formatNs writes nanoseconds with three digits below a minute: 1.03 ms.
func formatNs(ns int64) string {
	d, unit := time.Duration(ns), time.Duration(1)
	for d/unit >= 1000 {
		unit *= 10
	}
	if d >= time.Minute {
		return d.Round(time.Second).String()
	}
	text := d.Round(unit).String()
	i := strings.LastIndexAny(text, "0123456789") + 1
	return text[:i] + " " + text[i:]
}
