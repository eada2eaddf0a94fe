package ycsb

import (
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/load/kv"
)

// checkFile compares a text with a file of testdata.
func checkFile(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		if err := os.WriteFile(file+".got", []byte(got), 0o644); err != nil {
			t.Error(err)
		}
		t.Errorf("%s differs, see %s.got; -update accepts it", file, file)
	}
}

// TestProperties: the list for help, which is also that of all defaults.
func TestProperties(t *testing.T) {
	var b strings.Builder
	for _, p := range Properties() {
		fmt.Fprintf(&b, "%s=%s\n\t%s\n", p.Name, p.Default, p.Short)
	}
	checkFile(t, "properties.txt", b.String())
}

func TestParseDefaults(t *testing.T) {
	c, err := ParseConfig(nil)
	if err != nil || c != Default() {
		t.Errorf("no properties: %+v, %v; want the defaults", c, err)
	}
}

// TestRoundTrip changes every property and reads what is written.
func TestRoundTrip(t *testing.T) {
	changed := map[string]string{
		"table": "t2", "recordcount": "5000", "insertstart": "1000", "insertcount": "2500", "operationcount": "12345678901",
		"keyprefix": "k", "zeropadding": "12", "insertorder": "ordered",
		"fieldcount": "3", "fieldnameprefix": "f", "fieldlengthdistribution": "zipfian", "fieldlength": "77", "minfieldlength": "0",
		"fieldlengthhistogram": "other.txt", "readallfields": "false", "readallfieldsbyname": "true", "writeallfields": "true",
		"readproportion": "0.3", "updateproportion": "0.3", "insertproportion": "0.125", "scanproportion": "0.125", "readmodifywriteproportion": "0.15",
		"requestdistribution": "hotspot", "zipfian.theta": "1.25", "hotspotdatafraction": "0.5", "hotspotopnfraction": "0.75",
		"exponential.percentile": "99.5", "exponential.frac": "1e-05",
		"minscanlength": "2", "maxscanlength": "3", "scanlengthdistribution": "zipfian",
		"core_workload_insertion_retry_limit": "4", "core_workload_insertion_retry_interval": "0.25", "core_workload_insertion_keep_going_on_error": "true",
	}
	c, err := ParseConfig(changed)
	if err != nil {
		t.Fatal(err)
	}
	got := c.Properties()
	def := Default().Properties()
	for _, name := range slices.Sorted(maps.Keys(def)) {
		switch {
		case name == "dataintegrity": // at odds with others above
		case changed[name] == "":
			t.Errorf("the test does not change %s", name)
		case got[name] != changed[name] || got[name] == def[name]:
			t.Errorf("%s=%s is read as %s, the default is %s", name, changed[name], got[name], def[name])
		}
	}
	again, err := ParseConfig(got)
	if err != nil || again != c {
		t.Errorf("read again: %+v, %v\nwant %+v", again, err, c)
	}
	if c, err := ParseConfig(kv.Properties{"dataintegrity": "TRUE"}); err != nil || !c.DataIntegrity || c.Properties()["dataintegrity"] != "true" {
		t.Errorf("dataintegrity=TRUE: %v, %v", c.DataIntegrity, err)
	}
}

// TestParseConfigErrors: each file of testdata/errors is a property file, and
// beside it lies what is said about it.
func TestParseConfigErrors(t *testing.T) {
	files, err := filepath.Glob("testdata/errors/*.properties")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".properties")
		t.Run(name, func(t *testing.T) {
			props, err := kv.ReadProperties(file)
			if err != nil {
				t.Fatal(err)
			}
			got := "valid"
			if c, err := ParseConfig(props); err != nil {
				got = err.Error()
				if c != (Config{}) {
					t.Error("an invalid configuration is returned")
				}
			}
			checkFile(t, filepath.Join("errors", name+".txt"), got+"\n")
		})
	}
}

