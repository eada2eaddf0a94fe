package hist

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
)

// Config sets the precision and range of a Histogram. The zero value keeps three
// digits of every value from 0 to math.MaxInt64.
type Config struct {
	// Digits is the number of significant decimal digits: values that differ by less
	// than one part in 10^Digits may share a bucket. 1 to 5, default 3. Memory grows
	// tenfold with each digit: a page of counts has 8 KiB at 3 digits and 1 MiB at 5.
	Digits int

	// Lowest is the smallest value that must be distinguished from 0, in the caller's
	// unit. Buckets are at least as wide as the largest power of two that is not
	// greater. At least 1, the default.
	Lowest int64

	// Highest is the largest value of the range, at least twice Lowest. It is rounded
	// up to the next power of two at which buckets double their width. Larger values
	// go to the topmost bucket and are counted by [Histogram.Saturated]. Default
	// math.MaxInt64. Memory is allocated only for magnitudes that occur.
	Highest int64
}

const (
	defaultDigits = 3
	maxDigits     = 5
)

// Validate returns an error that lists everything wrong with the configuration.
func (c Config) Validate() error {
	var errs []error
	if c.Digits < 0 || c.Digits > maxDigits {
		errs = append(errs, fmt.Errorf("hist: %d digits: must be 1 to %d, or 0 for %d", c.Digits, maxDigits, defaultDigits))
	}
	if c.Lowest < 0 {
		errs = append(errs, fmt.Errorf("hist: lowest value %d is negative: must be at least 1, or 0 for 1", c.Lowest))
	}
	if c.Highest < 0 {
		errs = append(errs, fmt.Errorf("hist: highest value %d is negative: must be at least twice the lowest, or 0 for no limit", c.Highest))
	}
	if errs != nil {
		return errors.Join(errs...)
	}
	c = c.filled()
	if c.Highest/2 < c.Lowest {
		errs = append(errs, fmt.Errorf("hist: highest value %d is less than twice the lowest, %d", c.Highest, c.Lowest))
	}
	// Beyond this the first two magnitudes would not fit into an int64.
	if unit, half := magnitudes(c); unit+half > 61 {
		errs = append(errs, fmt.Errorf("hist: lowest value %d is too large for %d digits", c.Lowest, c.Digits))
	}
	return errors.Join(errs...)
}

// filled returns the configuration with defaults in place of zeros.
func (c Config) filled() Config {
	if c.Digits == 0 {
		c.Digits = defaultDigits
	}
	if c.Lowest == 0 {
		c.Lowest = 1
	}
	if c.Highest == 0 {
		c.Highest = math.MaxInt64
	}
	return c
}

// magnitudes returns the binary logarithms of the narrowest bucket's width and of the
// number of buckets in a page. Single units must be distinguished up to 2 ×
// 10^Digits, where one unit becomes less than the last digit.
func magnitudes(c Config) (unit, half uint) {
	single := uint64(2)
	for range c.Digits {
		single *= 10
	}
	return uint(bits.Len64(uint64(c.Lowest))) - 1, uint(bits.Len64(single-1)) - 1
}
