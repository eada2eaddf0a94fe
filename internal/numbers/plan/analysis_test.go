package plan

import (
	"slices"
	"testing"
)

// TestLooks: a precision is looked for after 10, 20, 40 and 80 rounds, each time
// with its share of the error, and reaching it ends the run.
func TestLooks(t *testing.T) {
	for _, test := range []struct {
		forks, enough int
		want          []int
		confidence    float64
	}{
		{80, 0, []int{10, 20, 40, 80}, 0.9875},
		{80, 20, []int{10, 20}, 0.9875},
		{80, 10, []int{10}, 0.9875},
		{20, 0, []int{10, 20}, 0.975},
		{30, 0, []int{10, 20, 30}, 1 - 0.05/3},
		{13, 0, []int{13}, 0.95},
		{5, 0, []int{5}, 0.95},
	} {
		bubble(t, func(t *testing.T) {
			cfg := config()
			cfg.Forks, cfg.Precision = test.forks, 0.01
			p, l := three(cfg)
			var rounds []int
			stop, err := p.Measure(t.Context(), nil, l.run, func(look Analysis) bool {
				rounds = append(rounds, look.Round)
				if c := look.Confidence - test.confidence; c < -1e-12 || c > 1e-12 || look.Total < len(test.want) || len(l.runs) != 3*look.Round {
					t.Errorf("%+v: %+v after %d forks", test, look, len(l.runs))
				}
				return look.Round == test.enough
			})
			want := Stop{"", test.forks}
			if test.enough > 0 {
				want = Stop{"the precision is reached", test.enough}
			}
			if err != nil || stop != want || !slices.Equal(rounds, test.want) {
				t.Errorf("%+v: %+v, %v, looked after %v", test, stop, err, rounds)
			}
		})
	}
	bubble(t, func(t *testing.T) {
		p, l := three(config())
		if _, err := p.Measure(t.Context(), nil, l.run, func(Analysis) bool { t.Error("looked without a precision"); return true }); err != nil {
			t.Error(err)
		}
		p.Config.Precision = 0.01
		if stop, err := p.Measure(t.Context(), nil, l.run, nil); err != nil || stop.Rounds != 20 {
			t.Errorf("without an interim analysis: %+v, %v", stop, err)
		}
	})
}
