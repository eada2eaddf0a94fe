package measurement

import (
	"reflect"
	"strings"
	"testing"
	"time"
)

// TestDefaults: those of YCSB's Measurements and its types.
func TestDefaults(t *testing.T) {
	got, err := Parse(nil)
	want := Config{
		Type: "hdrhistogram", Percentiles: []float64{50, 95, 99}, SeriesPercentiles: []float64{95, 99}, Buckets: 1000, Granularity: time.Second,
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
}

func TestForms(t *testing.T) {
	for typ, want := range map[string][]Form{
		"raw":                    {{Raw, ""}},
		"hdrhistogram+histogram": {{HdrHistogram, "Hdr"}, {Histogram, "Bucket"}},
		"hdrhistogram+raw":       {{HdrHistogram, "Hdr"}, {Raw, "Raw"}},
	} {
		c, err := Parse(map[string]string{"measurementtype": typ})
		if err != nil || !reflect.DeepEqual(c.Forms(), want) {
			t.Errorf("%s: %v, %v", typ, c.Forms(), err)
		}
		if !c.Has(want[len(want)-1].Type) || c.Has(TimeSeries) {
			t.Errorf("%s: types", typ)
		}
	}
}

// TestWrong: all that is wrong is said at once, by name and value.
func TestWrong(t *testing.T) {
	_, err := Parse(map[string]string{
		"measurementtype": "csv", "measurement.interval": "10", "hdrhistogram.percentiles": "50,x", "timeseries.percentiles": "101",
		"histogram.buckets": "0", "timeseries.granularity": "1s", "hdrhistogram.fileoutput": "maybe",
	})
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{
		"property measurementtype=csv: want hdrhistogram, histogram", "measurement.interval=10: want op, intended, both", "hdrhistogram.percentiles=50,x:",
		"timeseries.percentiles=101:", "histogram.buckets=0: want a number from 1 to", "timeseries.granularity=1s:", "hdrhistogram.fileoutput=maybe: want true or false",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in %v", want, err)
		}
	}
}

func TestIdle(t *testing.T) {
	c, err := Parse(map[string]string{"measurementtype": "timeseries", "hdrhistogram.fileoutput": "true"})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"hdrhistogram.output.path": "needs hdrhistogram.fileoutput=true", "histogram.buckets": "of measurementtype=histogram",
		"timeseries.granularity": "", "measurementtype": "",
	} {
		if why, ok := c.Idle(name); why != want || !ok {
			t.Errorf("%s: %q, %v", name, why, ok)
		}
	}
	if _, ok := c.Idle("redis.addr"); ok {
		t.Error("redis.addr is a property of a database")
	}
	c.Type, c.LogFiles = string(HdrHistogram), true
	if why, _ := c.Idle("hdrhistogram.output.path"); why != "" {
		t.Errorf("it does something: %s", why)
	}
}
