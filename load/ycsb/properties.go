package ycsb

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/load/kv"
)

// setting connects a property with its field.
type setting struct {
	name  string
	at    any    // pointer to the field
	or    string // default
	want  any    // the words that it may be, as "uniform, zipfian", or the limits of a number; nil for anything
	short string // for help
}

// limits are the lowest and the highest number of a property.
type limits [2]int64

// words returns the words that the property may be, nil if it is no word.
func (s setting) words() []string {
	if words, ok := s.want.(string); ok {
		return strings.Split(words, ", ")
	}
	return nil
}

// settings returns all properties of the workload, in the order of help. Limits that depend on other properties are
// in Validate.
func (c *Config) settings() []setting {
	share, records := limits{0, 1}, limits{0, maxRecords}
	return []setting{
		{"table", &c.Table, "usertable", nil, "table, bucket or index of the records"},
		{"recordcount", &c.RecordCount, "1000", limits{1, maxRecords}, "number of records before the run"},
		{"insertstart", &c.InsertStart, "0", records, "first record that is inserted and requested"},
		{"insertcount", &c.InsertCount, "0", records, "number of records inserted, 0 for all from insertstart on"},
		{"operationcount", &c.OperationCount, "0", records, "operations of the run, 0 if not known"},
		{"keyprefix", &c.KeyPrefix, "user", nil, "prefix of keys"},
		{"zeropadding", &c.ZeroPadding, "1", limits{1, 1000}, "least number of digits of a key"},
		{"insertorder", (*string)(&c.InsertOrder), "hashed", "hashed, ordered", "whether the number of a key is hashed"},

		{"fieldcount", &c.FieldCount, "10", limits{1, maxFields}, "fields of a record"},
		{"fieldnameprefix", &c.FieldNamePrefix, "field", nil, "prefix of the names of fields"},
		{"fieldlengthdistribution", (*string)(&c.FieldLengthDistribution), "constant", "constant, uniform, zipfian, histogram",
			"distribution of the length of values"},
		{"fieldlength", &c.FieldLength, "100", limits{0, maxRecordBytes}, "length of values in bytes, or the greatest one"},
		{"minfieldlength", &c.MinFieldLength, "1", nil, "least length of values in bytes"},
		{"fieldlengthhistogram", &c.FieldLengthHistogram, "hist.txt", nil, "file of the distribution histogram"},

		{"readallfields", &c.ReadAllFields, "true", nil, "read all fields, not one"},
		{"readallfieldsbyname", &c.ReadAllFieldsByName, "false", nil, "ask for all fields by name"},
		{"writeallfields", &c.WriteAllFields, "false", nil, "update all fields, not one"},
		{"dataintegrity", &c.DataIntegrity, "false", nil, "write values that can be verified, and verify them"},

		{"readproportion", &c.ReadProportion, "0.95", share, "share of reads"},
		{"updateproportion", &c.UpdateProportion, "0.05", share, "share of updates"},
		{"insertproportion", &c.InsertProportion, "0", share, "share of inserts"},
		{"scanproportion", &c.ScanProportion, "0", share, "share of scans"},
		{"readmodifywriteproportion", &c.ReadModifyWriteProportion, "0", share, "share of reads that are followed by an update"},

		{"requestdistribution", (*string)(&c.RequestDistribution), "uniform", "uniform, zipfian, zipfian-exact, latest, hotspot, exponential, sequential",
			"distribution by which records are requested"},
		{"zipfian.theta", &c.ZipfianTheta, "0.99", c.of(ZipfianExact, limits{0, 20}), "skew of the distribution zipfian-exact"},
		{"hotspotdatafraction", &c.HotspotDataFraction, "0.2", c.of(Hotspot, share), "share of the records that are hot"},
		{"hotspotopnfraction", &c.HotspotOpnFraction, "0.8", c.of(Hotspot, share), "share of the operations that request them"},
		{"exponential.percentile", &c.ExponentialPercentile, "95", nil, "percentage of the operations that request the newest records"},
		{"exponential.frac", &c.ExponentialFrac, "0.8571428571", nil, "share of the records that count as newest"},

		{"minscanlength", &c.MinScanLength, "1", limits{1, maxScan}, "fewest records of a scan"},
		{"maxscanlength", &c.MaxScanLength, "1000", limits{1, maxScan}, "most records of a scan"},
		{"scanlengthdistribution", (*string)(&c.ScanLengthDistribution), "uniform", "uniform, zipfian", "distribution of the number of records of a scan"},

		{"core_workload_insertion_retry_limit", &c.InsertionRetryLimit, "0", limits{0, math.MaxInt64}, "how often the load phase retries a failed insert"},
		{"core_workload_insertion_retry_interval", &c.InsertionRetryInterval, "3", limits{0, math.MaxInt64}, "seconds before a retry, ± 20 %"},
		{"core_workload_insertion_keep_going_on_error", &c.InsertionKeepGoing, "false", nil, "continue the load phase after an insert that failed with all retries"},
	}
}

// of returns what a property of one distribution of requests must be. With another one it does nothing.
func (c *Config) of(d Distribution, want any) any {
	if c.RequestDistribution != d {
		return nil
	}
	return want
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
		if words, ok := s.want.(string); ok {
			short += ": " + words
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
	get.OneOf("workload", "core", "core", "site.ycsb.workloads.CoreWorkload", "com.yahoo.ycsb.workloads.CoreWorkload")
	if err := errors.Join(unknown(props), get.Err(), c.Validate()); err != nil {
		return Config{}, err
	}
	return c, nil
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
		if words := s.words(); words != nil {
			*at = get.OneOf(s.name, *at, words...)
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

// value returns the field's value.
func (s setting) value() reflect.Value { return reflect.ValueOf(s.at).Elem() }

// text returns it as text.
func (s setting) text() string {
	if d, ok := s.at.(*time.Duration); ok {
		return fmt.Sprint(d.Seconds())
	}
	return fmt.Sprint(s.value())
}
