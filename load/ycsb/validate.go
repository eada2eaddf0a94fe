package ycsb

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Limits that keep sums from overflowing and records in memory.
const (
	maxRecords     = 1 << 60
	maxFields      = 1 << 16
	maxRecordBytes = 1 << 30
	maxScan        = 1 << 24
)

// Validate returns an error that lists everything invalid, one per line.
func (c Config) Validate() error {
	v := &verdicts{}
	c.validateWords(v)
	c.validateRecords(v)
	c.validateFields(v)
	c.validateMix(v)
	c.validateRequests(v)
	c.validateScans(v)
	if c.InsertionRetryLimit < 0 {
		v.add("core_workload_insertion_retry_limit %d: must not be negative", c.InsertionRetryLimit)
	}
	if c.InsertionRetryInterval < 0 {
		v.add("core_workload_insertion_retry_interval %v: must not be negative", c.InsertionRetryInterval)
	}
	return errors.Join(v.errs...)
}

// verdicts collects errors.
type verdicts struct{ errs []error }

func (v *verdicts) add(format string, args ...any) {
	v.errs = append(v.errs, fmt.Errorf(format, args...))
}

// within adds an error for a number outside of a range.
func within[T int | int64 | float64](v *verdicts, name string, x, lo, hi T) bool {
	if x >= lo && x <= hi {
		return true
	}
	v.add("%s %v: must be from %v to %v", name, x, lo, hi)
	return false
}

// validateWords adds errors for words other than the allowed ones.
func (c *Config) validateWords(v *verdicts) {
	for _, s := range c.settings() {
		if s.words != "" && !slices.Contains(strings.Split(s.words, ", "), s.text()) {
			v.add("%s %q: must be one of %s", s.name, s.text(), s.words)
		}
	}
}

func (c *Config) validateRecords(v *verdicts) {
	if c.Table == "" {
		v.add("table: must not be empty")
	}
	ok := within(v, "recordcount", c.RecordCount, 1, maxRecords)
	ok = within(v, "insertstart", c.InsertStart, 0, maxRecords) && ok
	ok = within(v, "insertcount", c.InsertCount, 0, maxRecords) && ok
	within(v, "operationcount", c.OperationCount, 0, maxRecords)
	switch {
	case !ok:
	case c.InsertStart >= c.RecordCount:
		v.add("insertstart %d: there are records up to %d only (recordcount %d)", c.InsertStart, c.RecordCount-1, c.RecordCount)
	case c.InsertStart+c.InsertCount > c.RecordCount:
		v.add("insertstart %d + insertcount %d: more than recordcount %d", c.InsertStart, c.InsertCount, c.RecordCount)
	}
	within(v, "zeropadding", c.ZeroPadding, 1, 1000)
	if len(c.KeyPrefix) > 1000 {
		v.add("keyprefix of %d bytes: must not be longer than 1000", len(c.KeyPrefix))
	}
}

func (c *Config) validateFields(v *verdicts) {
	ok := within(v, "fieldcount", c.FieldCount, 1, maxFields)
	ok = within(v, "fieldlength", c.FieldLength, 0, maxRecordBytes) && ok
	if ok && int64(c.FieldCount)*int64(c.FieldLength) > maxRecordBytes {
		v.add("fieldcount %d × fieldlength %d: a record has more than 1 GiB", c.FieldCount, c.FieldLength)
	}
	switch c.FieldLengthDistribution {
	case Uniform, Zipfian:
		if c.MinFieldLength < 0 || c.MinFieldLength > c.FieldLength {
			v.add("minfieldlength %d: must be from 0 to fieldlength %d", c.MinFieldLength, c.FieldLength)
		}
	case Histogram:
		if c.FieldLengthHistogram == "" {
			v.add("fieldlengthhistogram: must name a file, since fieldlengthdistribution is histogram")
		}
	}
	if !c.DataIntegrity {
		return
	}
	if c.FieldLengthDistribution != Constant {
		v.add("dataintegrity: needs fieldlengthdistribution constant, not %s: what a value should be must follow from its key", c.FieldLengthDistribution)
	}
	if strings.ContainsFunc(c.KeyPrefix+c.FieldNamePrefix, func(r rune) bool { return r > 127 }) {
		v.add("dataintegrity: needs keyprefix and fieldnameprefix of ASCII characters, since hashes are those of Java's characters")
	}
}

func (c *Config) validateMix(v *verdicts) {
	sum, ok := 0.0, true
	var terms []string
	for _, s := range c.shares() {
		ok = within(v, s.property, s.share, 0, 1) && ok
		sum += s.share
		if s.share != 0 {
			terms = append(terms, fmt.Sprintf("%s %v", s.property, s.share))
		}
	}
	switch {
	case !ok: // already reported
	case sum == 0:
		v.add("all proportions are 0: there would be no operation")
	case math.Abs(sum-1) > 0.005:
		v.add("%s: the sum is %.4g and must be 1 (those not given are readproportion 0.95, updateproportion 0.05)", strings.Join(terms, " + "), sum)
	}
}

func (c *Config) validateRequests(v *verdicts) {
	switch c.RequestDistribution {
	case ZipfianExact:
		within(v, "zipfian.theta", c.ZipfianTheta, 0, 20)
	case Hotspot:
		c.validateHotspot(v)
	case Exponential:
		if !(c.ExponentialPercentile >= 1e-6 && c.ExponentialPercentile < 100) {
			v.add("exponential.percentile %v: must be from 1e-6 on and below 100", c.ExponentialPercentile)
		}
		if !(c.ExponentialFrac > 0 && c.ExponentialFrac <= 1) {
			v.add("exponential.frac %v: must be above 0 and at most 1", c.ExponentialFrac)
		}
	}
}

func (c *Config) validateHotspot(v *verdicts) {
	ok := within(v, "hotspotdatafraction", c.HotspotDataFraction, 0, 1)
	if !within(v, "hotspotopnfraction", c.HotspotOpnFraction, 0, 1) || !ok || c.inserted() < 1 {
		return
	}
	switch hot := int64(float64(c.inserted()) * c.HotspotDataFraction); {
	case hot == 0 && c.HotspotOpnFraction > 0:
		v.add("hotspotdatafraction %v of %d records: no record is hot, but hotspotopnfraction is %v", c.HotspotDataFraction, c.inserted(), c.HotspotOpnFraction)
	case hot == c.inserted() && c.HotspotOpnFraction < 1:
		v.add("hotspotdatafraction %v: all records are hot, but hotspotopnfraction is %v", c.HotspotDataFraction, c.HotspotOpnFraction)
	}
}

func (c *Config) validateScans(v *verdicts) {
	ok := within(v, "minscanlength", c.MinScanLength, 1, maxScan)
	if within(v, "maxscanlength", c.MaxScanLength, 1, maxScan) && ok && c.MinScanLength > c.MaxScanLength {
		v.add("minscanlength %d: above maxscanlength %d", c.MinScanLength, c.MaxScanLength)
	}
}
