package units

import (
	"math"
	"strconv"
)

// Rate writes operations per second: "239/s", "0.5/s", "12 500/s", "2.74 M/s".
func Rate(x float64) string {
	switch {
	case x >= 1e6:
		return strconv.FormatFloat(x/1e6, 'f', 2, 64) + " M/s"
	case x >= 99.95:
		return Count(int64(math.Round(x))) + "/s"
	case x == 0:
		return "0/s"
	}
	return strconv.FormatFloat(x, 'g', 3, 64) + "/s"
}
