package loadrun

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/base/clock"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/record"
)

// filesOf opens the files of a run with these properties.
func filesOf(t *testing.T, ycsbText bool, rate string, props ...string) *YCSBFiles {
	t.Helper()
	p, err := planFor("mock", func(o *job.Load) { o.Properties, o.Rate = props, rate }, Program{Bindings: testBindings(), YCSBText: ycsbText})
	if err != nil {
		t.Fatal(err)
	}
	f, err := openYCSBFiles(p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.remove)
	return f
}

// TestSeries: which series YCSB has depends on measurement.interval, and on the loop.
func TestSeries(t *testing.T) {
	tags := []string{record.TagService, record.TagResponse, record.TagFailed, record.TagLateness}
	for _, c := range []struct {
		interval, rate string
		want           []string
	}{
		{"op", "10", []string{"READ", "", "READ-FAILED", ""}},
		{"intended", "10", []string{"", "READ", "READ-FAILED", ""}},
		{"both", "10", []string{"READ", "Intended-READ", "READ-FAILED", ""}},
		{"intended", "", []string{"READ", "", "READ-FAILED", ""}},
		{"both", "", []string{"READ", "", "READ-FAILED", ""}},
	} {
		f := filesOf(t, true, c.rate, "measurementtype=raw", "measurement.interval="+c.interval)
		var got []string
		for _, tag := range tags {
			got = append(got, f.series("READ", tag))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s at %q: %q, want %q", c.interval, c.rate, got, c.want)
		}
	}
}

// TestRaw: each latency is in the file once, below the name of its series, with the time at which it ended.
func TestRaw(t *testing.T) {
	path := filepath.Join(t.TempDir(), "raw.txt")
	if err := os.WriteFile(path, []byte("earlier\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	f := filesOf(t, false, "10", "measurementtype=raw", "measurement.raw.output_file="+path)
	observe := f.observe([]string{"READ", "UPDATE"})
	before, end := time.Now(), clock.Now()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				observe(load.Operation{Kind: 0, Due: end - 5_000_000, Start: end - 2_000_999, End: end})
			}
		})
	}
	wg.Wait()
	observe(load.Operation{Kind: 1, Due: end - 7_000_000, Start: end - 1_000_000, End: end, Failed: true})
	if err := f.close(true); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got := regexp.MustCompile(`,1\d{12},`).ReplaceAllStringFunc(string(text), func(s string) string {
		var ms int64
		fmt.Sscanf(s, ",%d,", &ms)
		if off := time.UnixMilli(ms).Sub(before).Abs(); off > time.Second {
			t.Errorf("a latency of %v from now", off)
		}
		return ",t,"
	})
	want := "earlier\n" +
		"READ latency raw data: op, timestamp(ms), latency(us)\n" + strings.Repeat("READ,t,2000\n", 200) +
		"Intended-READ latency raw data: op, timestamp(ms), latency(us)\n" + strings.Repeat("Intended-READ,t,5000\n", 200) +
		"UPDATE-FAILED latency raw data: op, timestamp(ms), latency(us)\nUPDATE-FAILED,t,1000\n" +
		"Intended-UPDATE-FAILED latency raw data: op, timestamp(ms), latency(us)\nIntended-UPDATE-FAILED,t,7000\n"
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	dir := f.raw.dir.Path
	f.remove()
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the temporary directory stays: %v", err)
	}
}

