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
	at    any    // pointer to the field
	or    string // default
	words string // that it may be, where it is one of a few: "uniform, zipfian"
	short string // for help
}

// settings returns all properties of the workload, in the order of help.
func (c *Config) settings() []setting {
	return []setting{
		{"table", &c.Table, "usertable", "", "table, bucket or index of the records"},
		{"recordcount", &c.RecordCount, "1000", "", "number of records before the run"},
		{"insertstart", &c.InsertStart, "0", "", "first record that is inserted and requested"},
		{"insertcount", &c.InsertCount, "0", "", "number of records inserted, 0 for all from insertstart on"},
		{"operationcount", &c.OperationCount, "0", "", "operations of the run, 0 if not known"},
		{"keyprefix", &c.KeyPrefix, "user", "", "prefix of keys"},
		{"zeropadding", &c.ZeroPadding, "1", "", "least number of digits of a key"},
		{"insertorder", (*string)(&c.InsertOrder), "hashed", "hashed, ordered",
			"whether the number of a key is hashed"},

		{"fieldcount", &c.FieldCount, "10", "", "fields of a record"},
		{"fieldnameprefix", &c.FieldNamePrefix, "field", "", "prefix of the names of fields"},
		{"fieldlengthdistribution", (*string)(&c.FieldLengthDistribution), "constant",
			"constant, uniform, zipfian, histogram",
			"distribution of the length of values"},
		{"fieldlength", &c.FieldLength, "100", "", "length of values in bytes, or the greatest one"},
		{"minfieldlength", &c.MinFieldLength, "1", "", "least length of values in bytes"},
		{"fieldlengthhistogram", &c.FieldLengthHistogram, "hist.txt", "", "file of the distribution histogram"},

		{"readallfields", &c.ReadAllFields, "true", "", "read all fields, not one"},
		{"readallfieldsbyname", &c.ReadAllFieldsByName, "false", "", "ask for all fields by name"},
		{"writeallfields", &c.WriteAllFields, "false", "", "update all fields, not one"},
		{"dataintegrity", &c.DataIntegrity, "false", "", "write values that can be verified, and verify them"},

		{"readproportion", &c.ReadProportion, "0.95", "", "share of reads"},
		{"updateproportion", &c.UpdateProportion, "0.05", "", "share of updates"},
		{"insertproportion", &c.InsertProportion, "0", "", "share of inserts"},
		{"scanproportion", &c.ScanProportion, "0", "", "share of scans"},
		{"readmodifywriteproportion", &c.ReadModifyWriteProportion, "0", "",
			"share of reads that are followed by an update"},

		{"requestdistribution", (*string)(&c.RequestDistribution), "uniform",
			"uniform, zipfian, zipfian-exact, latest, hotspot, exponential, sequential",
			"distribution by which records are requested"},
		{"zipfian.theta", &c.ZipfianTheta, "0.99", "", "skew of the distribution zipfian-exact"},
		{"hotspotdatafraction", &c.HotspotDataFraction, "0.2", "", "share of the records that are hot"},
		{"hotspotopnfraction", &c.HotspotOpnFraction, "0.8", "", "share of the operations that request them"},
		{"exponential.percentile", &c.ExponentialPercentile, "95", "",
			"percentage of the operations that request the newest records"},
		{"exponential.frac", &c.ExponentialFrac, "0.8571428571", "", "share of the records that count as newest"},

		{"minscanlength", &c.MinScanLength, "1", "", "fewest records of a scan"},
		{"maxscanlength", &c.MaxScanLength, "1000", "", "most records of a scan"},
		{"scanlengthdistribution", (*string)(&c.ScanLengthDistribution), "uniform", "uniform, zipfian",
			"distribution of the number of records of a scan"},

		{"core_workload_insertion_retry_limit", &c.InsertionRetryLimit, "0", "",
			"how often the load phase retries a failed insert"},
		{"core_workload_insertion_retry_interval", &c.InsertionRetryInterval, "3", "", "seconds before a retry, ± 20 %"},
		{"core_workload_insertion_keep_going_on_error", &c.InsertionKeepGoing, "false", "",
			"continue the load phase after an insert that failed with all retries"},
	}
}

// Default returns a workload with the defaults of YCSB, but with 1000 records as
// its workloads A to F have, where YCSB would take 2^31−1.
func Default() Config {
	var c Config
	for _, s := range c.settings() {
		s.read(kv.Properties{s.name: s.or}.Getter())
	}
	return c
}

// Properties returns what [ParseConfig] understands, with defaults, for help.
func Properties() []kv.Property {
	var list []kv.Property
	for _, s := range new(Config).settings() {
		short := s.short
		if s.words != "" {
			short += ": " + s.words
		}
		list = append(list, kv.Property{Name: s.name, Default: s.or, Short: short})
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
		"maxscanrate", "scanoptimelimit", "discardscannedrecord", // appear in files, and are ignored
		"command", "dropdata", "outputstyle", "silence", "verbose", "warmuptime",
	}
}

// read sets the field to the property's value, if it is valid.
func (s setting) read(get *kv.Getter) {
	switch at := s.at.(type) {
	case *string:
		if s.words != "" {
			*at = get.OneOf(s.name, *at, strings.Split(s.words, ", ")...)
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
