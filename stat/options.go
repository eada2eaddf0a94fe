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

// Options say how Compare judges. The zero value is a time, judged at the
// defaults.
type Options struct {
	// Confidence of the intervals, 0 < Confidence < 1; 1-Confidence is the
	// alpha that p is held against. 0 means DefaultConfidence.
	Confidence float64
	// Threshold is the change that does not matter: ratios from
	// 1/(1+Threshold) to 1+Threshold are equivalent. 0 means DefaultThreshold,
	// a negative value that every change matters.
	Threshold float64
	// HigherIsBetter is for rates: a ratio above 1 is faster.
	HigherIsBetter bool
	// Exact is for counts that do not vary from fork to fork, such as
	// allocs/op: any change is a change, and the words are more, less, same.
	Exact bool
	// Resamples of the bootstrap. 0 means DefaultResamples, a negative value
	// leaves the bootstrap out.
	Resamples int
	// Seed of the bootstrap.
	Seed uint64
}

// Validate reports every field that makes no sense. Compare does not need it:
// a senseless confidence gives infinite intervals, a NaN threshold no
// equivalence.
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
