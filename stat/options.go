package stat

import (
	"errors"
	"fmt"
	"math"
)

// Defaults of Options.
const (
	DefaultConfidence = 0.95
	DefaultThreshold  = 0.03
)

// Options are the options of Compare. The zero value is for times, with default
// levels.
type Options struct {
	// Confidence is the level of the intervals, 0 < Confidence < 1; p is compared
	// with alpha = 1-Confidence. 0 means DefaultConfidence.
	Confidence float64
	// Threshold is the largest change that does not matter: ratios from
	// 1/(1+Threshold) to 1+Threshold are equivalent. 0 means DefaultThreshold; with a
	// negative value every change matters.
	Threshold float64
	// HigherIsBetter is for rates: a ratio above 1 is faster.
	HigherIsBetter bool
	// Exact is for counts that do not vary between forks, such as allocs/op: every
	// difference is a change, and the verdicts are more, less and same.
	Exact bool
	// Resamples is the number of bootstrap resamples. 0 means DefaultResamples, a
	// negative value no bootstrap.
	Resamples int
	// Seed of the bootstrap.
	Seed uint64
}

// Validate returns an error that lists every invalid field. Compare does not need it:
// an invalid confidence gives infinite intervals, a NaN threshold no equivalence.
func (o Options) Validate() error {
	var errs []error
	if o.Confidence != 0 && !(o.Confidence > 0 && o.Confidence < 1) {
		errs = append(errs, fmt.Errorf("confidence %v is not between 0 and 1", o.Confidence))
	}
	if math.IsNaN(o.Threshold) || math.IsInf(o.Threshold, 0) {
		errs = append(errs, fmt.Errorf("threshold %v is not a finite number", o.Threshold))
	}
	return errors.Join(errs...)
}

func (o Options) withDefaults() Options {
	if o.Confidence == 0 {
		o.Confidence = DefaultConfidence
	}
	if !(o.Confidence > 0 && o.Confidence < 1) {
		o.Confidence = math.NaN()
	}
	if o.Threshold == 0 {
		o.Threshold = DefaultThreshold
	}
	if o.Resamples == 0 {
		o.Resamples = DefaultResamples
	}
	return o
}
