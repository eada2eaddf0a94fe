package render

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

func TestJMHNames(t *testing.T) {
	var got []string
	for _, row := range jmhRows(jmhNames()) {
		got = append(got, row.key())
	}
	want := []string{
		"gopkg.in.yaml_v3.Parse_d file=a.b_c",
		"gopkg.in.yaml_v3.Parse_d_2 file=a.b_c",
		"gopkg.in.yaml_v3.Plain",
		"gopkg.in.yaml_v3.Parse_raw",
		"gopkg.in.yaml_v3_Parse.Parse file=x deep=2 file_2=y",
		"gopkg.in.yaml_v3_Parse.Parse file=a_b deep=1",
		"github.com.puzpuzpuz.xsync_v4_Map_Load.Map_Load reads=90% procs=1",
		"github.com.puzpuzpuz.xsync_v4_Map_Load.Map_Load reads=90% procs=4",
		"github.com.puzpuzpuz.xsync_v3.Map_Load reads=90%",
		"queue_SPSC.SPSC side=left role=producer side_2=old",
		"queue_SPSC.SPSC side=left role=producer side_2=new",
		"queue_SPSC.SPSC side=left role=all side_2=new",
		"queue_SPSC.SPSC side=left role=all side_2=old",
		"go.Benchmark",
		"go.a_b",
		"go.a_b_2",
		"go.a_b_3",
		"go.a_b_4",
		`v2.a"b\c{}[],:;<>&'`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestJMHModes(t *testing.T) {
	var got []string
	for _, row := range jmhRows(jmhModes()) {
		got = append(got, row.method+" "+jmhMode(row.res))
	}
	if want := "Encode avgt, Decode avgt, Few avgt, SPSC thrpt, Offer sample, Load ss"; strings.Join(got, ", ") != want {
		t.Errorf("%q, want %q", got, want)
	}
	for unit, want := range map[string]float64{"p50-ns": 50, "p99.99-ns": 99.99, "min-ns": 0, "max-ns": 100, "p100-ns": 100} {
		if level, ok := latencyLevel(unit); !ok || level != want {
			t.Errorf("%s: %v %v", unit, level, ok)
		}
	}
	for _, unit := range []string{"ns/op", "p50", "50-ns", "p-ns", "p50-B", "p101-ns", "px-ns", "p1e1-ns", "p5.0.0-ns", "B-ns"} {
		if level, ok := latencyLevel(unit); ok {
			t.Errorf("%s: %v", unit, level)
		}
	}
}

// A p99 beside a throughput, or without a median, is a metric like others.
func TestJMHNotSampled(t *testing.T) {
	s := jmhModes()
	r := s.Results[2]
	r.Unit = "op/s"
	if m := jmhMode(&r); m != jmhThroughput {
		t.Errorf("mode %s", m)
	}
	r = s.Results[2]
	r.Metrics = slices.Clone(r.Metrics)
	r.Metrics[1].Unit = "p95-ns"
	if m := jmhMode(&r); m != jmhAverage {
		t.Errorf("mode %s", m)
	}
}

func TestJMHTime(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "single-shot", -1: "single-shot", 50 * time.Millisecond: "50 ms", time.Second: "1 s", 90 * time.Second: "90 s", 2 * time.Minute: "2 min",
		1500 * time.Millisecond: "1500 ms", 20 * time.Microsecond: "20 us", 7: "7 ns", 1001: "1001 ns",
	} {
		if got := jmhTime(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

// The percentiles of JMH's own Statistics: position p(n+1)/100.
func TestJMHPercentiles(t *testing.T) {
	inf := result.Number(math.Inf(1))
	for _, c := range []struct {
		xs   []result.Number
		want string
	}{
		{nil, "[NaN NaN NaN NaN NaN NaN NaN NaN NaN NaN]"},
		{numbers(7), "[7 7 7 7 7 7 7 7 7 7]"},
		{numbers(3, 1, math.NaN(), 2), "[1 2 3 3 3 3 3 3 3 3]"},
		{numbers(1, 2, 3, 4, 5, 6, 7, 8, 9, 10), "[1 5.5 9.9 10 10 10 10 10 10 10]"},
		{[]result.Number{1, inf, inf}, "[1 +Inf +Inf +Inf +Inf +Inf +Inf +Inf +Inf +Inf]"},
	} {
		before := slices.Clone(c.xs)
		if got := fmt.Sprint(jmhPercentilesOf(c.xs)); got != c.want {
			t.Errorf("%v: %s, want %s", c.xs, got, c.want)
		}
		if len(before) > 0 && before[0] != c.xs[0] {
			t.Errorf("%v became %v", before, c.xs)
		}
	}
}

// Keys of an object are never the same.
func TestJMHUnits(t *testing.T) {
	s := jmhModes()
	s.Results = s.Results[:1]
	m := s.Results[0].Metrics[0]
	for _, unit := range []string{"a\x01", `a\x01`, "\xff", `\xff`, ""} {
		m.Unit = unit
		s.Results[0].Metrics = append(s.Results[0].Metrics, m)
	}
	var keys []string
	row := decode[[]json.RawMessage](t, json.RawMessage(write(t, JMH, s, Options{})))[0]
	for _, m := range members(t, checkKeys(t, row, jmhKeys, jmhOwnKeys)["secondaryMetrics"]) {
		keys = append(keys, m.key)
	}
	if want := []string{"B/op", `a\x01`, `a\x01_2`, `\xff`, `\xff_2`, ""}; !slices.Equal(keys, want) {
		t.Errorf("%q", keys)
	}
}

func FuzzJMH(f *testing.F) {
	for _, r := range append(hostile().Results, jmhNames().Results...) {
		f.Add(r.Pkg, r.Name, r.Unit, r.Role, r.Side)
	}
	f.Fuzz(func(t *testing.T, pkg, name, unit, role, side string) {
		s := jmhModes()
		for i := range s.Results {
			r := &s.Results[i]
			r.Pkg, r.Name, r.Role, r.Side = pkg, name, role, side
			r.Params = record.ParseName(name)
			if i%2 == 0 {
				r.Unit, r.Name = unit, r.Name+"/"+unit
			}
		}
		rows := decode[[]json.RawMessage](t, json.RawMessage(write(t, JMH, s, Options{})))
		seen := map[string]bool{}
		for _, row := range rows {
			chart, r := checkJMHRow(t, row)
			key := fmt.Sprint(chart, " ", r)
			if seen[key] {
				t.Errorf("two rows are %q", key)
			}
			seen[key] = true
		}
		if len(rows) != len(s.Results) {
			t.Errorf("%d rows", len(rows))
		}
	})
}
