package latencies

import (
	"bytes"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/record"
)

func TestTags(t *testing.T) {
	for tag, want := range map[string][2]string{
		"READ.response": {"READ", "response"}, "a.b.service": {"a.b", "service"}, "READ": {"READ", ""}, "x.y": {"x.y", ""}, "": {"", ""},
	} {
		if name, kind := SplitTag(tag); name != want[0] || kind != want[1] {
			t.Errorf("%s: %q, %q", tag, name, kind)
		}
	}
	if got := JoinTag("Read/n=1,2", "", "a b", "service"); got != "Read/n=1_2.a_b.service" {
		t.Errorf("tag %s", got)
	}
}

// TestExact: every digit down to 1 ns is written.
func TestExact(t *testing.T) {
	for _, c := range []struct {
		ns   int64
		unit TimeUnit
		want string
	}{
		{0, Nanosecond, "0"}, {1, Second, "0.000000001"}, {1500, Microsecond, "1.5"}, {12, Millisecond, "0.000012"}, {3e9, Second, "3"}, {100, Nanosecond, "100"}, {1e6, Microsecond, "1000"},
		{math.MaxInt64, Nanosecond, "9223372036854775807"}, {math.MaxInt64, Second, "9223372036.854775807"},
	} {
		if got := c.unit.Exact(c.ns); got != c.want {
			t.Errorf("%d ns is %s %s, want %s", c.ns, got, c.unit.Name, c.want)
		}
	}
}

// histLine is a histogram of so many values.
func histLine(t *testing.T, l record.Hist, values int64) *record.Hist {
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

// TestLatencyReader: of a load run the measured phase counts, whether the lines of an
// interval come before or after its histograms; of a benchmark, measured iterations of
// forks that ended well.
func TestLatencyReader(t *testing.T) {
	start := time.UnixMilli(1_700_000_000_456).UTC()
	const second = int64(time.Second)
	load := func(phase string, at int64) *record.Load {
		return &record.Load{Phase: phase, Start: at, Length: second}
	}
	read := func(at, n int64) *record.Hist {
		return histLine(t, record.Hist{Name: "READ", Tag: record.TagResponse, Start: at, Length: second}, n)
	}
	fork := func(id, iter int, n int64) *record.Hist {
		return histLine(t, record.Hist{Fork: id, Iter: iter, Tag: record.TagService, Start: int64(id) * second}, n)
	}
	ended := func(id int, purpose, state string) *record.Fork {
		return &record.Fork{ID: id, Case: 1, Purpose: purpose, State: state}
	}
	run := &record.Run{Version: 1, Start: start, Mono: 5 * second, Config: record.Config{Warmup: 1}}
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
		r := NewReader(&b, name)
		var got []string
		for {
			i, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got = append(got, strings.Join([]string{i.Tag, strconv.Itoa(int(i.Start.Sub(start).Seconds())), strconv.FormatInt(i.Histogram.Count(), 10)}, " "))
		}
		if text := strings.Join(got, ", "); text != c.want {
			t.Errorf("%s: %s, want %s", name, text, c.want)
		}
		if n, err := r.Skipped(); n > 0 {
			t.Errorf("%s: %d lines skipped: %v", name, n, err)
		}
	}
}
