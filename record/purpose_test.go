package record

import "testing"

func TestOfProfiler(t *testing.T) {
	for purpose, want := range map[string]bool{
		"": false, PurposeDiscovery: false, PurposePilot: false, PurposeTiming: false, "selftest-usual": false, "mem": true,
	} {
		if got := OfProfiler(purpose); got != want {
			t.Errorf("%q: %v", purpose, got)
		}
	}
}
