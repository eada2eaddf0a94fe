package hist_test

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/hist"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// javaPercentiles are those of the lines in testdata/*.txt.
var javaPercentiles = []float64{0, 10, 50, 90, 99, 99.9, 99.99, 100}

// TestJavaLog reads a log that HdrHistogram's own classes wrote, and compares
// with what they said of each interval.
func TestJavaLog(t *testing.T) {
	f, err := os.Open("testdata/java.hlog")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	facts, err := os.ReadFile("testdata/java.txt")
	if err != nil {
		t.Fatal(err)
	}
	r := hist.NewLogReader(f, "java.hlog")
	for fact := range strings.Lines(string(facts)) {
		i, err := r.Next()
		if err != nil {
			t.Fatalf("%v, want %s", err, fact)
		}
		want := strings.Fields(fact)
		if i.Tag == "EDGE" {
			// 2^55 + 3 values, of which the largest is there once: Java multiplies
			// in float64 and does not get to it.
			want[len(want)-1] = strconv.FormatInt(math.MaxInt64, 10)
		}
		compareFact(t, i, want)
	}
	if i, err := r.Next(); err == nil {
		t.Errorf("one more interval: %+v", i)
	}
	if n, err := r.Skipped(); n != 0 {
		t.Errorf("%d lines skipped: %v", n, err)
	}
	if want := time.UnixMilli(1698300000123); !r.StartTime().Equal(want) {
		t.Errorf("start %v, want %v", r.StartTime(), want)
	}
}

func compareFact(t *testing.T, i hist.Interval, want []string) {
	t.Helper()
	h, tag := i.Histogram, i.Tag
	if tag == "" {
		tag = "-"
	}
	got := strings.Fields(fmt.Sprint(i.Start.UnixMilli(), i.Start.Add(i.Length).UnixMilli(), " "+tag+" ",
		h.Config().Digits, h.Count(), h.Min(), h.Max()))
	got = append(got, want[7:9]...) // mean and deviation follow
	for _, p := range javaPercentiles {
		got = append(got, strconv.FormatInt(h.ValueAtPercentile(p), 10))
	}
	if a, b := strings.Join(got, " "), strings.Join(want, " "); a != b {
		t.Errorf("got  %s\nwant %s", a, b)
	}
	for n, v := range []float64{h.Mean(), h.StdDev()} {
		if f, err := strconv.ParseFloat(want[7+n], 64); err != nil || math.Abs(v-f) > 1e-12*math.Abs(f) {
			t.Errorf("%s: mean or deviation %v, want %v", tag, v, want[7+n])
		}
	}
}

// ownLog is written by us and processed by HdrHistogram's HistogramLogProcessor:
// ten intervals of a second, each with an untagged and a tagged histogram.
func ownLog(t *testing.T) []byte {
	var b bytes.Buffer
	start := time.UnixMilli(1700000000456)
	w := hist.NewLogWriter(&b, hist.LogConfig{Start: start, Base: start, Comment: "a golden file"})
	x := uint64(1)
	for i := range 10 {
		var all, read hist.Histogram
		for range 1000 {
			x = x*6364136223846793005 + 1442695040888963407
			v := int64(x>>40) << (x >> 60 & 7)
			all.Record(v)
			if v%2 == 0 {
				read.Record(v / 100)
			}
		}
		at := start.Add(time.Duration(i) * time.Second)
		for _, i := range []hist.Interval{{Histogram: &all}, {Tag: "READ", Histogram: &read}} {
			i.Start, i.Length = at, time.Second
			if err := w.Write(i); err != nil {
				t.Fatal(err)
			}
		}
	}
	return b.Bytes()
}

// oracles are runs of HistogramLogProcessor over testdata/own.hlog, whose output
// is kept in testdata/NAME.hgrm.
var oracles = []struct {
	name     string
	args     []string
	tag      string
	from, to time.Duration
	correct  int64
}{
	{"all", nil, "", 0, math.MaxInt64, 0},
	{"tag", []string{"-tag", "READ"}, "READ", 0, math.MaxInt64, 0},
	{"range", []string{"-start", "2", "-end", "5"}, "", 2 * time.Second, 5 * time.Second, 0},
	{"correct", []string{"-correctLogWithKnownCoordinatedOmission", "1000000"}, "", 0, math.MaxInt64, 1_000_000},
}

// TestProcessorAgrees reads our log and compares each line of the distribution
// that Java's processor made of it.
func TestProcessorAgrees(t *testing.T) {
	for _, o := range oracles {
		t.Run(o.name, func(t *testing.T) {
			golden, err := os.ReadFile(filepath.Join("testdata", o.name+".hgrm"))
			if err != nil {
				t.Fatal(err)
			}
			r := hist.NewLogReader(bytes.NewReader(ownLog(t)), "own.hlog")
			r.Between(o.from, o.to)
			var sum hist.Histogram
			for i, err := range r.All() {
				if err != nil {
					t.Fatal(err)
				}
				// The processor loses the tags when it corrects, and takes all
				// intervals for untagged ones.
				if i.Tag != o.tag && o.correct == 0 {
					continue
				}
				h := i.Histogram
				if o.correct > 0 {
					if h, err = h.Correct(o.correct); err != nil {
						t.Fatal(err)
					}
				}
				if err := sum.Merge(h); err != nil {
					t.Fatal(err)
				}
			}
			compareDistribution(t, &sum, string(golden))
		})
	}
}

