package asm_test

import (
	"bytes"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/tarebench/tare/internal/process/spawn"
	"github.com/tarebench/tare/internal/profile/asm"
	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/record"
)

// TestLikePerf holds the shares of instructions against those of perf annotate, with at
// least 10 000 samples on both sides: on a division, on loads that wait for each other,
// and on an addition under lock.
func TestLikePerf(t *testing.T) {
	testutil.NeedLong(t, "some seconds of two profilers")
	perf, err := exec.LookPath("perf")
	if err != nil {
		t.Skip(err)
	}
	bin := program(t, "loops")
	// Two runs are never the same: where others have the processors, or how the loops lie to the
	// timer, moves some samples. A difference of method would be there each time.
	const rounds = 4
	for round := 1; ; round++ {
		far := unlikePerf(t, perf, bin)
		if len(far) == 0 {
			return
		}
		for _, f := range far {
			t.Logf("round %d: %s", round, f)
		}
		if round == rounds {
			t.Fatalf("%d times in a row", rounds)
		}
	}
}

// unlikePerf samples a program by both, and tells of addresses that got another share.
func unlikePerf(t *testing.T, perf, bin string) (far []string) {
	const frequency, least, maxDifference = 20000, 10_000, 0.03
	r, err := asm.Command(t.Context(), launcher(t), spawn.Spec{Path: bin}, asm.Config{Events: []string{"cpu-clock"}, Frequency: frequency})
	if err != nil {
		t.Fatal(err)
	}
	sound(t, r.Asm)
	data := filepath.Join(t.TempDir(), "perf.data")
	if out, err := exec.Command(perf, "record", "-q", "-e", "cpu-clock", "-F", strconv.Itoa(frequency), "-o", data, bin).CombinedOutput(); err != nil {
		t.Skipf("perf record: %v\n%s", err, out)
	}
	compared := 0
	for _, name := range []string{"main.divide", "main.chase", "main.add"} {
		f := function(t, r.Asm, name)
		theirs, n := annotated(t, perf, data, name)
		if n < least || f.Samples[0] < least {
			t.Logf("%s: %d samples, perf has %d: too few", name, f.Samples[0], n)
			continue
		}
		compared++
		ours := shares(f)
		for addr := range theirs {
			ours[addr] += 0 // so that all addresses are looked at
		}
		worst := 0.0
		for addr, share := range ours {
			d := math.Abs(share - theirs[addr])
			if worst = max(worst, d); d > maxDifference {
				far = append(far, fmt.Sprintf("%s: %.1f %% of the samples at %#x, perf has %.1f %%", name, 100*share, addr, 100*theirs[addr]))
			}
		}
		t.Logf("%s: %d samples, perf has %d; %.2f points difference at most", name, f.Samples[0], n, 100*worst)
	}
	if compared == 0 {
		t.Skip("nothing was compared")
	}
	return far
}

// shares are those of a function's addresses.
func shares(f record.AsmFunc) map[uint64]float64 {
	m := map[uint64]float64{}
	for _, c := range f.Counts {
		m[c.Addr] = float64(c.N[0]) / float64(f.Samples[0])
	}
	return m
}

var (
	annotatedTotal = regexp.MustCompile(`\((\d+) samples`)
	annotatedLine  = regexp.MustCompile(`(?m)^\s*([0-9.]+)\s+:\s+([0-9a-f]+):`)
)

// annotated are the shares of a function's addresses as perf annotate prints them.
func annotated(t *testing.T, perf, data, name string) (map[uint64]float64, int64) {
	t.Helper()
	var stderr bytes.Buffer
	c := exec.Command(perf, "annotate", "-i", data, "--stdio", "-s", name)
	c.Stderr = &stderr
	out, err := c.Output()
	total := annotatedTotal.FindSubmatch(out)
	if err != nil || total == nil {
		t.Skipf("perf annotate: %v\n%s%.200s", err, &stderr, out)
	}
	n, err := strconv.ParseInt(string(total[1]), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	m := map[uint64]float64{}
	for _, line := range annotatedLine.FindAllSubmatch(out, -1) {
		percent, err := strconv.ParseFloat(string(line[1]), 64)
		if err != nil {
			t.Fatal(err)
		}
		addr, err := strconv.ParseUint(string(line[2]), 16, 64)
		if err != nil {
			t.Fatal(err)
		}
		m[addr] = percent / 100
	}
	return m, n
}
