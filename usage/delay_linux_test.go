package usage

import (
	"os"
	"testing"
	"time"
)

func TestRunDelay(t *testing.T) {
	for text, want := range map[string]time.Duration{"12345 678 9\n": 678, "0 0 0\n": 0, "": -1, "0\n": -1, "1 x 3": -1, "1 2": -1} {
		got, _, ok := runDelay([]byte(text))
		if !ok {
			got = -1
		}
		if got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// TestDelays reads the delays of this process, which the kernel keeps or not, but not in part.
func TestDelays(t *testing.T) {
	_, err := os.Stat("/proc/self/schedstat")
	u := Measure(func() {})
	if why, missing := u.NotAvailable[FigureWaited]; missing != (err != nil) {
		t.Errorf("%v, but %v: %s", err, missing, why)
	}
}
