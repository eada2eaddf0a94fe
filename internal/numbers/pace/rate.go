package pace

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// ParseRate reads 5000, 5000/s, 5k/s, 300/m or 5/10s as operations per second.
func ParseRate(s string) (float64, error) {
	bad := fmt.Errorf("%q is not a rate such as 5000/s or 5/10s", s)
	count, per, timed := strings.Cut(strings.TrimSpace(s), "/")
	unit := time.Second
	if timed {
		if per != "" && (per[0] < '0' || per[0] > '9') {
			per = "1" + per
		}
		var err error
		if unit, err = time.ParseDuration(per); err != nil || unit <= 0 {
			return 0, bad
		}
	}
	factor := 1.0
	for suffix, f := range map[string]float64{"k": 1e3, "M": 1e6} {
		if c, ok := strings.CutSuffix(count, suffix); ok {
			count, factor = c, f
		}
	}
	n, err := strconv.ParseFloat(count, 64)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		return 0, bad
	}
	rate := n * factor / unit.Seconds()
	switch {
	case rate <= 0:
		return 0, fmt.Errorf("%q is not above 0", s)
	case rate > maxRate:
		return 0, fmt.Errorf("%q is more than the 1000 M/s that a nanosecond clock can resolve", s)
	}
	return rate, nil
}
