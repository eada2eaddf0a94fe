package diagnosis_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/diagnosis"
)

// TestTimerWarnings: what is not known of when a timer ran is said, with the reason.
func TestTimerWarnings(t *testing.T) {
	for _, test := range []struct {
		noted float64
		why   error
		code  string
		text  string
	}{
		{1, nil, "", ""},
		{0, errors.New("open /tmp/x: not there"), diagnosis.StoppedIncluded, "when the timer stood is not known: if it did, samples of that time count, too: open /tmp/x: not there"},
		{0, nil, diagnosis.StoppedIncluded, "when the timer stood is not known"},
		{0.42, nil, diagnosis.ManyStops, "the timer was stopped more often than could be noted: only samples of the first 42 % of the measured time"},
	} {
		ws := diagnosis.StoppedTimer(test.noted, test.why)
		if test.code == "" && len(ws) == 0 {
			continue
		}
		if len(ws) != 1 || ws[0].Code != test.code || !strings.Contains(ws[0].Text, test.text) {
			t.Errorf("%v, %v: %+v, want %s: %s", test.noted, test.why, ws, test.code, test.text)
		}
	}
}
