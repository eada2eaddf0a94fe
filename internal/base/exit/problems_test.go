package exit

import (
	"errors"
	"testing"
)

// TestProblems: all are named, and the hint is that of the first.
func TestProblems(t *testing.T) {
	var none Problems
	none.AddError(nil)
	if err := none.Err(); err != nil {
		t.Errorf("none: %v", err)
	}
	var p Problems
	p.AddError(Usage(errors.New("first"), "do this"))
	p.AddError(Usage(errors.New("second"), "do that"))
	p.Add("--x %d", 3)
	err := As(p.Err())
	if err == nil || err.Error() != "first; second; --x 3" || err.Hint != "do this" || err.Code != Misuse {
		t.Errorf("%+v", err)
	}
}
