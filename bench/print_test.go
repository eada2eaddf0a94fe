package bench

import (
	"os"
	"os/exec"
	"regexp"
	"testing"
	"time"
)

// TestForPrint looks at what arrives at standard output, in a process of its own.
func TestForPrint(t *testing.T) {
	if os.Getenv("BENCH_TEST_FORPRINT") != "" {
		ForPrint("a token", time.Millisecond, func() { Work(1) })
		os.Exit(0)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestForPrint$")
	cmd.Env = append(os.Environ(), "BENCH_TEST_FORPRINT=1")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`^a token [0-9]+(\.[0-9]+)? iterations per millisecond\n$`).Match(out) {
		t.Errorf("printed %q", out)
	}
}
