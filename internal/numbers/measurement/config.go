package measurement

import (
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

// Parse reads the properties by name. The error has a line for each that is wrong.
func Parse(props map[string]string) (Config, error) {
	p := parser{props: props}
	c := Config{
		Type:              p.word("measurementtype", string(HdrHistogram), string(HdrHistogram), string(Histogram), string(TimeSeries), string(Raw), "hdrhistogram+histogram", "hdrhistogram+raw"),
		Interval:          p.word("measurement.interval", "", Op, Intended, Both),
		Percentiles:       p.percentiles("hdrhistogram.percentiles", "50,95,99"),
		SeriesPercentiles: p.percentiles("timeseries.percentiles", "95,99"),
		Verbose:           p.bool("measurement.histogram.verbose"),
		Buckets:           p.count("histogram.buckets", 1000, maxBuckets),
		Granularity:       time.Duration(p.count("timeseries.granularity", 1000, maxGranularity)) * time.Millisecond,
		LogFiles:          p.bool("hdrhistogram.fileoutput"),
		LogPath:           p.text("hdrhistogram.output.path"),
		RawFile:           p.text("measurement.raw.output_file"),
		NoRawSummary:      p.bool("measurement.raw.no_summary"),
	}
	return c, errors.Join(p.errs...)
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

// A parser reads properties and gathers what is wrong.
type parser struct {
	props map[string]string
	errs  []error
}

func (p *parser) fail(name, why string) {
	p.errs = append(p.errs, fmt.Errorf("property %s=%s: %s", name, p.props[name], why))
}

func (p *parser) text(name string) string { return strings.TrimSpace(p.props[name]) }

func (p *parser) word(name, or string, words ...string) string {
	v := p.text(name)
	switch {
	case v == "":
		return or
	case slices.Contains(words, v):
		return v
	}
	p.fail(name, "want "+strings.Join(words, ", "))
	return or
}

// bool reads true and false as Java does, but refuses other words.
func (p *parser) bool(name string) bool {
	v := strings.ToLower(p.text(name))
	if v != "" && v != "true" && v != "false" {
		p.fail(name, "want true or false")
	}
	return v == "true"
}

func (p *parser) count(name string, or, most int) int {
	v := p.text(name)
	if v == "" {
		return or
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < 1 || n > most {
		p.fail(name, fmt.Sprintf("want a number from 1 to %d", most))
		return or
	}
	return n
}

func (p *parser) percentiles(name, or string) []float64 {
	v := p.text(name)
	if v == "" {
		v = or
	}
	var out []float64
	for _, word := range strings.Split(v, ",") {
		x, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
		if err != nil || !(x >= 0 && x <= 100) {
			p.fail(name, "want percentages such as 50,95,99.9")
			return nil
		}
		out = append(out, x)
	}
	return out
}
