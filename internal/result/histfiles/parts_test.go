package histfiles

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/result/latencies"
)

func TestParseBound(t *testing.T) {
	start := time.Unix(2_000_000_000, 0).UTC()
	for text, want := range map[string]time.Duration{
		"0": 0, "90": 90 * time.Second, "1.5": 1500 * time.Millisecond, "1m30s": 90 * time.Second, "250ms": 250 * time.Millisecond,
		"2000000007.25": 7250 * time.Millisecond, "2033-05-18T03:33:25Z": 5 * time.Second, "2033-05-18 03:33:20.5Z": 500 * time.Millisecond,
		"2033-05-18T05:33:20+02:00": 0, "999999999": 999_999_999 * time.Second, "1e9": -1_000_000_000 * time.Second,
	} {
		b, err := parseBound(text)
		if err != nil || !b.Set {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := b.Time(start).Sub(start); got != want {
			t.Errorf("%s: %s after the start, want %s", text, got, want)
		}
	}
	for _, text := range []string{"-1", "x", "1x", "NaN", "Inf", "-5s", "1e12", "2033-05-18", "0x10p900"} {
		if b, err := parseBound(text); !errors.Is(err, errBound) {
			t.Errorf("%s: %v, %v", text, b, err)
		}
	}
	if b, err := parseBound(""); b.Set || err != nil {
		t.Errorf("without a text: %v, %v", b, err)
	}
}

func TestParseRange(t *testing.T) {
	for _, c := range []struct {
		from, to string
		ok       bool
	}{
		{"", "", true}, {"5", "6", true}, {"5", "5", false}, {"6", "5s", false}, {"2e9", "1999999999", false},
		{"2e9", "5", true}, // of different kinds: whether it is empty depends on the log
		{"x", "", false}, {"", "x", false},
	} {
		_, err := ParseRange(c.from, c.to)
		if (err == nil) != c.ok {
			t.Errorf("%q to %q: %v", c.from, c.to, err)
		}
	}
}

func TestMatchesTag(t *testing.T) {
	for _, c := range []struct {
		patterns, tag string
		want          bool
	}{
		{"", "", true}, {"READ", "READ", true}, {"READ", "READ.x", false}, {"READ*", "READ.x", true}, {"*.x", "READ.x", true},
		{"*", "", true}, {"*", "a/b", true}, {"a*b*c", "abbc", true}, {"a*b*c", "abb", false}, {"(untagged)", "", true}, {"x,READ", "READ", true},
	} {
		if got := matchesTag(strings.Split(c.patterns, ","), c.tag); got != c.want {
			t.Errorf("%q of %q: %t", c.patterns, c.tag, got)
		}
	}
	if !matchesTag(nil, "x") || matchesTag([]string{""}, "x") {
		t.Error("no pattern is not all tags, or the empty pattern not the empty tag")
	}
}

// TestJavaFixed: halves of the decimal number go up, whatever it is in binary.
func TestJavaFixed(t *testing.T) {
	for _, c := range []struct {
		x      float64
		places int
		want   string
	}{
		{0.0005, 3, "0.001"}, {0.0015, 3, "0.002"}, {2.0005, 3, "2.001"}, {1.0005, 3, "1.001"}, {9.9995, 3, "10.000"}, {0.00049999, 3, "0.000"},
		{123.456, 3, "123.456"}, {7, 3, "7.000"}, {1e22, 2, "10000000000000000000000.00"}, {-1.5, 0, "-2"}, {99.5, 0, "100"}, {0, 5, "0.00000"},
	} {
		if got := javaFixed(c.x, c.places); got != c.want {
			t.Errorf("%v to %d places: %s, want %s", c.x, c.places, got, c.want)
		}
	}
}

// TestHgrmEnds: a distribution of more values than float64 can count, where Java
// goes on forever.
func TestHgrmEnds(t *testing.T) {
	var h hist.Histogram
	h.RecordN(77, 1<<55)
	h.Record(1 << 40)
	var b bytes.Buffer
	if err := (&hgrm{hist: &h, start: logStart, ratio: 1}).write(&b); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "\n"); n < 200 || n > 400 || !strings.Contains(b.String(), "1.000000000000 36028797018963969\n") {
		t.Errorf("%d lines:\n%s", n, b.String())
	}
}

// TestJSONHasAll: from the buckets of the JSON every histogram can be made again.
func TestJSONHasAll(t *testing.T) {
	seed := rand.Uint64()
	path := writeLog(t, randomLog(rand.New(rand.NewPCG(seed, 2)), 5))
	text := output(t, Config{Files: []string{path}}, (*Input).writeJSON)
	var all struct {
		Unit      string
		Intervals []jsonInterval
	}
	if err := json.Unmarshal([]byte(text), &all); err != nil || all.Unit != "ns" {
		t.Fatalf("%v:\n%s", err, text)
	}
	var got []hist.Interval
	for _, j := range all.Intervals {
		h := hist.New(hist.Config{Digits: j.Digits})
		for _, b := range j.Buckets {
			h.RecordN(b[0], b[2])
		}
		at, err := time.Parse(time.RFC3339, j.Start)
		if err != nil || h.Count() != j.Count || min(h.ValueAtPercentile(99), j.Max) != j.P99 {
			t.Errorf("seed %d: %v: %+v", seed, err, j.Percentiles)
		}
		got = append(got, hist.Interval{Tag: j.Tag, Start: at, Length: time.Duration(j.Length * float64(time.Second)), Histogram: h})
	}
	if diff := sameIntervals(readLogs(t, path), got); diff != "" {
		t.Errorf("seed %d: %s", seed, diff)
	}
}

