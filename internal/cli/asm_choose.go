package cli

import (
	"fmt"
	"strconv"
	"strings"
)

// parseHot reads the threshold of regions, where nothing and all of the samples make sense, too.
func parseHot(s string) (float64, error) {
	num, pct := strings.CutSuffix(strings.TrimSpace(s), "%")
	x, err := strconv.ParseFloat(strings.TrimSpace(num), 64)
	if pct {
		x /= 100
	}
	switch {
	case err != nil || !(x >= 0 && x <= 1):
		return 0, fmt.Errorf("--hot: %q is not a share such as 10%% or 0.1, from 0 to 100%%", s)
	case x == 0:
		return -1, nil // what a Config has for all of them
	}
	return x, nil
}
