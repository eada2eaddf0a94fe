package ycsb

import (
	"strconv"
	"time"
)

// Config describes a workload: YCSB's CoreWorkload. Start from [Default], or read
// properties with [ParseConfig]; the zero value is invalid. The comment of each field
// names its property and, in brackets, its default.
type Config struct {
	Table string // table [usertable]

	// Records are numbered from 0. The load phase inserts InsertCount records from
	// InsertStart on, and requests choose among them.
	RecordCount int64 // recordcount [1000], from 1: number of records before the run
	InsertStart int64 // insertstart [0]
	InsertCount int64 // insertcount [0], which means all from InsertStart on

	// OperationCount is how many operations the run will have, 0 if not known. The distribution
	// zipfian computes the expected number of inserted records from it; records beyond
	// that number are not requested. It does not end the run.
	OperationCount int64 // operationcount [0]

	KeyPrefix   string // keyprefix [user]
	ZeroPadding int    // zeropadding [1], 1 to 1000: the least number of digits of a key
	InsertOrder Order  // insertorder [hashed]

	FieldCount              int          // fieldcount [10], from 1
	FieldNamePrefix         string       // fieldnameprefix [field]; names are that and a number from 0
	FieldLengthDistribution Distribution // fieldlengthdistribution [constant], uniform, zipfian or histogram
	FieldLength             int          // fieldlength [100] bytes, from 0: the length, or the greatest one
	MinFieldLength          int          // minfieldlength [1] bytes: the least one, where lengths differ

	// Of lengths by a histogram. The file has two columns separated by tabs: in the
	// first line BlockSize and a number of bytes, in the others a bucket, from 0,
	// and its weight. Values of bucket i have (i+1)·BlockSize bytes.
	FieldLengthHistogram string // fieldlengthhistogram [hist.txt]

	ReadAllFields       bool // readallfields [true]; else one random field
	ReadAllFieldsByName bool // readallfieldsbyname [false]: ask for each, not for the record
	WriteAllFields      bool // writeallfields [false]: updates write all fields, not one random field
	DataIntegrity       bool // dataintegrity [false]: values follow from key and field, and are verified

	// The shares of operations. They add up to 1.
	ReadProportion            float64 // readproportion [0.95]
	UpdateProportion          float64 // updateproportion [0.05]
	InsertProportion          float64 // insertproportion [0]
	ScanProportion            float64 // scanproportion [0]
	ReadModifyWriteProportion float64 // readmodifywriteproportion [0]

	RequestDistribution   Distribution // requestdistribution [uniform]
	ZipfianTheta          float64      // zipfian.theta [0.99], 0 to 20: the skew of zipfian-exact
	HotspotDataFraction   float64      // hotspotdatafraction [0.2]: share of the records that are hot …
	HotspotOpnFraction    float64      // hotspotopnfraction [0.8]: … and of the operations that request them
	ExponentialPercentile float64      // exponential.percentile [95], 1e-6 to below 100: this percentage of the operations …
	ExponentialFrac       float64      // exponential.frac [0.8571428571]: … request this share of the records, the newest

	MinScanLength          int          // minscanlength [1] records
	MaxScanLength          int          // maxscanlength [1000] records
	ScanLengthDistribution Distribution // scanlengthdistribution [uniform] or zipfian

	// Of the load phase.
	InsertionRetryLimit    int           // core_workload_insertion_retry_limit [0]: how often a failed insert is retried
	InsertionRetryInterval time.Duration // core_workload_insertion_retry_interval [3] seconds before a retry, ± 20 %
	InsertionKeepGoing     bool          // core_workload_insertion_keep_going_on_error [false]

	Seed uint64 // of all choices; no property
}

// Distribution names a probability distribution.
type Distribution string

// The distributions; the package comment describes those of requests.
const (
	Uniform      Distribution = "uniform"
	Zipfian      Distribution = "zipfian" // of requests, YCSB's scrambled one
	ZipfianExact Distribution = "zipfian-exact"
	Latest       Distribution = "latest"
	Hotspot      Distribution = "hotspot"
	Exponential  Distribution = "exponential"
	Sequential   Distribution = "sequential"
	Constant     Distribution = "constant"  // of field lengths
	Histogram    Distribution = "histogram" // of field lengths
)

// Order is the order of the keys of consecutive records.
type Order string

const (
	Hashed  Order = "hashed"  // the number in a key is the record's, hashed
	Ordered Order = "ordered" // the number in a key is the record's
)

// FieldName returns the name of a field, from 0.
func (c Config) FieldName(i int) string { return c.FieldNamePrefix + strconv.Itoa(i) }

// inserted returns how many records the load phase inserts.
func (c *Config) inserted() int64 {
	if c.InsertCount == 0 {
		return c.RecordCount - c.InsertStart
	}
	return c.InsertCount
}

// expected returns how many records the run is expected to insert: twice the mean,
// like YCSB.
func (c *Config) expected() int64 {
	return int64(float64(c.OperationCount) * c.InsertProportion * 2)
}