func TestCSV(t *testing.T) {
	seed := rand.Uint64()
	path := writeLog(t, randomLog(rand.New(rand.NewPCG(seed, 3)), 5))
	convert := func(in *Input, w io.Writer) error {
		return in.Convert(w, Conversion{Format: "csv", Unit: latencies.Microsecond})
	}
	rows, err := csv.NewReader(strings.NewReader(output(t, Config{Files: []string{path}}, convert))).ReadAll()
	want := readLogs(t, path)
	if err != nil || len(rows) != 1+len(want) {
		t.Fatalf("seed %d: %v, %d rows of %d intervals", seed, err, len(rows), len(want))
	}
	for n, i := range want {
		row := rows[n+1]
		if row[1] != i.Tag || row[5] != strconv.FormatInt(i.Histogram.Count(), 10) {
			t.Errorf("seed %d: %v", seed, row)
		}
		if i.Histogram.Count() == 0 {
			continue
		}
		if most, err := strconv.ParseFloat(row[13], 64); err != nil || math.Round(most*1000) != float64(i.Histogram.Max()) {
			t.Errorf("seed %d: maximum %s, want %d ns", seed, row[13], i.Histogram.Max())
		}
	}
}

// TestScaleHistogram: in another unit counts stay, and values to their digits.
func TestScaleHistogram(t *testing.T) {
	var h hist.Histogram
	for v := int64(1); v < 1e9; v = v*3 + 1 {
		h.RecordN(v, v%7+1)
	}
	h.Record(math.MaxInt64)
	ns := scaleHistogram(&h, 1000)
	if ns.Count() != h.Count() || ns.Max() != math.MaxInt64 {
		t.Errorf("count %d of %d, maximum %d", ns.Count(), h.Count(), ns.Max())
	}
	for _, p := range []float64{10, 50, 90, 95} {
		if a, b := float64(h.ValueAtPercentile(p))*1000, float64(ns.ValueAtPercentile(p)); math.Abs(a/b-1) > 2e-3 {
			t.Errorf("p%v: %v ns, want %v", p, b, a)
		}
	}
}

// FuzzHistInput: whatever the input, it is read to its end or refused in a line.
func FuzzHistInput(f *testing.F) {
	f.Add([]byte("#[Histogram log format version 1.3]\n1.0,1.0,1.0,HISTFAAAABx42pNpmSzMwMDAyAABzFAaxmey/wBlAQA8yQJ9\nTag=x,2.0,1.0,x,y\n"))
	f.Add([]byte("{\"k\":\"run\",\"v\":1}\n{\"k\":\"hist\",\"name\":\"READ\",\"tag\":\"service\",\"data\":\"AAAA\"}\n{\"k\":"))
	f.Add([]byte("\ufeff {"))
	f.Fuzz(func(t *testing.T, data []byte) {
		in := Open(Config{Stdin: bytes.NewReader(data), Files: []string{"-"}})
		all, err := in.Distributions()
		if err == nil && len(all) == 0 {
			t.Error("neither a distribution nor an error")
		}
		if err != nil && len(all) == 0 && strings.TrimSpace(err.Error()) == "" {
			t.Error("an error without words")
		}
	})
}

// TestUnanswered: operations that were never answered count in the percentiles of their kind, also where only
// that tag was selected, and the figures that they decide are lower bounds.
func TestUnanswered(t *testing.T) {
	for _, tags := range [][2]string{{"READ.response", "READ.unanswered"}, {"Intended-READ", "READ-UNANSWERED"}} {
		var log bytes.Buffer
		w := hist.NewLogWriter(&log, hist.LogConfig{Start: time.Unix(1e9, 0)})
		for n, tag := range tags {
			var h hist.Histogram
			h.RecordN([]int64{1e6, 8e9}[n], []int64{80, 20}[n])
			if err := w.Write(hist.Interval{Tag: tag, Start: time.Unix(1e9, 0), Length: time.Second, Histogram: &h}); err != nil {
				t.Fatal(err)
			}
		}
		in := Open(Config{Stdin: &log, Files: []string{"-"}, Tags: tags[:1]})
		all, err := in.Distributions()
		if err != nil || len(all) != 1 || all[0].Unanswered() != 20 {
			t.Fatalf("%s: %d distributions, %v", tags[0], len(all), err)
		}
		p, atLeast := all[0].Percentiles()
		if p.Count != 80 || p.P50 > 1.01e6 || p.P90 < 7.9e9 || !slices.Equal(atLeast, []string{"mean", "p90", "p99", "p99.9", "p99.99", "max"}) {
			t.Errorf("%s: %+v, lower bounds %q", tags[0], p, atLeast)
		}
		if x, bound := all[0].Percentile(75); x > 1.01e6 || bound {
			t.Errorf("%s: p75 is %d, a bound: %v", tags[0], x, bound)
		}
	}
}