// TestSeriesLogs: each series has a log in microseconds, and its name leads to no other directory.
func TestSeriesLogs(t *testing.T) {
	dir := t.TempDir()
	f := filesOf(t, false, "10", "hdrhistogram.fileoutput=true", "hdrhistogram.output.path="+filepath.Join(dir, "log-"), "measurementtype=hdrhistogram+histogram")
	run := &record.Run{Start: time.Unix(1_700_000_000, 0), Mono: 5e9}
	h := hist.New(hist.Config{})
	h.RecordN(4_000_000, 10)
	data, err := h.Encode()
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct{ name, tag string }{{"READ", record.TagService}, {"READ", record.TagResponse}, {"../x/READ", record.TagService}, {"READ", record.TagLateness}} {
		for n := range int64(2) {
			if err := f.write(&record.Hist{Name: x.name, Tag: x.tag, Start: 6e9 + n*1e9, Length: 1e9, Unit: "ns", Data: data}, run); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := f.close(true); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	var names []string
	for _, file := range files {
		names = append(names, filepath.Base(file))
	}
	if want := []string{"log-Hdr.._x_READ.hdr", "log-HdrIntended-READ.hdr", "log-HdrREAD.hdr"}; !slices.Equal(names, want) {
		t.Fatalf("%q, want %q", names, want)
	}
	in, err := os.Open(files[2])
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	r, n := hist.NewLogReader(in, "log"), 0
	for i, err := range r.All() {
		if err != nil || i.Tag != "" || i.Start.Unix() != int64(1_700_000_001+n) || i.Histogram.Count() != 10 || i.Histogram.Max() < 4000 || i.Histogram.Max() > 4004 {
			t.Errorf("%+v, max %d, %v", i, i.Histogram.Max(), err)
		}
		n++
	}
	if n != 2 {
		t.Errorf("%d intervals", n)
	}
}

// TestNoYCSBFiles: without their properties there are none, and nil is as good.
func TestNoYCSBFiles(t *testing.T) {
	for _, props := range [][]string{nil, {"measurementtype=raw"}, {"hdrhistogram.fileoutput=true", "measurementtype=timeseries"}} {
		f := filesOf(t, false, "10", props...)
		if f != nil || f.observe([]string{"READ"}) != nil || f.close(true) != nil || f.write(nil, nil) != nil || f.paths() != nil || f.WriteRaw(nil) != nil {
			t.Errorf("%v: %+v", props, f)
		}
	}
}

// TestIdleProperties: what does nothing is named, whatever reads properties of the same kind.
func TestIdleProperties(t *testing.T) {
	for _, c := range []struct {
		db    string
		ycsb  bool
		props []string
		want  []string
	}{
		{"mock", false, []string{"mock.delay=1ms", "basicdb.verbose=false", "threadcount=2", "fieldcount=3", "workload=core", "measurement.interval=op"}, nil},
		{"mock", false, []string{"label=x", "status=true", "mongodb.url=y", "measurement.trackjvm=true"}, []string{"label", "measurement.trackjvm (there is no JVM)", "mongodb.url", "status (progress is always shown)"}},
		{"mock", false, []string{"hdrhistogram.percentiles=50", "timeseries.granularity=10", "hdrhistogram.output.path=x"}, []string{"hdrhistogram.output.path (needs hdrhistogram.fileoutput=true)", "hdrhistogram.percentiles (shown by --format ycsb)", "timeseries.granularity (of measurementtype=timeseries)"}},
		{"mock", true, []string{"hdrhistogram.percentiles=50", "measurementtype=hdrhistogram+histogram", "histogram.buckets=10", "measurement.histogram.verbose=true"}, nil},
		{"mem", false, []string{"mock.delay=1ms"}, []string{"mock.delay"}},
	} {
		p, err := planFor(c.db, func(o *job.Load) { o.Properties = c.props }, Program{Bindings: testBindings(), YCSBText: c.ycsb})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.idleProperties(); !slices.Equal(got, c.want) {
			t.Errorf("%v: %q, want %q", c.props, got, c.want)
		}
	}
}

// TestMeasurementProperties: those that are flags, too.
func TestMeasurementProperties(t *testing.T) {
	p, err := planOf(t, "mock", func(o *job.Load) { o.Properties = []string{"measurementtype=timeseries", "timeseries.granularity=250"} })
	if err != nil || p.Run.Interval != 250*time.Millisecond {
		t.Errorf("%v, %v", p.Run.Interval, err)
	}
	p, err = planOf(t, "mock", func(o *job.Load) { o.Properties = []string{"measurementtype=timeseries"} }, "status-interval")
	if err != nil || p.Run.Interval != time.Second {
		t.Errorf("%v, %v", p.Run.Interval, err)
	}
	if b, _, err := FindBinding(testBindings(), "basic"); err != nil || b.Name != "mock" {
		t.Errorf("YCSB's basic is %+v, %v", b, err)
	}
}
