package ycsb

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tarebench/tare/load/kv"
)

// setting connects a property with its field.
type setting struct {
	name  string
	at    any      // pointer to the field
	words []string // that it may be, where it is one of a few
	short string   // for help
}

// settings returns all properties of the workload, in the order of help.
func (c *Config) settings() []setting {
	return []setting{
		{"table", &c.Table, nil, "table, bucket or index of the records"},
		{"recordcount", &c.RecordCount, nil, "number of records before the run"},
		{"insertstart", &c.InsertStart, nil, "first record that is inserted and requested"},
		{"insertcount", &c.InsertCount, nil, "number of records inserted, 0 for all from insertstart on"},
		{"operationcount", &c.OperationCount, nil, "operations of the run, 0 if not known"},
		{"keyprefix", &c.KeyPrefix, nil, "prefix of keys"},
		{"zeropadding", &c.ZeroPadding, nil, "least number of digits of a key"},
		{"insertorder", (*string)(&c.InsertOrder), words(Hashed, Ordered), "whether the number of a key is hashed"},

		{"fieldcount", &c.FieldCount, nil, "fields of a record"},
		{"fieldnameprefix", &c.FieldNamePrefix, nil, "prefix of the names of fields"},
		{"fieldlengthdistribution", (*string)(&c.FieldLengthDistribution), words(Constant, Uniform, Zipfian, Histogram), "distribution of the length of values"},
		{"fieldlength", &c.FieldLength, nil, "length of values in bytes, or the greatest one"},
		{"minfieldlength", &c.MinFieldLength, nil, "least length of values in bytes"},
		{"fieldlengthhistogram", &c.FieldLengthHistogram, nil, "file of the distribution histogram"},

		{"readallfields", &c.ReadAllFields, nil, "read all fields, not one"},
		{"readallfieldsbyname", &c.ReadAllFieldsByName, nil, "ask for all fields by name"},
		{"writeallfields", &c.WriteAllFields, nil, "update all fields, not one"},
		{"dataintegrity", &c.DataIntegrity, nil, "write values that can be verified, and verify them"},

		{"readproportion", &c.ReadProportion, nil, "share of reads"},
		{"updateproportion", &c.UpdateProportion, nil, "share of updates"},
		{"insertproportion", &c.InsertProportion, nil, "share of inserts"},
		{"scanproportion", &c.ScanProportion, nil, "share of scans"},
		{"readmodifywriteproportion", &c.ReadModifyWriteProportion, nil, "share of reads that are followed by an update"},

		{"requestdistribution", (*string)(&c.RequestDistribution), words(Uniform, Zipfian, ZipfianExact, Latest, Hotspot, Exponential, Sequential), "distribution by which records are requested"},
		{"zipfian.theta", &c.ZipfianTheta, nil, "skew of the distribution zipfian-exact"},
		{"hotspotdatafraction", &c.HotspotDataFraction, nil, "share of the records that are hot"},
		{"hotspotopnfraction", &c.HotspotOpnFraction, nil, "share of the operations that request them"},
		{"exponential.percentile", &c.ExponentialPercentile, nil, "percentage of the operations that request the newest records"},
		{"exponential.frac", &c.ExponentialFrac, nil, "share of the records that count as newest"},

		{"minscanlength", &c.MinScanLength, nil, "fewest records of a scan"},
		{"maxscanlength", &c.MaxScanLength, nil, "most records of a scan"},
		{"scanlengthdistribution", (*string)(&c.ScanLengthDistribution), words(Uniform, Zipfian), "distribution of the number of records of a scan"},

		{"core_workload_insertion_retry_limit", &c.InsertionRetryLimit, nil, "how often the load phase retries a failed insert"},
		{"core_workload_insertion_retry_interval", &c.InsertionRetryInterval, nil, "seconds before a retry, ± 20 %"},
		{"core_workload_insertion_keep_going_on_error", &c.InsertionKeepGoing, nil, "continue the load phase after an insert that failed with all retries"},
	}
}

func words[T ~string](of ...T) []string {
	list := make([]string, len(of))
	for i, w := range of {
		list[i] = string(w)
	}
	return list
}

