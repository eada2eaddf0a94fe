package histfiles

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/result/latencies"
)

// TestHgrmAsJava runs HdrHistogram's HistogramLogProcessor over our logs and compares
// what it prints with what convert --format hgrm does, byte by byte.
func TestHgrmAsJava(t *testing.T) {
	jar := hdrHistogramJar(t)
	for _, c := range []struct {
		name    string
		digits  int
		largest int64
		ratio   string
		unit    latencies.TimeUnit
		correct time.Duration
		args    []string
	}{
		{name: "small values: halves", digits: 3, largest: 3000, unit: latencies.Millisecond},
		{name: "all magnitudes", digits: 3, largest: 1 << 40, unit: latencies.Microsecond, args: []string{"-outputValueUnitRatio", "1000"}},
		{name: "one digit", digits: 1, largest: 1 << 30, unit: latencies.Second, args: []string{"-outputValueUnitRatio", "1e9"}},
		{name: "five digits", digits: 5, largest: 1 << 20, unit: latencies.Nanosecond, args: []string{"-outputValueUnitRatio", "1"}},
		{name: "corrected", digits: 3, largest: 1 << 24, unit: latencies.Millisecond, correct: time.Millisecond, args: []string{"-correctLogWithKnownCoordinatedOmission", "1000000"}},
	} {
		seed := rand.Uint64()
		rng := rand.New(rand.NewPCG(seed, 4))
		var log []hist.Interval
		for s := range 4 {
			h := hist.New(hist.Config{Digits: c.digits})
			for range 1 + rng.IntN(3000) {
				h.Record(rng.Int64N(1 + rng.Int64N(c.largest)))
			}
			log = append(log, hist.Interval{Start: logStart.Add(time.Duration(s) * time.Second), Length: time.Second, Histogram: h})
		}
		path := writeLog(t, log)
		cmd := exec.Command("java", append([]string{"-cp", jar, "org.HdrHistogram.HistogramLogProcessor", "-i", path}, c.args...)...)
		cmd.Env = append(os.Environ(), "TZ=UTC") // it prints the start in local time
		want, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		convert := func(in *Input, w io.Writer) error {
			return in.Convert(w, Conversion{Format: "hgrm", Unit: c.unit, Correct: c.correct})
		}
		if got := output(t, Config{Files: []string{path}}, convert); got != string(want) {
			t.Errorf("%s, seed %d: %s", c.name, seed, firstDifference(got, string(want)))
		}
	}
}

// hdrHistogramJar returns the jar with HdrHistogram's classes, or skips the test.
func hdrHistogramJar(t *testing.T) string {
	t.Helper()
	missing := t.Skipf
	if os.Getenv("TARE_REQUIRE_SERVERS") == "1" {
		missing = t.Fatalf
	}
	if _, err := exec.LookPath("java"); err != nil {
		missing("no java: install Debian's default-jre-headless")
	}
	jar := "/usr/share/java/hdrhistogram.jar"
	if j := os.Getenv("HDRHISTOGRAM_JAR"); j != "" {
		jar = j
	}
	if _, err := os.Stat(jar); err != nil {
		missing("no HdrHistogram for Java: install Debian's libhdrhistogram-java, or set HDRHISTOGRAM_JAR: %v", err)
	}
	return jar
}

// firstDifference shows where two texts part.
func firstDifference(got, want string) string {
	n := 0
	for n < len(got) && n < len(want) && got[n] == want[n] {
		n++
	}
	from := max(n-60, 0)
	return fmt.Sprintf("got  …%.120q\nwant …%.120q", got[from:], want[from:])
}
