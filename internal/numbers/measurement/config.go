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

// property is a property with what reads its value, and whether it does anything in this configuration.
type property struct {
	Property
	read func(value string) error
	acts bool
	why  string // it does nothing otherwise
}

func (c *Config) properties() []property {
	types := []string{"hdrhistogram", "histogram", "timeseries", "raw", "hdrhistogram+histogram", "hdrhistogram+raw"}
	intervals := []string{Op, Intended, Both}
	hdr, buckets, series, raw := c.Has(HdrHistogram), c.Has(Histogram), c.Has(TimeSeries), c.Has(Raw)
	const ofType = "of measurementtype="
	return []property{
		{Property{"measurement.interval", "", "--latency: " + strings.Join(intervals, ", ")}, word(&c.Interval, intervals), true, ""},
		{Property{"measurementtype", "hdrhistogram", "what --format ycsb writes: " + strings.Join(types, ", ")}, word(&c.Type, types), true, ""},
		{Property{"hdrhistogram.percentiles", "50,95,99", "percentiles of hdrhistogram"}, percentages(&c.Percentiles), hdr, ofType + "hdrhistogram"},
		{Property{"hdrhistogram.fileoutput", "false", "an interval log in µs for each series"}, boolean(&c.LogFiles), hdr, ofType + "hdrhistogram"},
		{Property{"hdrhistogram.output.path", "", "their names: this, the series, .hdr"}, text(&c.LogPath), c.LogFiles && hdr, "needs hdrhistogram.fileoutput=true"},
		{Property{"measurement.histogram.verbose", "false", "write the buckets of histograms, too"}, boolean(&c.Verbose), hdr || buckets, "of histograms"},
		{Property{"histogram.buckets", "1000", "buckets of histogram, 1 ms each"}, number(&c.Buckets, 1, maxBuckets), buckets, ofType + "histogram"},
		{Property{"timeseries.granularity", "1000", "ms of which timeseries writes the mean"}, number(&c.Granularity, time.Millisecond, maxGranularity), series, ofType + "timeseries"},
		{Property{"timeseries.percentiles", "95,99", "percentiles of timeseries"}, percentages(&c.SeriesPercentiles), series, ofType + "timeseries"},
		{Property{"measurement.raw.output_file", "", "file to which raw appends each latency; without it stdout, with --format ycsb"}, text(&c.RawFile), raw, ofType + "raw"},
		{Property{"measurement.raw.no_summary", "false", "raw writes no figures to the summary"}, boolean(&c.NoRawSummary), raw, ofType + "raw"},
	}
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
		if value == "" {
			continue
		}
		if wrong := p.read(value); wrong != nil {
			err = errors.Join(err, fmt.Errorf("property %s=%s: %w", p.Name, props[p.Name], wrong))
		}
	}
	return c, err
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
	for _, p := range c.properties() {
		switch {
		case p.Name == name && p.acts:
			return "", true
		case p.Name == name:
			return p.why, true
		}
	}
	return "", false
}

func text(at *string) func(string) error {
	return func(value string) error {
		*at = value
		return nil
	}
}

func word(at *string, words []string) func(string) error {
	return func(value string) error {
		if !slices.Contains(words, value) {
			return errors.New("want " + strings.Join(words, ", "))
		}
		*at = value
		return nil
	}
}

// boolean reads true and false as Java does, but refuses other words.
func boolean(at *bool) func(string) error {
	return func(value string) error {
		if *at = strings.EqualFold(value, "true"); !*at && !strings.EqualFold(value, "false") {
			return errors.New("want true or false")
		}
		return nil
	}
}

// number reads a number of units from 1 to a limit.
func number[T ~int | ~int64](at *T, unit T, limit int) func(string) error {
	return func(value string) error {
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || n > limit {
			return fmt.Errorf("want a number from 1 to %d", limit)
		}
		*at = T(n) * unit
		return nil
	}
}

func percentages(at *[]float64) func(string) error {
	return func(value string) error {
		for _, word := range strings.Split(value, ",") {
			x, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
			if *at = append(*at, x); err != nil || !(x >= 0 && x <= 100) {
				return errors.New("want percentages such as 50,95,99.9")
			}
		}
		return nil
	}
}
