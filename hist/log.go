package hist

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// An Interval is a line of a log: the values recorded from Start to Start+Length.
type Interval struct {
	// Tag distinguishes the histograms of one log, of reads and of writes for
	// example. It may be empty, and must not contain a blank, comma or line break.
	Tag string

	// Start and Length have millisecond precision.
	Start  time.Time
	Length time.Duration

	// Max is the column Interval_Max of the line, as read by a LogReader: by
	// convention in milliseconds. A LogWriter ignores it and writes the Histogram's
	// maximum.
	Max float64

	Histogram *Histogram
}

const logVersion = "1.3"

// Beginnings of lines with a meaning.
const (
	startTimeLine = "#[StartTime:"
	baseTimeLine  = "#[BaseTime:"
	legendLine    = `"StartTimestamp"`
	legend        = legendLine + `,"Interval_Length","Interval_Max","Interval_Compressed_Histogram"`
	tagField      = "Tag="
)

// stamp formats milliseconds as seconds with three decimals. It uses no float64,
// which cannot represent 1698300000.123 exactly.
func stamp(ms int64) string {
	sign := ""
	if ms < 0 {
		sign, ms = "-", -ms
	}
	return fmt.Sprintf("%s%d.%03d", sign, ms/1000, ms%1000)
}

var errStamp = errors.New("not a number of seconds")

// maxSeconds is about 30,000 years: an implausible stamp, but far from the overflow
// of times.
const maxSeconds = 1e12

// parseStamp reads seconds to the nanosecond. Numbers in another form than
// stamp's are read to the millisecond.
func parseStamp(s string) (sec, nsec int64, err error) {
	digits, negative := strings.CutPrefix(s, "-")
	whole, frac, _ := strings.Cut(digits, ".")
	sec, err = strconv.ParseInt(whole, 10, 64)
	if err == nil && len(frac) <= 9 && digits[0] != '-' && digits[0] != '+' {
		var n uint64
		if frac != "" {
			n, err = strconv.ParseUint((frac + "000000000")[:9], 10, 64)
		}
		nsec = int64(n)
	} else {
		err = errStamp
	}
	if err != nil {
		var f float64
		if f, err = strconv.ParseFloat(digits, 64); err != nil || !(f >= 0 && f < maxSeconds) {
			return 0, 0, fmt.Errorf("%q: %w", s, errStamp)
		}
		ms := int64(f*1000 + 0.5)
		sec, nsec = ms/1000, ms%1000*1e6
	}
	if sec >= maxSeconds {
		return 0, 0, fmt.Errorf("%q: %w", s, errStamp)
	}
	if negative {
		sec, nsec = -sec, -nsec
	}
	return sec, nsec, nil
}

// lineBreaks are the line ends of Java's Scanner, and so of HdrHistogram.
const lineBreaks = "\n\r\u0085\u2028\u2029"

// validTag reports whether readers will find the end of the tag.
func validTag(tag string) bool { return !strings.ContainsAny(tag, ", "+lineBreaks) }
