package measurement

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
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

// Property describes a property, for help.
type Property struct{ Name, Default, Short string }

// property is a property with its field, what its value may be (words, or the limit of a number that counts units), and why it
// does nothing in this configuration; "" if it does something.
type property struct {
	Property
	at   any
	want any
	idle string
}

func (c *Config) properties() []property {
	types := []string{"hdrhistogram", "histogram", "timeseries", "raw", "hdrhistogram+histogram", "hdrhistogram+raw"}
	intervals := []string{Op, Intended, Both}
	of := func(t Type) string { return unless(c.Has(t), "of measurementtype="+string(t)) }
	hdr, path := of(HdrHistogram), unless(c.LogFiles && c.Has(HdrHistogram), "needs hdrhistogram.fileoutput=true")
	buckets := unless(c.Has(HdrHistogram) || c.Has(Histogram), "of histograms")
	return []property{
		{Property{"measurement.interval", "", "--latency: " + strings.Join(intervals, ", ")}, &c.Interval, intervals, ""},
		{Property{"measurementtype", "hdrhistogram", "what --format ycsb writes: " + strings.Join(types, ", ")}, &c.Type, types, ""},
		{Property{"hdrhistogram.percentiles", "50,95,99", "percentiles of hdrhistogram"}, &c.Percentiles, nil, hdr},
		{Property{"hdrhistogram.fileoutput", "false", "an interval log in µs for each series"}, &c.LogFiles, nil, hdr},
		{Property{"hdrhistogram.output.path", "", "their names: this, the series, .hdr"}, &c.LogPath, nil, path},
		{Property{"measurement.histogram.verbose", "false", "write the buckets of histograms, too"}, &c.Verbose, nil, buckets},
		{Property{"histogram.buckets", "1000", "buckets of histogram, 1 ms each"}, &c.Buckets, maxBuckets, of(Histogram)},
		{Property{"timeseries.granularity", "1000", "ms of which timeseries writes the mean"}, &c.Granularity, maxGranularity, of(TimeSeries)},
		{Property{"timeseries.percentiles", "95,99", "percentiles of timeseries"}, &c.SeriesPercentiles, nil, of(TimeSeries)},
		{Property{"measurement.raw.output_file", "", "file to which raw appends each latency; without it stdout, with --format ycsb"}, &c.RawFile, nil, of(Raw)},
		{Property{"measurement.raw.no_summary", "false", "raw writes no figures to the summary"}, &c.NoRawSummary, nil, of(Raw)},
	}
}

// unless returns why a property does nothing, "" if it acts.
func unless(acts bool, why string) string {
	if acts {
		return ""
	}
	return why
}

// Properties returns what [Parse] understands, with defaults, for help.
func Properties() (list []Property) {
	for _, p := range new(Config).properties() {
		list = append(list, p.Property)
	}
	return list
}

// Parse reads the properties by name. The error has a line for each that is wrong.
func Parse(props map[string]string) (c Config, err error) {
	for _, p := range c.properties() {
		value := cmp.Or(strings.TrimSpace(props[p.Name]), p.Default)
		if want := p.read(value); value != "" && want != "" {
			err = errors.Join(err, fmt.Errorf("property %s=%s: want %s", p.Name, props[p.Name], want))
		}
	}
	return c, err
}

// read sets the field to the property's value. It returns what the value should have been if it is wrong.
func (p *property) read(value string) (want string) {
	switch at := p.at.(type) {
	case *string:
		if words, _ := p.want.([]string); words != nil && !slices.Contains(words, value) {
			return strings.Join(words, ", ")
		}
		*at = value
	case *bool: // as Java does, but other words are refused
		if *at = strings.EqualFold(value, "true"); !*at && !strings.EqualFold(value, "false") {
			return "true or false"
		}
	case *[]float64:
		for word := range strings.SplitSeq(value, ",") {
			x, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
			if *at = append(*at, x); err != nil || !(x >= 0 && x <= 100) {
				return "percentages such as 50,95,99.9"
			}
		}
	default:
		n, err := strconv.Atoi(value)
		if limit := p.want.(int); err != nil || n < 1 || n > limit {
			return fmt.Sprintf("a number from 1 to %d", limit)
		}
		if d, ok := at.(*time.Duration); ok {
			*d = time.Duration(n) * time.Millisecond
		} else {
			*at.(*int) = n
		}
	}
	return ""
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

// Idle returns why a property of measurements does nothing in this configuration; "" if it does something. ok reports
// whether the name is one of theirs.
func (c Config) Idle(name string) (why string, ok bool) {
	all := c.properties()
	if i := slices.IndexFunc(all, func(p property) bool { return p.Name == name }); i >= 0 {
		return all[i].idle, true
	}
	return "", false
}
