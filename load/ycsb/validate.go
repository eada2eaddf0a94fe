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

// Validate returns an error that lists everything invalid, one per line: first values by themselves, then those that
// contradict others.
func (c Config) Validate() error {
	v := &validation{}
	for _, s := range c.settings() {
		v.checkValue(s)
	}
	v.check(c.Table != "", "table: must not be empty")
	v.check(len(c.KeyPrefix) <= 1000, "keyprefix of %d bytes: must not be longer than 1000", len(c.KeyPrefix))
	c.checkRecords(v)
	c.checkFields(v)
	c.checkMix(v)
	c.checkRequests(v)
	v.check(!v.valid("minscanlength", "maxscanlength") || c.MinScanLength <= c.MaxScanLength, "minscanlength %d: above maxscanlength %d", c.MinScanLength, c.MaxScanLength)
	return errors.Join(v.errs...)
}

// validation collects errors.
type validation struct {
	errs    []error
	invalid []string // properties whose values are invalid by themselves
}

// check adds an error unless something holds.
func (v *validation) check(holds bool, format string, args ...any) {
	if !holds {
		v.errs = append(v.errs, fmt.Errorf(format, args...))
	}
}

// valid reports whether values are valid by themselves, and can be compared.
func (v *validation) valid(names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return slices.Contains(v.invalid, name) })
}

// checkValue adds an error for a word other than the allowed ones and for a number outside of its limits.
func (v *validation) checkValue(s setting) {
	before, x := len(v.errs), s.value()
	switch want := s.want.(type) {
	case string:
		v.check(slices.Contains(s.words(), x.String()), "%s %q: must be one of %s", s.name, x.String(), want)
	case limits:
		low, high := want[0], want[1]
		if high == math.MaxInt64 {
			v.check(x.Int() >= low, "%s %v: must not be negative", s.name, x)
		} else if x.CanFloat() {
			v.check(x.Float() >= float64(low) && x.Float() <= float64(high), "%s %v: must be from %d to %d", s.name, x, low, high)
		} else {
			v.check(x.Int() >= low && x.Int() <= high, "%s %v: must be from %d to %d", s.name, x, low, high)
		}
	}
	if len(v.errs) > before {
		v.invalid = append(v.invalid, s.name)
	}
}

func (c *Config) checkRecords(v *validation) {
	if !v.valid("recordcount", "insertstart", "insertcount") {
		return
	}
	if c.InsertStart >= c.RecordCount {
		v.check(false, "insertstart %d: there are records up to %d only (recordcount %d)", c.InsertStart, c.RecordCount-1, c.RecordCount)
		return
	}
	v.check(c.InsertStart+c.InsertCount <= c.RecordCount, "insertstart %d + insertcount %d: more than recordcount %d", c.InsertStart, c.InsertCount, c.RecordCount)
}

func (c *Config) checkFields(v *validation) {
	d := c.FieldLengthDistribution
	small := int64(c.FieldCount)*int64(c.FieldLength) <= maxRecordBytes
	v.check(!v.valid("fieldcount", "fieldlength") || small, "fieldcount %d × fieldlength %d: a record has more than 1 GiB", c.FieldCount, c.FieldLength)
	v.check(d != Uniform && d != Zipfian || c.MinFieldLength >= 0 && c.MinFieldLength <= c.FieldLength, "minfieldlength %d: must be from 0 to fieldlength %d", c.MinFieldLength, c.FieldLength)
	v.check(d != Histogram || c.FieldLengthHistogram != "", "fieldlengthhistogram: must name a file, since fieldlengthdistribution is histogram")
	v.check(!c.DataIntegrity || d == Constant, "dataintegrity: needs fieldlengthdistribution constant, not %s: what a value should be must follow from its key", d)
	ascii := !strings.ContainsFunc(c.KeyPrefix+c.FieldNamePrefix, func(r rune) bool { return r > 127 })
	v.check(!c.DataIntegrity || ascii, "dataintegrity: needs keyprefix and fieldnameprefix of ASCII characters, since hashes are those of Java's characters")
}

func (c *Config) checkMix(v *validation) {
	sum := 0.0
	var terms []string
	for _, s := range c.shares() {
		if !v.valid(s.property) {
			return
		}
		sum += s.share
		if s.share != 0 {
			terms = append(terms, fmt.Sprintf("%s %v", s.property, s.share))
		}
	}
	v.check(sum > 0, "all proportions are 0: there would be no operation")
	v.check(sum == 0 || math.Abs(sum-1) <= 0.005, "%s: the sum is %.4g and must be 1 (those not given are readproportion 0.95, updateproportion 0.05)", strings.Join(terms, " + "), sum)
}

func (c *Config) checkRequests(v *validation) {
	percentile, part := c.ExponentialPercentile, c.ExponentialFrac
	switch c.RequestDistribution {
	case Exponential:
		v.check(percentile >= 1e-6 && percentile < 100, "exponential.percentile %v: must be from 1e-6 on and below 100", percentile)
		v.check(part > 0 && part <= 1, "exponential.frac %v: must be above 0 and at most 1", part)
	case Hotspot:
		if !v.valid("hotspotdatafraction", "hotspotopnfraction") || c.inserted() < 1 {
			return
		}
		hot, share := int64(float64(c.inserted())*c.HotspotDataFraction), c.HotspotOpnFraction
		v.check(hot > 0 || share == 0, "hotspotdatafraction %v of %d records: no record is hot, but hotspotopnfraction is %v", c.HotspotDataFraction, c.inserted(), share)
		v.check(hot < c.inserted() || share == 1, "hotspotdatafraction %v: all records are hot, but hotspotopnfraction is %v", c.HotspotDataFraction, share)
	}
}
