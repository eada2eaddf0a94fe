package flags

import (
	"fmt"
	"strconv"

	"github.com/tarebench/tare/internal/base/units"
)

// shareFlag is a share that may be typed as 95% or as 0.95. The verb checks whether it is in
// range, with all else that is wrong.
type shareFlag struct{ share *float64 }

func (f shareFlag) Set(v string) error {
	x, err := units.ParseFraction(v)
	if err != nil {
		return fmt.Errorf("%q is not a share such as 95%% or 0.95", v)
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
