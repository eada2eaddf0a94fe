package loadrun

import (
	"errors"
	"testing"

	"github.com/tarebench/tare/internal/exit"
	"github.com/tarebench/tare/internal/result"
)

// TestVerdictOfSearch: a search that cannot tell is no miss; --strict refuses it.
func TestVerdictOfSearch(t *testing.T) {
	for _, c := range []struct {
		knee         result.Knee
		code, strict int
	}{
		{result.Knee{Rate: 100, Confirmed: true, Step: 0}, 0, 0},
		{result.Knee{Above: 100, Step: -1}, exit.Missed, exit.Missed},
		{result.Knee{Undecided: 100, Step: -1}, 0, exit.Untrusted},
	} {
		for _, strict := range []bool{false, true} {
			want := c.code
			if strict {
				want = c.strict
			}
			code := 0
			var e *exit.Error
			if errors.As(Verdict(&result.Result{Stepped: result.SteppedSearch, Knee: &c.knee}, strict), &e) {
				code = e.Code
			}
			if code != want {
				t.Errorf("%+v, strict %v: exit %d, want %d", c.knee, strict, code, want)
			}
		}
	}
}
