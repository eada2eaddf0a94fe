package render

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// jmhRow is a row as JMH's readers know it: its name with the parameters behind it.
type jmhRow struct{ name, mode string }

func jmhRows(t *testing.T, s *result.Result) (out []jmhRow) {
	for _, object := range decode[[]json.RawMessage](t, json.RawMessage(write(t, JMH, s, Options{}))) {
		v := checkKeys(t, object, jmhKeys, jmhOwnKeys)
		row := jmhRow{name: decode[string](t, v["benchmark"]), mode: decode[string](t, v["mode"])}
		if v["params"] != nil {
			for _, p := range members(t, v["params"]) {
				row.name += " " + p.key + "=" + decode[string](t, p.value)
			}
		}
		out = append(out, row)
	}
	return out
}

func TestJMHNames(t *testing.T) {
	var got []string
	for _, row := range jmhRows(t, jmhNames()) {
		got = append(got, row.name)
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
	for _, row := range jmhRows(t, jmhModes()) {
		got = append(got, row.name[strings.LastIndexByte(row.name, '.')+1:]+" "+row.mode)
	}
	if want := "Encode size=1k avgt, Decode avgt, Few avgt, SPSC thrpt, Offer sample, Load ss"; strings.Join(got, ", ") != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A p99 beside a throughput, or without a median, is a metric like others.
func TestJMHNotSampled(t *testing.T) {
	s := jmhModes()
	s.Results = s.Results[2:3]
	s.Results[0].Unit = "op/s"
	if m := jmhRows(t, s)[0].mode; m != "thrpt" {
		t.Errorf("mode %s", m)
	}
	s.Results[0].Unit = jmhModes().Results[2].Unit
	s.Results[0].Metrics[1].Unit = "p95-ns"
	if m := jmhRows(t, s)[0].mode; m != "avgt" {
		t.Errorf("mode %s", m)
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
	if want := []string{"B/op", "usedMem_fin-B", `a\x01`, `a\x01_2`, `\xff`, `\xff_2`, ""}; !slices.Equal(keys, want) {
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
