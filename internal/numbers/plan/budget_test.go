package plan

import (
	"slices"
	"testing"
	"time"

	"github.com/tarebench/tare/record"
)

// TestBudgetEndsSearch: the search for N ends when the budget does not hold it and a round, and another side does the same.
func TestBudgetEndsSearch(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(map[string]*bench{"slow": {cost: linear(1000, 0), start: 10 * time.Second}})
		p := &Plan{Config: config(), Cases: append(cases("slow"), &record.Case{ID: 2, Name: "slow", Side: "new", Mode: record.ModeN}), Began: time.Now(), BudgetBinds: true, Brief: true}
		p.Config.Budget = 25 * time.Second
		old, other := p.Cases[0], p.Cases[1]
		if f, err := p.Calibrate(t.Context(), l.run, old); f != nil || err != nil {
			t.Fatal(f, err)
		}
		if took := time.Since(p.Began); len(l.runs) != 3 || took > 31*time.Second {
			t.Errorf("%d forks in %s", len(l.runs), took)
		}
		if !p.IsGuessed(old) || old.Mode != record.ModeTime || old.N != 0 || old.Calibration != nil || time.Duration(old.Wall) < 10*time.Second {
			t.Errorf("%+v", old)
		}
		if p.HoldsCalibration(other) {
			t.Error("the budget is spent")
		}
		p.Guess(other, old)
		if !p.IsGuessed(other) || other.Mode != record.ModeTime || other.Wall != old.Wall {
			t.Errorf("%+v", other)
		}
	})
}

// TestGuess: only an N that was to be searched is left to package testing; another side takes the one that was found.
func TestGuess(t *testing.T) {
	p := &Plan{Config: config(), Cases: cases("a", "b", "c")}
	a, b, c := p.Cases[0], p.Cases[1], p.Cases[2]
	a.N, a.SingleShot = 1, true
	p.Guess(a, nil)
	b.N, b.Wall, b.Calibration = 70, 5, &record.Calibration{}
	p.Guess(c, b)
	if p.IsGuessed(a) || a.Mode != record.ModeN || a.N != 1 || p.IsGuessed(c) || c.Mode != record.ModeN || c.N != 70 || c.Wall != 5 {
		t.Errorf("%+v, %+v", a, c)
	}
}

// TestLeaveOut: the longest go first, with all their sides or members; one stays; without a budget that binds all do.
func TestLeaveOut(t *testing.T) {
	for name, test := range map[string]struct {
		walls  []time.Duration // of a; of F/x and F/y, which are a group; of b
		spent  time.Duration
		budget time.Duration
		want   []int
	}{
		"all fit":              {[]time.Duration{5 * second, 5 * second, 5 * second, second}, 0, 30 * second, nil},
		"by a little":          {[]time.Duration{5 * second, 5 * second, 5 * second, second}, 22 * second, 30 * second, []int{2, 3}},
		"the group":            {[]time.Duration{15 * second, 10 * second, 10 * second, second}, 0, 30 * second, []int{2, 3}},
		"all but the shortest": {[]time.Duration{5 * second, 5 * second, 5 * second, second}, time.Hour, 30 * second, []int{1, 2, 3}},
		"no budget":            {[]time.Duration{5 * second, 5 * second, 5 * second, second}, time.Hour, 0, nil},
		"many that are short":  {[]time.Duration{second, second, second, second}, 25 * second, 30 * second, nil},
	} {
		bubble(t, func(t *testing.T) {
			p := &Plan{Config: config(), Cases: cases("a", "F/x", "F/y", "b"), BudgetBinds: true, Began: time.Now().Add(-test.spent)}
			p.Config.Budget = test.budget
			for i, c := range p.Cases {
				c.Wall = int64(test.walls[i])
			}
			p.Cases[1].Group, p.Cases[2].Group = "F", "F"
			var got []int
			for _, c := range p.LeaveOut() {
				got = append(got, c.ID)
			}
			if !slices.Equal(got, test.want) || len(p.Cases) != 4-len(got) {
				t.Errorf("%s: left out %v, want %v", name, got, test.want)
			}
		})
	}
}
