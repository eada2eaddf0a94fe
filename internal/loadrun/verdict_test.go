package loadrun

import (
	"errors"
	"os"
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

// TestVerdictOfLostAgent: a run of which operations were lost with an agent is refused by --strict, and only by it: its rate was
// not missed, and no objective was.
func TestVerdictOfLostAgent(t *testing.T) {
	f, err := os.Open("../result/testdata/load-agents-lost.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sum, err := result.Read(f, "agents-lost")
	if err != nil {
		t.Fatal(err)
	}
	var e *exit.Error
	if err := Verdict(sum, false); !errors.As(err, &e) || e.Code != exit.Missed {
		t.Errorf("objectives that lost operations decide: %v", err)
	}
	sum.Objectives = nil
	if err := Verdict(sum, false); err != nil {
		t.Errorf("without objectives: %v", err)
	}
	if err := Verdict(sum, true); !errors.As(err, &e) || e.Code != exit.Untrusted || err.Error() != "--strict: not trustworthy: agent-lost, fewer-agents" {
		t.Errorf("strictly: %v", err)
	}
}
