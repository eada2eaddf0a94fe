package plan

import (
	"slices"
	"testing"
	"time"

	"github.com/tarebench/tare/record"
)

// TestDoubled: where one operation fills an iteration, and is not too long, a fork does two, and N stays one.
func TestDoubled(t *testing.T) {
	const ms = time.Millisecond
	constant := func(d time.Duration) func(int64) time.Duration { return func(int64) time.Duration { return d } }
	linear := func(d time.Duration) func(int64) time.Duration {
		return func(n int64) time.Duration { return time.Duration(n) * d }
	}
	for _, test := range []struct {
		name  string
		cost  func(int64) time.Duration
		timed func(int64) time.Duration
		fail  func(r Request, run int) bool
		brief bool
		want  []record.CalibrationLook
	}{
		{"set-up of 90 ms", constant(90 * ms), nil, nil, false, []record.CalibrationLook{{N: 1, Ns: 90e6}, {N: 2, Ns: 90e6}}},
		{"an operation of 90 ms", linear(90 * ms), nil, nil, false, []record.CalibrationLook{{N: 1, Ns: 90e6}, {N: 2, Ns: 180e6}}},
		{"two fail", linear(90 * ms), nil, func(r Request, _ int) bool { return r.Benchtime == "2x" }, false, []record.CalibrationLook{{N: 1, Ns: 90e6}}},
		{"too long", linear(900 * ms), nil, nil, false, []record.CalibrationLook{{N: 1, Ns: 900e6}}},
		{"stopped timer", linear(90 * ms), linear(ms), nil, false, []record.CalibrationLook{{N: 1, Ns: 1e6}}},
		{"short of time", constant(90 * ms), nil, nil, true, []record.CalibrationLook{{N: 1, Ns: 90e6}}},
	} {
		bubble(t, func(t *testing.T) {
			l := newLab(map[string]*bench{"b": {cost: test.cost, timed: test.timed, fail: test.fail}})
			p := &Plan{Config: config(), Cases: cases("b"), Brief: test.brief}
			c := p.Cases[0]
			if f, err := p.Calibrate(t.Context(), l.run, c); f != nil || err != nil {
				t.Fatalf("%s: %v, %v", test.name, f, err)
			}
			if c.N != 1 || !slices.Equal(c.Calibration.Looks, test.want) {
				t.Errorf("%s: N %d, %v; want 1, %v", test.name, c.N, c.Calibration.Looks, test.want)
			}
		})
	}
}