// compareDistribution compares with lines "value percentile count 1/(1-p)" and
// "#[Mean = …, StdDeviation = …]", "#[Max = …, Total count = …]".
func compareDistribution(t *testing.T, h *hist.Histogram, golden string) {
	t.Helper()
	lines, last := 0, ""
	for line := range strings.Lines(golden) {
		f := strings.Fields(line)
		switch {
		case strings.HasPrefix(line, "#[Mean"):
			want := fmt.Sprintf("#[Mean    = %12.3f, StdDeviation   = %12.3f]\n", h.Mean(), h.StdDev())
			if line != want {
				t.Errorf("got  %swant %s", want, line)
			}
		case strings.HasPrefix(line, "#[Max"):
			want := fmt.Sprintf("#[Max     = %12.3f, Total count    = %12d]\n", float64(h.ValueAtPercentile(100)), h.Count())
			if line != want {
				t.Errorf("got  %swant %s", want, line)
			}
		case len(f) >= 3 && f[0] != "Value" && line[0] != '#':
			p, err := strconv.ParseFloat(f[1]+"e2", 64)
			if err != nil {
				t.Fatal(err)
			}
			value := h.ValueAtPercentile(max(p, 1e-9)) // Java gives the upper bound for 0, too
			got := fmt.Sprintf("%.3f %d", float64(value), upTo(h, value))
			if want := f[0] + " " + f[2]; got != want {
				t.Errorf("p%s: %s, want %s", f[1], got, want)
			}
			lines, last = lines+1, f[1]
		}
	}
	if lines < 20 || last != "1.000000000000" {
		t.Errorf("%d lines up to %s: no distribution", lines, last)
	}
}

// upTo returns how many values are in buckets up to one that ends at v.
func upTo(h *hist.Histogram, v int64) (sum int64) {
	for b, n := range h.Buckets() {
		if b.Highest <= v {
			sum += n
		}
	}
	return sum
}

// TestProcessor runs Java's HistogramLogProcessor over our log and compares with
// its kept output, so that this is what a user of it sees. With -update it keeps
// the output.
func TestProcessor(t *testing.T) {
	jar := processor(t)
	log := filepath.Join(t.TempDir(), "own.hlog")
	if err := os.WriteFile(log, ownLog(t), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, o := range oracles {
		args := append([]string{"-cp", jar, "org.HdrHistogram.HistogramLogProcessor", "-i", log, "-outputValueUnitRatio", "1.0"}, o.args...)
		cmd := exec.Command("java", args...)
		cmd.Env = append(os.Environ(), "TZ=UTC") // it prints the start in local time
		got, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", o.name, err, got)
		}
		golden := filepath.Join("testdata", o.name+".hgrm")
		if *update {
			if err := os.WriteFile(golden, got, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(golden); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %v: the processor now says\n%s", o.name, err, got)
		}
	}
}

// processor returns the jar with HdrHistogram's classes, or skips the test.
func processor(t *testing.T) (jar string) {
	missing := t.Skipf
	if os.Getenv("TARE_REQUIRE_SERVERS") == "1" {
		missing = t.Fatalf
	}
	if _, err := exec.LookPath("java"); err != nil {
		missing("no java: install Debian's default-jre-headless")
	}
	jar = "/usr/share/java/hdrhistogram.jar"
	if j := os.Getenv("HDRHISTOGRAM_JAR"); j != "" {
		jar = j
	}
	if _, err := os.Stat(jar); err != nil {
		missing("no HdrHistogram for Java: install Debian's libhdrhistogram-java, or set HDRHISTOGRAM_JAR: %v", err)
	}
	return jar
}

// TestOwnLogIsGolden sees to it that the log which the processor's output was
// made of is still what we write. The compressed bytes may change with Go's
// compressor; what is in them may not.
func TestOwnLogIsGolden(t *testing.T) {
	const golden = "testdata/own.hlog"
	log := ownLog(t)
	if *update {
		if err := os.WriteFile(golden, log, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	a, b := bufio.NewScanner(bytes.NewReader(log)), bufio.NewScanner(bytes.NewReader(want))
	for a.Scan() {
		if !b.Scan() || head(a.Text()) != head(b.Text()) {
			t.Fatalf("got  %s\nwant %s", head(a.Text()), head(b.Text()))
		}
	}
	if b.Scan() {
		t.Errorf("missing: %s", head(b.Text()))
	}
	was, now := intervals(t, want), intervals(t, log)
	for i := range min(len(was), len(now)) {
		if !was[i].Histogram.Equal(now[i].Histogram) {
			t.Errorf("interval %d: the histogram differs", i)
		}
	}
}

// head returns a line without its payload.
func head(line string) string { s, _, _ := strings.Cut(line, "HISTF"); return s }

func intervals(t *testing.T, log []byte) (all []hist.Interval) {
	t.Helper()
	r := hist.NewLogReader(bytes.NewReader(log), "log")
	for i, err := range r.All() {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, i)
	}
	if n, err := r.Skipped(); n > 0 {
		t.Errorf("%d lines skipped: %v", n, err)
	}
	return all
}
