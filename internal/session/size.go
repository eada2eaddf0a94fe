package session

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ParseSize reads a size such as 64KiB, 1.5GiB or 1000000 (bytes). Decimal
// units (KB, MB, GB) are powers of 1000.
func ParseSize(s string) (int64, error) {
	units := []struct {
		suffix string
		factor float64
	}{
		{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
		{"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1}, {"", 1},
	}
	for _, u := range units {
		num, ok := strings.CutSuffix(s, u.suffix)
		if !ok {
			continue
		}
		x, err := strconv.ParseFloat(strings.TrimSpace(num), 64)
		if err != nil || !(x >= 0) || x*u.factor > math.MaxInt64 {
			break
		}
		return int64(x * u.factor), nil
	}
	return 0, fmt.Errorf("%q is not a size such as 64KiB or 2GiB", s)
}
