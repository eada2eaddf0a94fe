package histfiles

import (
	"fmt"
	"io"
	"math"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/termtext"
)

// Cut writes the selected intervals as a log. It keeps the start time of the first file,
// so that seconds mean the same in the part as in the whole.
func (in *Input) Cut(w io.Writer) error {
	o := &logOutput{out: w, comment: "cut by tare hist from " + termtext.Charset{UTF8: true}.Name(in.Files[0])}
	return in.each(func(src *source, i hist.Interval) error {
		if o.start == nil {
			o.start = src.start
		}
		return o.write(i)
	})
}

// logOutput writes a log whose column of maxima has the unit of the first interval's, so
// that a part of a log looks like the log.
type logOutput struct {
	out     io.Writer
	start   func() time.Time // of the log; known once its first interval is
	comment string
	w       *hist.LogWriter
}

func (o *logOutput) write(i hist.Interval) error {
	if o.w == nil {
		o.w = hist.NewLogWriter(o.out, hist.LogConfig{Start: o.start(), MaxUnit: maxUnit(i), Comment: o.comment})
	}
	if err := o.w.Write(i); err != nil {
		return exit.Failed(err, "")
	}
	return nil
}

// maxUnit returns how many units of an interval's values make one of its column of
// maxima, a power of ten; 0, for the default, where the interval does not tell.
func maxUnit(i hist.Interval) float64 {
	if i.Histogram.Max() <= 0 || !(i.Max > 0) {
		return 0
	}
	return math.Pow10(int(math.Round(math.Log10(float64(i.Histogram.Max()) / i.Max))))
}

// writeLog writes the selected intervals as a log of values in ns.
func (in *Input) writeLog(w io.Writer) error {
	if len(in.Files) > 1 {
		return exit.Usage(fmt.Errorf("a log is made of one file, and there are %d", len(in.Files)), "make one of them first: tare hist merge")
	}
	o := &logOutput{out: w, comment: "converted by tare hist from " + termtext.Charset{UTF8: true}.Name(in.Files[0])}
	return in.each(func(src *source, i hist.Interval) error {
		o.start = src.start
		if in.Unit > 1 {
			i.Histogram, i.Max = scaleHistogram(i.Histogram, in.Unit), 0
		}
		return o.write(i)
	})
}
