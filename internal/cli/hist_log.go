package cli

import (
	"io"
	"math"
	"time"

	"github.com/tarebench/tare/hist"
)

// logOutput writes a log with the first interval's idea of the column of maxima:
// what is cut out of a log or merged of some looks like them.
type logOutput struct {
	out     io.Writer
	start   func() time.Time // of the log, when its first interval is known
	comment string
	w       *hist.LogWriter
}

func (o *logOutput) write(i hist.Interval) error {
	if o.w == nil {
		o.w = hist.NewLogWriter(o.out, hist.LogConfig{Start: o.start(), MaxUnit: maxUnit(i), Comment: o.comment})
	}
	if err := o.w.Write(i); err != nil {
		return failed(err, "")
	}
	return nil
}

// maxUnit is how many units of an interval's values make one of its column of
// maxima, a power of ten; 0, for the default, where that cannot be told.
func maxUnit(i hist.Interval) float64 {
	if i.Histogram.Max() <= 0 || !(i.Max > 0) {
		return 0
	}
	return math.Pow10(int(math.Round(math.Log10(float64(i.Histogram.Max()) / i.Max))))
}
