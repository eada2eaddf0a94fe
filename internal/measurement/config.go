package measurement

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tarebench/tare/load/kv"
)

// A Type is how the latencies of a series are kept and exported.
type Type string

// The types. YCSB can have two of them for each series.
const (
	HdrHistogram Type = "hdrhistogram"
	Histogram    Type = "histogram" // buckets of one millisecond
	TimeSeries   Type = "timeseries"
	Raw          Type = "raw" // each latency
)

// Values of measurement.interval: which latencies there are.
const (
	Op       = "op"       // service times, series READ
	Intended = "intended" // response times, series READ
	Both     = "both"     // READ and Intended-READ
)

// Config is what the properties of measurements say.
type Config struct {
	Type     string // measurementtype: a Type, or hdrhistogram+histogram or hdrhistogram+raw
	Interval string // measurement.interval: Op, Intended or Both; "" if it is not given

	Percentiles       []float64 // hdrhistogram.percentiles
	SeriesPercentiles []float64 // timeseries.percentiles
	Verbose           bool      // measurement.histogram.verbose: the summary has the buckets
	Buckets           int       // histogram.buckets, of one millisecond each

	Granularity time.Duration // timeseries.granularity

	LogFiles bool   // hdrhistogram.fileoutput: each series has an interval log of its own
	LogPath  string // hdrhistogram.output.path: before the name of the series in the names of these files

	RawFile      string // measurement.raw.output_file; "" means stdout
	NoRawSummary bool   // measurement.raw.no_summary
}

// Limits of properties.
const (
	maxBuckets     = 1_000_000
	maxGranularity = 24 * 3600 * 1000 // ms
)

// Parse reads the properties by name; a blank value is none, as in YCSB. The error has a line for each that is wrong.
func Parse(props map[string]string) (Config, error) {
	given := maps.Clone(kv.Properties(props))
	maps.DeleteFunc(given, func(_, value string) bool { return strings.TrimSpace(value) == "" })
	get := given.Getter()
	c := Config{
		Type: get.OneOf("measurementtype", string(HdrHistogram),
			string(HdrHistogram), string(Histogram), string(TimeSeries), string(Raw), "hdrhistogram+histogram", "hdrhistogram+raw"),
		Interval:          get.OneOf("measurement.interval", "", Op, Intended, Both),
		Percentiles:       percentiles(get, "hdrhistogram.percentiles", "50,95,99"),
		SeriesPercentiles: percentiles(get, "timeseries.percentiles", "95,99"),
		Verbose:           get.Bool("measurement.histogram.verbose", false),
		Buckets:           int(get.IntIn("histogram.buckets", 1000, 1, maxBuckets)),
		Granularity:       time.Duration(get.IntIn("timeseries.granularity", 1000, 1, maxGranularity)) * time.Millisecond,
		LogFiles:          get.Bool("hdrhistogram.fileoutput", false),
		LogPath:           get.String("hdrhistogram.output.path", ""),
		RawFile:           get.String("measurement.raw.output_file", ""),
		NoRawSummary:      get.Bool("measurement.raw.no_summary", false),
	}
	return c, get.Err()
}

// percentiles reads a list such as 50,99.9.
func percentiles(get *kv.Getter, name, or string) (ps []float64) {
	for word := range strings.SplitSeq(get.String(name, or), ",") {
		x, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
		if err != nil || !(x >= 0 && x <= 100) {
			get.Fail(name, "want percentages such as 50,95,99.9")
			return nil
		}
		ps = append(ps, x)
	}
	return ps
}

// Has reports whether series are of a type, alone or beside another.
func (c Config) Has(t Type) bool {
	return slices.ContainsFunc(c.Forms(), func(f Form) bool { return f.Type == t })
}

// A Form is one of the shapes in which each series is exported.
type Form struct {
	Type   Type
	Prefix string // of the name of the series: HdrREAD
}

// Forms returns the shapes of each series, in the order of the summary.
func (c Config) Forms() []Form {
	switch first, second, two := strings.Cut(c.Type, "+"); {
	case !two:
		return []Form{{Type: Type(first)}}
	case Type(second) == Raw:
		return []Form{{HdrHistogram, "Hdr"}, {Raw, "Raw"}}
	default:
		return []Form{{HdrHistogram, "Hdr"}, {Histogram, "Bucket"}}
	}
}

// idle is what the properties of one type do without it.
var idle = []struct {
	name string
	of   func(Config) bool // they do something
	why  string
}{
	{"hdrhistogram.percentiles", hasType(HdrHistogram), "of measurementtype=hdrhistogram"},
	{"hdrhistogram.fileoutput", hasType(HdrHistogram), "of measurementtype=hdrhistogram"},
	{"hdrhistogram.output.path", func(c Config) bool { return c.LogFiles && c.Has(HdrHistogram) }, "needs hdrhistogram.fileoutput=true"},
	{"measurement.histogram.verbose", func(c Config) bool { return c.Has(HdrHistogram) || c.Has(Histogram) }, "of histograms"},
	{"histogram.buckets", hasType(Histogram), "of measurementtype=histogram"},
	{"timeseries.granularity", hasType(TimeSeries), "of measurementtype=timeseries"},
	{"timeseries.percentiles", hasType(TimeSeries), "of measurementtype=timeseries"},
	{"measurement.raw.output_file", hasType(Raw), "of measurementtype=raw"},
	{"measurement.raw.no_summary", hasType(Raw), "of measurementtype=raw"},
}

func hasType(t Type) func(Config) bool { return func(c Config) bool { return c.Has(t) } }

// Idle returns why a property of measurements does nothing in this configuration; "" if it does something. ok reports
// whether the name is one of theirs.
func (c Config) Idle(name string) (why string, ok bool) {
	for _, x := range idle {
		if x.name != name {
			continue
		}
		if x.of(c) {
			return "", true
		}
		return x.why, true
	}
	return "", name == "measurementtype" || name == "measurement.interval"
}
