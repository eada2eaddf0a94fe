package cli

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/record"
)

func TestParseBound(t *testing.T) {
	start := time.Unix(2_000_000_000, 0).UTC()
	for text, want := range map[string]time.Duration{
		"0": 0, "90": 90 * time.Second, "1.5": 1500 * time.Millisecond, "1m30s": 90 * time.Second, "250ms": 250 * time.Millisecond,
		"2000000007.25": 7250 * time.Millisecond, "2033-05-18T03:33:25Z": 5 * time.Second, "2033-05-18 03:33:20.5Z": 500 * time.Millisecond,
		"2033-05-18T05:33:20+02:00": 0, "999999999": 999_999_999 * time.Second, "1e9": -1_000_000_000 * time.Second,
	} {
		b, err := parseBound(text)
		if err != nil || !b.set {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := b.time(start).Sub(start); got != want {
			t.Errorf("%s: %s after the start, want %s", text, got, want)
		}
	}
	for _, text := range []string{"-1", "x", "1x", "NaN", "Inf", "-5s", "1e12", "2033-05-18", "0x10p900"} {
		if b, err := parseBound(text); !errors.Is(err, errBound) {
			t.Errorf("%s: %v, %v", text, b, err)
		}
	}
	if b, err := parseBound(""); b.set || err != nil {
		t.Errorf("without a text: %v, %v", b, err)
	}
}

func TestRangeFlags(t *testing.T) {
	for _, c := range []struct {
		from, to string
		ok       bool
	}{
		{"", "", true}, {"5", "6", true}, {"5", "5", false}, {"6", "5s", false}, {"2e9", "1999999999", false},
		{"2e9", "5", true}, // of different kinds: whether it is empty depends on the log
		{"x", "", false}, {"", "x", false},
	} {
		_, err := (&rangeFlags{c.from, c.to}).parse()
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

func TestTags(t *testing.T) {
	for tag, want := range map[string][2]string{
		"READ.response": {"READ", "response"}, "a.b.service": {"a.b", "service"}, "READ": {"READ", ""}, "x.y": {"x.y", ""}, "": {"", ""},
	} {
		if name, kind := kindOf(tag); name != want[0] || kind != want[1] {
			t.Errorf("%s: %q, %q", tag, name, kind)
		}
	}
	if got := histTag("Read/n=1,2", "", "a b", "service"); got != "Read/n=1_2.a_b.service" {
		t.Errorf("tag %s", got)
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

func TestLatencyFigures(t *testing.T) {
	for _, c := range []struct {
		ns   int64
		unit string
		want string
	}{
		{0, "ns", "0"}, {1, "s", "0.000000001"}, {1500, "us", "1.5"}, {12, "ms", "0.000012"}, {3e9, "s", "3"}, {100, "ns", "100"}, {1e6, "us", "1000"},
		{math.MaxInt64, "ns", "9223372036854775807"}, {math.MaxInt64, "s", "9223372036.854775807"},
	} {
		if got := exactly(c.ns, c.unit); got != c.want {
			t.Errorf("%d ns is %s %s, want %s", c.ns, got, c.unit, c.want)
		}
	}
	for ns, want := range map[float64]string{28: "0.000028 ms", 1234567: "1.235 ms", 12345678: "12.35 ms", 99999e6: "99999 ms", 0: "0 ms"} {
		if c := latencyCell(ns, "ms"); c.number+" "+c.unit != want {
			t.Errorf("%v ns is %s %s, want %s", ns, c.number, c.unit, want)
		}
	}
	for ns, want := range map[float64]string{28: "28 ns", 28.26: "28.3 ns", 999: "999 ns", 1234567: "1.23 ms", 0: "0 ns", 61e9: "61.0 s"} {
		if c := latencyCell(ns, ""); c.number+" "+c.unit != want {
			t.Errorf("%v ns is %s %s, want %s", ns, c.number, c.unit, want)
		}
	}
	for n, want := range map[int64]string{0: "0", 9999: "9999", 10000: "10 000", 1234567: "1 234 567", math.MaxInt64: "9 223 372 036 854 775 807"} {
		if got := grouped(n); got != want {
			t.Errorf("%d is %s", n, got)
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
	text := runHist(t, inputFlags{}, []string{path}, (&convertFlags{values: valueFlags{unit: 1}}).json)
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
	if diff := sameIntervals(readLogs(t, inputFlags{}, path), got); diff != "" {
		t.Errorf("seed %d: %s", seed, diff)
	}
}

func TestCSV(t *testing.T) {
	seed := rand.Uint64()
	path := writeLog(t, randomLog(rand.New(rand.NewPCG(seed, 3)), 5))
	f := &convertFlags{values: valueFlags{unit: 1}, unit: "us"}
	rows, err := csv.NewReader(strings.NewReader(runHist(t, inputFlags{}, []string{path}, f.csv))).ReadAll()
	want := readLogs(t, inputFlags{}, path)
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

// TestInUnits: in another unit counts stay, and values to their digits.
func TestInUnits(t *testing.T) {
	var h hist.Histogram
	for v := int64(1); v < 1e9; v = v*3 + 1 {
		h.RecordN(v, v%7+1)
	}
	h.Record(math.MaxInt64)
	ns := inUnits(&h, 1000)
	if ns.Count() != h.Count() || ns.Max() != math.MaxInt64 {
		t.Errorf("count %d of %d, maximum %d", ns.Count(), h.Count(), ns.Max())
	}
	for _, p := range []float64{10, 50, 90, 95} {
		if a, b := float64(h.ValueAtPercentile(p))*1000, float64(ns.ValueAtPercentile(p)); math.Abs(a/b-1) > 2e-3 {
			t.Errorf("p%v: %v ns, want %v", p, b, a)
		}
	}
}

// latencies is a line of a record.
func latencies(t *testing.T, l record.Hist, values int64) *record.Hist {
	t.Helper()
	h := new(hist.Histogram)
	h.RecordN(1000, values)
	var err error
	if l.Data, err = h.Encode(); err != nil {
		t.Fatal(err)
	}
	l.Unit = "ns"
	return &l
}

// TestRecordReader: of a load run the measured phase counts, whether the lines of an
// interval come before or after its histograms; of a benchmark, measured iterations of
// forks that ended well.
func TestRecordReader(t *testing.T) {
	const second = int64(time.Second)
	load := func(phase string, at int64) *record.Load {
		return &record.Load{Phase: phase, Start: at, Length: second}
	}
	read := func(at, n int64) *record.Hist {
		return latencies(t, record.Hist{Name: "READ", Tag: record.TagResponse, Start: at, Length: second}, n)
	}
	fork := func(id, iter int, n int64) *record.Hist {
		return latencies(t, record.Hist{Fork: id, Iter: iter, Tag: record.TagService, Start: int64(id) * second}, n)
	}
	ended := func(id int, purpose, state string) *record.Fork {
		return &record.Fork{ID: id, Case: 1, Purpose: purpose, State: state}
	}
	run := &record.Run{Version: 1, Start: logStart, Mono: 5 * second, Config: record.Config{Warmup: 1}}
	for name, c := range map[string]struct {
		lines []record.Line
		want  string // tag, second and count of each
	}{
		"load first": {[]record.Line{load("load", 5*second), read(5*second, 1), load("warmup", 6*second), read(6*second, 2), load("run", 7*second), read(7*second, 4), load("run", 8*second), read(8*second, 8)}, "READ.response 2 4, READ.response 3 8"},
		"load last":  {[]record.Line{read(5*second, 1), load("warmup", 5*second), read(6*second, 2), read(6*second, 4), load("run", 6*second), &record.Load{Phase: "run", Final: true}}, "READ.response 1 2, READ.response 1 4"},
		"cut off":    {[]record.Line{load("run", 5*second), read(5*second, 1), read(6*second, 2)}, "READ.response 0 1, READ.response 1 2"},
		"no load":    {[]record.Line{read(5*second, 1)}, "READ.response 0 1"},
		"forks": {[]record.Line{
			&record.Case{ID: 1, Name: "Get/n=1,2"}, fork(1, 1, 1), fork(1, 2, 2), ended(1, "timing", "ok"),
			fork(2, 2, 4), ended(2, "timing", "failed"), fork(3, 2, 8), ended(3, "pilot", "ok"), fork(4, 2, 16), ended(4, "timing", "ok"), fork(5, 2, 32),
		}, "Get/n=1_2.service -4 2, Get/n=1_2.service -1 16"},
	} {
		var b bytes.Buffer
		w := record.NewWriter(&b)
		for _, l := range append([]record.Line{run}, c.lines...) {
			if err := w.Write(l); err != nil {
				t.Fatal(err)
			}
		}
		r := newRecordReader(&b, name)
		var got []string
		for {
			i, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got = append(got, strings.Join([]string{i.Tag, strconv.Itoa(int(i.Start.Sub(logStart).Seconds())), strconv.FormatInt(i.Histogram.Count(), 10)}, " "))
		}
		if text := strings.Join(got, ", "); text != c.want {
			t.Errorf("%s: %s, want %s", name, text, c.want)
		}
		if n, err := r.Skipped(); n > 0 {
			t.Errorf("%s: %d lines skipped: %v", name, n, err)
		}
	}
}

// FuzzHistInput: whatever the input, it is read to its end or refused in a line.
func FuzzHistInput(f *testing.F) {
	f.Add([]byte("#[Histogram log format version 1.3]\n1.0,1.0,1.0,HISTFAAAABx42pNpmSzMwMDAyAABzFAaxmey/wBlAQA8yQJ9\nTag=x,2.0,1.0,x,y\n"))
	f.Add([]byte("{\"k\":\"run\",\"v\":1}\n{\"k\":\"hist\",\"name\":\"READ\",\"tag\":\"service\",\"data\":\"AAAA\"}\n{\"k\":"))
	f.Add([]byte("\ufeff {"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var said bytes.Buffer
		in := &input{s: streams{in: bytes.NewReader(data), err: &said}, files: []string{"-"}}
		all, err := in.distributions()
		if err == nil && len(all) == 0 {
			t.Error("neither a distribution nor an error")
		}
		if err != nil && len(all) == 0 && strings.TrimSpace(err.Error()) == "" {
			t.Error("an error without words")
		}
		for line := range strings.Lines(said.String()) {
			if !strings.HasPrefix(line, "tare: ") {
				t.Errorf("said %q", line)
			}
		}
	})
}
