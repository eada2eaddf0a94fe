package loadrun

import (
	"errors"
	"os"
	"testing"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/result"
)

// TestVerdictOfSearch: a search that cannot tell whether a rate meets the objectives is not decided, and no miss.
func TestVerdictOfSearch(t *testing.T) {
	for _, c := range []struct {
		knee         result.Knee
		code, strict int
	}{
		{result.Knee{Rate: 100, Confirmed: true, Step: 0}, 0, 0},
		{result.Knee{Above: 100, Step: -1}, exit.Missed, exit.Missed},
		{result.Knee{Undecided: 100, Step: -1}, exit.Untrusted, exit.Untrusted},
		{result.Knee{Rate: 50, Undecided: 100, Step: 0}, 0, exit.Untrusted},
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
	f, err := os.Open("../../result/testdata/load-agents-lost.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sum, err := result.Read(f, "agents-lost")
	if err != nil {
		t.Fatal(err)
	}
	var e *exit.Error
	if err := Verdict(sum, false); !errors.As(err, &e) || e.Code != exit.Untrusted {
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

// TestVerdictOfObjectives: an objective that is not trusted is neither met nor missed, and a miss comes first.
func TestVerdictOfObjectives(t *testing.T) {
	met, missed := result.Outcome{Met: true}, result.Outcome{}
	untrusted := result.Outcome{Untrusted: true}
	explained := result.Outcome{Untrusted: true, Undecided: true}
	for _, c := range []struct {
		objectives []result.Outcome
		code       int
	}{
		{nil, 0},
		{[]result.Outcome{met}, 0},
		{[]result.Outcome{met, missed}, exit.Missed},
		{[]result.Outcome{met, untrusted}, exit.Untrusted},
		{[]result.Outcome{explained}, exit.Untrusted},
		{[]result.Outcome{untrusted, missed}, exit.Missed},
	} {
		code := 0
		if e := exit.As(Verdict(&result.Result{Objectives: c.objectives}, false)); e != nil {
			code = e.Code
		}
		if code != c.code {
			t.Errorf("%+v: exit %d, want %d", c.objectives, code, c.code)
		}
	}
}

// TestVerdictOfUntrustedSteps: a search whose steps missed only what is not trusted has found nothing out.
func TestVerdictOfUntrustedSteps(t *testing.T) {
	for _, c := range []struct {
		step result.Load
		code int
	}{
		{result.Load{Objectives: []result.Outcome{{Untrusted: true}}}, exit.Untrusted},
		{result.Load{Objectives: []result.Outcome{{Untrusted: true}, {}}}, exit.Missed},
		{result.Load{Missed: true}, exit.Missed},
		{result.Load{Missed: true, Undecided: true}, exit.Untrusted},
	} {
		sum := &result.Result{Stepped: result.SteppedSearch, Knee: &result.Knee{Above: 10, Step: -1}, Steps: []result.Load{c.step}}
		if e := exit.As(Verdict(sum, false)); e == nil || e.Code != c.code {
			t.Errorf("%+v: %v, want exit %d", c.step, e, c.code)
		}
	}
}

// TestVerdictOfLateGenerator: an objective that a late generator makes untrustworthy is not decided.
func TestVerdictOfLateGenerator(t *testing.T) {
	f, err := os.Open("../../result/testdata/load-agents-noisy.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sum, err := result.Read(f, "agents-noisy")
	if err != nil {
		t.Fatal(err)
	}
	if e := exit.As(Verdict(sum, false)); e == nil || e.Code != exit.Untrusted || len(sum.Objectives) == 0 {
		t.Errorf("%v: %+v", e, sum.Objectives)
	}
}

// TestVerdictOfSweep: a run at several rates misses an objective if one step does. A step that was cut off decides nothing.
func TestVerdictOfSweep(t *testing.T) {
	step := func(partial bool, o result.Outcome) result.Load {
		return result.Load{Partial: partial, Objectives: []result.Outcome{o}}
	}
	met, missed, untrusted := result.Outcome{Met: true}, result.Outcome{}, result.Outcome{Untrusted: true}
	for _, c := range []struct {
		steps []result.Load
		code  int
	}{
		{[]result.Load{step(false, met), step(false, met)}, 0},
		{[]result.Load{step(false, missed), step(false, met)}, exit.Missed},
		{[]result.Load{step(false, met), step(false, untrusted)}, exit.Untrusted},
		{[]result.Load{step(false, met), step(true, missed)}, 0},
	} {
		code := 0
		var e *exit.Error
		if errors.As(Verdict(&result.Result{Stepped: result.SteppedSweep, Steps: c.steps}, false), &e) {
			code = e.Code
		}
		if code != c.code {
			t.Errorf("%+v: exit %d, want %d", c.steps, code, c.code)
		}
	}
}
