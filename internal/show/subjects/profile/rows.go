package profile

import (
	"github.com/tarebench/tare/internal/base/units"
)

// Rows returns the functions as tables have them: self and total are of what is shown, in the order of [Config.Sort].
func (v *View) Rows() []Function { return v.rows() }

// Value returns a value as texts have it, with its unit.
func (v *View) Value(x int64) string { return value(x, v.Unit) }

// ShareText returns the share of what is shown, with its standard error.
func (v *View) ShareText(x int64, err float64) string { return share(v.shareShown(x), err) }

// Places returns how many decimals of per cent the shares of a difference have.
func (d *Difference) Places() int { return d.places() }

// Percent writes a share with so many decimals.
func Percent(share float64, places int) string { return units.PercentTo(share, places) }