// Properties returns what [ParseConfig] understands, with defaults, for help.
func Properties() []kv.Property {
	c := Default()
	var list []kv.Property
	for _, s := range c.settings() {
		short := s.short
		if s.words != nil {
			short += ": " + strings.Join(s.words, ", ")
		}
		list = append(list, kv.Property{Name: s.name, Default: s.text(), Short: short})
	}
	return list
}

// Properties returns the workload as properties, all of them.
func (c Config) Properties() kv.Properties {
	p := kv.Properties{}
	for _, s := range c.settings() {
		p[s.name] = s.text()
	}
	return p
}

// ParseConfig reads a workload from properties, with the defaults of [Default]. The
// error has a line for everything wrong: invalid values, contradictions as in
// [Config.Validate], and names without a dot that are neither properties of the
// workload nor of YCSB's client. It ignores names with a dot, such as redis.addr.
func ParseConfig(props kv.Properties) (Config, error) {
	c := Default()
	get := props.Getter()
	for _, s := range c.settings() {
		s.read(get)
	}
	class := get.String("workload", "core")
	if !slices.Contains(classes(), class) {
		get.Fail("workload", "unknown class; want "+strings.Join(classes(), ", "))
	}
	if err := errors.Join(unknown(props), get.Err(), c.Validate()); err != nil {
		return Config{}, err
	}
	return c, nil
}

// classes returns the names of this workload in property files.
func classes() []string {
	return []string{"core", "site.ycsb.workloads.CoreWorkload", "com.yahoo.ycsb.workloads.CoreWorkload"}
}

// unknown returns an error for unknown names that look like properties of the
// workload.
func unknown(props kv.Properties) error {
	ours := kv.Properties{}
	for name, value := range props {
		dotless := !strings.Contains(name, ".") && !slices.Contains(client(), name)
		if dotless || strings.HasPrefix(name, "exponential.") || strings.HasPrefix(name, "zipfian.") {
			ours[name] = value
		}
	}
	get := ours.Getter()
	get.Known("", Properties())
	return get.Err()
}

// client returns the properties without a dot that YCSB's client or go-ycsb's read,
// not the workload.
func client() []string {
	return []string{
		"workload", "db", "threadcount", "target", "maxexecutiontime", "dotransactions",
		"status", "label", "exporter", "exportfile", "measurementtype",
		"reportlatencyforeacherror", "latencytrackederrors",
		"maxscanrate", "scanoptimelimit", "discardscannedrecord", // in files, read by nobody
		"command", "dropdata", "outputstyle", "silence", "verbose", "warmuptime",
	}
}

// read sets the field to the property's value, if it is valid.
func (s setting) read(get *kv.Getter) {
	switch at := s.at.(type) {
	case *string:
		if s.words != nil {
			*at = get.OneOf(s.name, *at, s.words...)
		} else {
			*at = get.String(s.name, *at)
		}
	case *int:
		if n := get.Int(s.name, int64(*at)); n == int64(int32(n)) {
			*at = int(n)
		} else {
			get.Fail(s.name, "out of range")
		}
	case *int64:
		*at = get.Int(s.name, *at)
	case *float64:
		*at = get.Float(s.name, *at)
	case *bool:
		*at = get.Bool(s.name, *at)
	case *time.Duration:
		// YCSB counts in whole seconds.
		if seconds := get.Float(s.name, at.Seconds()); seconds < 1e6 {
			*at = time.Duration(seconds * float64(time.Second))
		} else {
			get.Fail(s.name, "must be below 1e6 seconds")
		}
	}
}

// text returns the field's value as text.
func (s setting) text() string {
	switch at := s.at.(type) {
	case *int:
		return strconv.Itoa(*at)
	case *int64:
		return strconv.FormatInt(*at, 10)
	case *float64:
		return strconv.FormatFloat(*at, 'g', -1, 64)
	case *bool:
		return strconv.FormatBool(*at)
	case *time.Duration:
		return strconv.FormatFloat(at.Seconds(), 'f', -1, 64)
	default:
		return *at.(*string)
	}
}