// TestValidate: contradictions that properties cannot express, or only by one
// line each.
func TestValidate(t *testing.T) {
	nan := math.NaN()
	tests := []struct {
		change func(c *Config)
		want   string // a part of the error, "" for none
	}{
		{func(c *Config) {}, ""},
		{func(c *Config) { *c = Config{} }, "recordcount 0: must be from 1"},
		{func(c *Config) { c.RequestDistribution = "zipf" }, `requestdistribution "zipf": must be one of uniform, zipfian, zipfian-exact`},
		{func(c *Config) { c.ReadProportion = nan }, "readproportion NaN: must be from 0 to 1"},
		{func(c *Config) { c.ReadProportion, c.UpdateProportion = 0.333, 0.666 }, ""},
		{func(c *Config) { c.RequestDistribution, c.ZipfianTheta = ZipfianExact, nan }, "zipfian.theta NaN"},
		{func(c *Config) { c.RequestDistribution, c.ExponentialPercentile = Exponential, nan }, "exponential.percentile NaN"},
		{func(c *Config) { c.RequestDistribution, c.ExponentialPercentile = Exponential, 100 }, "exponential.percentile 100"},
		{func(c *Config) { c.RequestDistribution, c.ExponentialFrac = Exponential, nan }, "exponential.frac NaN"},
		{func(c *Config) { c.HotspotDataFraction = nan }, ""}, // is not looked at
		{func(c *Config) { c.RequestDistribution, c.HotspotDataFraction = Hotspot, nan }, "hotspotdatafraction NaN"},
		{func(c *Config) { c.RequestDistribution, c.HotspotDataFraction = Hotspot, 0.0001 }, "no record is hot"},
		{func(c *Config) { c.RequestDistribution, c.HotspotDataFraction = Hotspot, 1 }, "all records are hot"},
		{func(c *Config) { c.RecordCount, c.OperationCount = 1<<60, 1<<60 }, ""},
		{func(c *Config) { c.RecordCount = 1<<60 + 1 }, "recordcount"},
		{func(c *Config) { c.InsertStart, c.InsertCount = 900, 101 }, "insertstart 900 + insertcount 101: more than recordcount 1000"},
		{func(c *Config) { c.InsertStart = 1000 }, "insertstart 1000: there are records up to 999 only"},
		{func(c *Config) { c.FieldLengthDistribution, c.FieldLengthHistogram = Histogram, "" }, "fieldlengthhistogram: must name a file"},
		{func(c *Config) { c.FieldLengthDistribution, c.MinFieldLength = Uniform, 101 }, "minfieldlength 101: must be from 0 to fieldlength 100"},
		{func(c *Config) { c.FieldLength = 1 << 30 }, "more than 1 GiB"},
		{func(c *Config) { c.DataIntegrity, c.FieldLengthDistribution = true, Uniform }, "dataintegrity: needs fieldlengthdistribution constant"},
		{func(c *Config) { c.DataIntegrity, c.KeyPrefix = true, "ключ" }, "ASCII"},
		{func(c *Config) { c.InsertionRetryInterval = -1 }, "core_workload_insertion_retry_interval -1ns"},
	}
	for i, tt := range tests {
		c := Default()
		tt.change(&c)
		err := c.Validate()
		if (err == nil) != (tt.want == "") || (err != nil && !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("case %d: %v, want %q", i, err, tt.want)
		}
		if err == nil {
			newKeyChooser(&c) // must not panic
		}
		if _, err := New(c, newStore()); (err == nil) != (tt.want == "") {
			t.Errorf("case %d: New says %v", i, err)
		}
	}
}

func FuzzParseConfig(f *testing.F) {
	f.Add("recordcount", "100", "insertstart", "99", "requestdistribution", "zipfian-exact")
	f.Add("insertproportion", "1", "readproportion", "0", "updateproportion", "0")
	f.Add("zipfian.theta", "20", "requestdistribution", "zipfian-exact", "recordcount", "1152921504606846976")
	f.Add("fieldlength", "1", "operationcount", "1152921504606846976", "keyprefix", "\xff")
	f.Add("requestdistribution", "exponential", "exponential.percentile", "1e-300", "exponential.frac", "1e-300")
	f.Fuzz(func(t *testing.T, n1, v1, n2, v2, n3, v3 string) {
		c, err := ParseConfig(kv.Properties{n1: v1, n2: v2, n3: v3})
		if err != nil {
			return
		}
		again, err := ParseConfig(c.Properties())
		if err != nil || again != c {
			t.Fatalf("%+v is written and read as %+v, %v", c, again, err)
		}
		// Whatever is valid chooses records that are there.
		l, last := newKeyChooser(&c), c.RecordCount-1
		keys := newKeyText(&c)
		r := random{}
		for k := range uint64(50) {
			r.start(c.Seed, k)
			record := l.next(&r, last)
			if record < 0 || record > last {
				t.Fatalf("%+v: operation %d is about record %d of %d", c, k, record, c.RecordCount)
			}
			if key := keys.key(record); !strings.HasPrefix(string(key), c.KeyPrefix) {
				t.Fatalf("key %q", key)
			}
		}
	})
}
