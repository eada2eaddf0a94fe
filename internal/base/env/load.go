package env

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// parseLoad reads /proc/loadavg, of which it takes the first number.
func parseLoad(text string) (float64, error) {
	s, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
		return 0, fmt.Errorf("load average is not available: /proc/loadavg contains %s", quoted(text))
	}
	return v, nil
}
