package histfiles

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/hist"
)

// logStart is when logs of these tests start.
var logStart = time.UnixMilli(1_700_000_000_456).UTC()

// randomLog makes intervals of about a second under several tags, of values of all
// magnitudes.
func randomLog(rng *rand.Rand, seconds int) (out []hist.Interval) {
	for s := range seconds {
		for n, tag := range []string{"", "READ.response", "READ.service"} {
			if rng.IntN(10) == 0 {
				continue
			}
			h := hist.New(hist.Config{Digits: 1 + rng.IntN(2)*2})
			for range rng.IntN(200) {
				h.RecordN(rng.Int64N(1<<(1+rng.IntN(34))), 1+rng.Int64N(3))
			}
			at := logStart.Add(time.Duration(s)*time.Second + time.Duration(n)*time.Millisecond)
			out = append(out, hist.Interval{Tag: tag, Start: at, Length: time.Second, Histogram: h})
		}
	}
	return out
}

// writeLog writes a log file and returns its path.
func writeLog(t *testing.T, intervals []hist.Interval) string {
	t.Helper()
	var b bytes.Buffer
	w := hist.NewLogWriter(&b, hist.LogConfig{Start: logStart})
	for _, i := range intervals {
		if err := w.Write(i); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "run.hlog")
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// readLogs reads the intervals of files, and fails the test for a skipped line.
func readLogs(t *testing.T, files ...string) (out []hist.Interval) {
	t.Helper()
	in := open(t, Config{Files: files})
	if err := in.each(func(_ *source, i hist.Interval) error { out = append(out, i); return nil }); err != nil {
		t.Fatal(err)
	}
	return out
}

// open opens an input that fails the test when it warns.
func open(t *testing.T, c Config) *Input {
	c.Warn = func(text string) {
		t.Helper()
		t.Fatalf("warned: %s", text)
	}
	return Open(c)
}

// output returns what a function writes of an input.
func output(t *testing.T, c Config, write func(*Input, io.Writer) error) string {
	t.Helper()
	var out bytes.Buffer
	if err := write(open(t, c), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// merge returns a function that merges.
func merge(total bool) func(*Input, io.Writer) error {
	return func(in *Input, w io.Writer) error { return in.Merge(w, total) }
}

// asFile writes a text to a file of its own.
func asFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// sameIntervals reports how two logs differ, in any order; "" if they do not.
func sameIntervals(a, b []hist.Interval) string {
	key := func(i hist.Interval) string {
		return fmt.Sprint(i.Tag, " ", i.Start.UnixMilli(), " ", i.Length.Milliseconds())
	}
	left := map[string]*hist.Histogram{}
	for _, i := range a {
		left[key(i)] = i.Histogram
	}
	for _, i := range b {
		h := left[key(i)]
		if h == nil || !h.Equal(i.Histogram) {
			return "interval " + key(i) + " is another"
		}
		delete(left, key(i))
	}
	if len(left) > 0 || len(a) != len(b) {
		return fmt.Sprintf("%d intervals, not %d", len(b), len(a))
	}
	return ""
}

// TestCutsMergeToWhole: a log that was cut anywhere is whole again when its parts
// are merged, in any order of the files.
func TestCutsMergeToWhole(t *testing.T) {
	for range 20 {
		seed := rand.Uint64()
		rng := rand.New(rand.NewPCG(seed, 0))
		whole := writeLog(t, randomLog(rng, 2+rng.IntN(8)))
		want := readLogs(t, whole)
		var parts []string
		from := ""
		for _, to := range []string{fmt.Sprint(1 + rng.IntN(2)), fmt.Sprintf("%d.001s", 2+rng.IntN(2)), ""} {
			span, err := ParseRange(from, to)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			var b bytes.Buffer
			if err := Open(Config{Files: []string{whole}, Range: span}).Cut(&b); err == nil {
				parts = append(parts, asFile(t, "part.hlog", b.String()))
			}
			from = to
		}
		rng.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		merged := output(t, Config{Files: parts}, merge(false))
		got := readLogs(t, asFile(t, "merged.hlog", merged))
		if diff := sameIntervals(want, got); diff != "" {
			t.Errorf("seed %d, %d parts: %s", seed, len(parts), diff)
		}
		if !strings.Contains(merged, "#[StartTime: 1700000000.456 ") && len(parts) > 0 {
			t.Errorf("seed %d: the start is lost: %.200s", seed, merged)
		}
	}
}

// totals are the counts of each tag, by value.
func totals(t *testing.T, intervals []hist.Interval) map[string]*hist.Histogram {
	t.Helper()
	out := map[string]*hist.Histogram{}
	for _, i := range intervals {
		if out[i.Tag] == nil {
			out[i.Tag] = hist.New(hist.Config{Digits: 1})
		}
		if err := out[i.Tag].Merge(i.Histogram); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// TestMergeLosesNothing: of logs that have nothing to do with each other, in no
// order, each value is in the merged log once; and with --total in one interval.
func TestMergeLosesNothing(t *testing.T) {
	for _, total := range []bool{false, true} {
		for range 10 {
			seed := rand.Uint64()
			rng := rand.New(rand.NewPCG(seed, 1))
			var files []string
			var all []hist.Interval
			for range 1 + rng.IntN(4) {
				log := randomLog(rng, 6)
				for n := range log {
					log[n].Start = log[n].Start.Add(time.Duration(rng.Int64N(int64(2 * time.Second)))).Truncate(time.Millisecond)
					log[n].Length = time.Duration(rng.IntN(3000)) * time.Millisecond
				}
				if rng.IntN(2) == 0 {
					rng.Shuffle(len(log), func(i, j int) { log[i], log[j] = log[j], log[i] })
				}
				all = append(all, log...)
				files = append(files, writeLog(t, log))
			}
			merged := output(t, Config{Files: files}, merge(total))
			got := readLogs(t, asFile(t, "merged.hlog", merged))
			want, have := totals(t, all), totals(t, got)
			for tag, h := range want {
				// Merging histograms of 3 and 1 digits moves values by less than a bucket.
				if have[tag] == nil || have[tag].Count() != h.Count() {
					t.Errorf("seed %d, total %t: %q has another count", seed, total, tag)
				}
			}
			if total && len(got) != len(want) {
				t.Errorf("seed %d: %d intervals of %d tags", seed, len(got), len(want))
			}
		}
	}
}

// TestMergeByTime: the seconds of two clients whose clocks have different phases become common seconds. The seconds of one
// client stay.
func TestMergeByTime(t *testing.T) {
	client := func(offset time.Duration, n int64) (out []hist.Interval) {
		for s := range 5 {
			h := new(hist.Histogram)
			h.RecordN(1000, n)
			out = append(out, hist.Interval{Start: logStart.Add(time.Duration(s)*time.Second + offset), Length: time.Second, Histogram: h})
		}
		return out
	}
	for _, c := range []struct {
		offset    time.Duration
		intervals int
	}{{0, 5}, {3 * time.Millisecond, 5}, {-400 * time.Millisecond, 5}, {450 * time.Millisecond, 5}, {time.Hour, 10}} {
		a, b := writeLog(t, client(0, 1)), writeLog(t, client(c.offset, 10))
		merged := output(t, Config{Files: []string{a, b}}, merge(false))
		got := readLogs(t, asFile(t, "merged.hlog", merged))
		if len(got) != c.intervals {
			t.Errorf("offset %s: %d intervals, want %d", c.offset, len(got), c.intervals)
		}
		for _, i := range got {
			if n := i.Histogram.Count(); c.intervals == 5 && n != 11 {
				t.Errorf("offset %s: an interval of %d values", c.offset, n)
			}
		}
	}
}
