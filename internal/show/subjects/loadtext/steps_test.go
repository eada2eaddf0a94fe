package loadtext

import (
	"testing"

	"github.com/tarebench/tare/internal/result"
)

func TestKneeWords(t *testing.T) {
	for want, k := range map[string]result.Knee{
		"highest rate that met all objectives: 300/s, 2 times of 2; 200/s met them too; 400/s missed them":  {Rate: 300, Times: 2, Confirmed: true, Below: 200, Above: 400},
		"the highest rate is undecided: at 500/s the load generator was late":                               {Undecided: 500, Why: "the load generator was late"},
		"the highest rate is undecided: at 500/s it was late; 250/s met all objectives; 1000/s missed them": {Rate: 250, Times: 2, Confirmed: true, Above: 1000, Undecided: 500, Why: "it was late"},
	} {
		if got := kneeWords(&k); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
