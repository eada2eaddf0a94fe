package usage

import (
	"strings"
	"testing"
)

// TestProbe: where there is no getrusage, that is why.
func TestProbe(t *testing.T) {
	for _, goos := range []string{"linux", "darwin", "freebsd"} {
		if err := probe(goos); err != nil {
			t.Errorf("%s: %v", goos, err)
		}
	}
	for _, goos := range []string{"windows", "plan9", "js", "wasip1"} {
		if err := probe(goos); err == nil || !strings.Contains(err.Error(), "no getrusage on "+goos) {
			t.Errorf("%s: %v", goos, err)
		}
	}
}
