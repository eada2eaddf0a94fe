package queues_test

import (
	"math/bits"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/puzpuzpuz/xsync/v4"
	"github.com/tarebench/tare/queue/queuetest"
)

// TestBenchmarks runs the benchmarks shortly, as go test -bench does: those of
// throughput with enough operations for rings to wrap around, the others with one.
// Each checks that what went in came out.
func TestBenchmarks(t *testing.T) {
	if testing.Short() {
		t.Skip("runs all benchmarks")
	}
	for _, c := range []struct{ bench, skip, time string }{
		{"Throughput/capacity=1024$", "", "3000x"},
		{".", "JCTools|Throughput|Latency/rate=1000000", "1x"},
	} {
		args := []string{"-test.run=^$", "-test.bench=" + c.bench, "-test.benchtime=" + c.time}
		if c.skip != "" {
			args = append(args, "-test.skip="+c.skip)
		}
		out, err := exec.Command(os.Args[0], args...).CombinedOutput()
		if err != nil {
			t.Errorf("-test.bench=%s: %v\n%s", c.bench, err, failures(string(out)))
		}
		if !strings.Contains(string(out), "line-after-ns") {
			t.Errorf("-test.bench=%s ran nothing:\n%s", c.bench, out)
		}
	}
}

// failures leaves out the results of what went well.
func failures(out string) string {
	return regexp.MustCompile(`(?m)^Benchmark.*\n`).ReplaceAllString(out, "")
}

// TestXsync holds xsync's queues to the checks that a queue must pass of which it is
// granted that it may fail at any time, which its MPMC does.
func TestXsync(t *testing.T) {
	t.Run("SPSC", func(t *testing.T) {
		queuetest.Run(t, queuetest.Config{
			New:          func(n int) queuetest.Queue[int64] { return xsync.NewSPSCQueue[int64](n) },
			SpuriousFull: queuetest.Anytime, SpuriousEmpty: queuetest.Anytime, Dir: t.TempDir(),
		})
	})
	t.Run("MPMC", func(t *testing.T) {
		queuetest.Run(t, queuetest.Config{
			New:       func(n int) queuetest.Queue[int64] { return rounded{xsync.NewMPMCQueue[int64](n), n} },
			Producers: queuetest.Many, Consumers: queuetest.Many,
			SpuriousFull: queuetest.Anytime, SpuriousEmpty: queuetest.Anytime, Dir: t.TempDir(),
		})
	})
}

// rounded is a queue that takes the next power of two for its capacity, without a
// method to say so.
type rounded struct {
	*xsync.MPMCQueue[int64]
	asked int
}

func (r rounded) Cap() int { return 1 << bits.Len(uint(r.asked-1)) }
