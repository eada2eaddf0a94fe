package instrument

import (
	"os/exec"
	"strings"
	"testing"
)

// stack: what ends without probes ends with them, although they make frames larger, and limits
// that a program sets mean as many calls.
func (p *instrumented) stack(t *testing.T) {
	for _, scene := range []string{"fits", "unlimited"} {
		want, err := exec.Command(p.withoutProbes(t), scene).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: without probes: %v\n%.300s", scene, err, want)
		}
		if _, got := p.run(t, ArenaConfig{}, scene); got != string(want) {
			t.Errorf("%s: got %.300s\nwant %s", scene, got, want)
		}
	}
	if _, out := p.run(t, ArenaConfig{}, "beyond"); !strings.Contains(out, "stack overflow") {
		t.Errorf("the program's own limit is none: %.300s", out)
	}
}
