package why

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// proveCache: a simulated first-level cache misses more often, and the instructions are about as many.
func proveCache(t *testing.T, c compiled) {
	if _, err := exec.LookPath("valgrind"); err != nil {
		t.Skip("valgrind, which simulates the cache, is not installed")
	}
	before, after := c.base.simulate(t, c.before), c.changed.simulate(t, c.after)
	if after.misses < c.Proof.Misses*before.misses {
		t.Errorf("%.0f and %.0f misses per operation, want %v times as many", before.misses, after.misses, c.Proof.Misses)
	}
	if r := after.instructions / before.instructions; r < 0.85 || r > 1.15 {
		t.Errorf("%.0f and %.0f instructions per operation", before.instructions, after.instructions)
	}
}

type simulated struct{ instructions, misses float64 }

// simulate returns the counts per operation, as the difference of two runs.
func (s *side) simulate(t *testing.T, binary string) simulated {
	t.Helper()
	const few, many = 1, 41
	x, y := s.simulateRun(t, binary, few), s.simulateRun(t, binary, many)
	return simulated{(y.instructions - x.instructions) / (many - few), (y.misses - x.misses) / (many - few)}
}

func (s *side) simulateRun(t *testing.T, binary string, n int) simulated {
	t.Helper()
	file := filepath.Join(t.TempDir(), "cachegrind")
	// One processor and no garbage collector: the runtime's idle threads spin for as long as the machine lets them, and valgrind
	// counts that, too.
	s.command(t, "env", append([]string{"GOMAXPROCS=1", "GOGC=off", "valgrind", "--tool=cachegrind", "--cache-sim=yes", "--D1=32768,8,64", "--fair-sched=try",
		"--cachegrind-out-file=" + file, binary}, s.arguments(n)...)...)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var events, sums []string
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "events:"); ok {
			events = strings.Fields(rest)
		}
		if rest, ok := strings.CutPrefix(line, "summary:"); ok {
			sums = strings.Fields(rest)
		}
	}
	value := func(event string) float64 {
		i := slices.Index(events, event)
		if i < 0 || i >= len(sums) {
			t.Fatalf("no %s in %s", event, file)
		}
		v, err := strconv.ParseFloat(sums[i], 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	return simulated{value("Ir"), value("D1mr")}
}
