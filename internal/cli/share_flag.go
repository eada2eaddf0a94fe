package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/tarebench/tare/stat"
)

// shareFlag is a share that may be typed as 95% or as 0.95. Whether it is in
// range is for the verb to say, with all else that is wrong.
type shareFlag struct{ share *float64 }

// confidenceFlag registers --confidence, the confidence of which intervals says usage.
func confidenceFlag(fl *pflag.FlagSet, c *float64, usage string) {
	*c = stat.DefaultConfidence
	fl.Var(shareFlag{c}, "confidence", "`share`, as 95% or 0.95, "+usage)
}

func (f shareFlag) Set(v string) error {
	number, percent := strings.CutSuffix(strings.TrimSpace(v), "%")
	x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil {
		return fmt.Errorf("%q is not a share such as 95%% or 0.95", v)
	}
	if percent {
		x /= 100
	}
	*f.share = x
	return nil
}

func (f shareFlag) String() string {
	if f.share == nil {
		return ""
	}
	return strconv.FormatFloat(*f.share, 'g', -1, 64)
}

func (shareFlag) Type() string { return "share" }
