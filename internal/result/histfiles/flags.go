package histfiles

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
)

// ParsePercentiles reads the value of --percentiles: 50,99,99.9. A percentile that is named
// twice counts once.
func ParsePercentiles(list string) ([]float64, error) {
	var out []float64
	for word := range strings.SplitSeq(list, ",") {
		word = strings.TrimSpace(word)
		p, err := strconv.ParseFloat(strings.TrimPrefix(word, "p"), 64)
		if err != nil || !(p >= 0 && p <= 100) {
			return nil, exit.Usage(fmt.Errorf("--percentiles %s: %q is not a number from 0 to 100", list, word), "")
		}
		if !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out, nil
}

// ParseCorrection reads the value of --correct, the interval in which a closed loop was to send;
// "" is 0. unit is that of the values in nanoseconds, and unitName its name.
func ParseCorrection(interval string, unit int64, unitName string) (time.Duration, error) {
	if interval == "" {
		return 0, nil
	}
	expected, err := time.ParseDuration(interval)
	if err != nil {
		return 0, exit.Usage(fmt.Errorf("--correct %q is not a duration such as 4ms", interval), "")
	}
	if int64(expected) < unit {
		return 0, exit.Usage(fmt.Errorf("--correct %s is less than 1 %s, the unit of the values", interval, unitName), "")
	}
	return expected, nil
}

// Subtitle returns the name of the file, if there is one, and the range of time.
func (in *Input) Subtitle() string {
	var parts []string
	if len(in.Files) == 1 {
		name := filepath.Base(in.Files[0])
		if name == "-" {
			name = "standard input"
		}
		parts = append(parts, name)
	}
	if in.Range.From.Set || in.Range.To.Set {
		parts = append(parts, "intervals that start "+in.Range.String())
	}
	return strings.Join(parts, ", ")
}
