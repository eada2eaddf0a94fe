package histfiles

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/bits"
	"strconv"
	"strings"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/result/latencies"
)

// writeHgrm writes the distribution of the one tag that is selected, or its correction.
func (in *Input) writeHgrm(w io.Writer, c Conversion) error {
	all, err := in.Distributions()
	if err != nil {
		return err
	}
	if len(all) > 1 {
		var tags []string
		for _, d := range all {
			tags = append(tags, d.Tag)
		}
		return exit.Usage(fmt.Errorf("--to hgrm has one distribution, and %s has %d", all[0].File, len(all)), "choose with --tag: "+latencies.ListTags(tags))
	}
	if c.Correct > 0 {
		if all, err = Correct(all, c.Correct); err != nil {
			return err
		}
	}
	d := all[len(all)-1]
	unit := c.Unit.Or(latencies.Millisecond)
	g := &hgrm{hist: d.Histogram, start: d.Start, ratio: float64(unit.Ns) / float64(in.Unit)}
	if c.ToFile {
		g.span = "between 0.000 and <Infinite> seconds (relative to StartTime)"
	}
	return g.write(w)
}

// hgrm is a percentile distribution as HdrHistogram prints it
// (AbstractHistogram.outputPercentileDistribution, PercentileIterator). Plotters of
// .hgrm files read it.
type hgrm struct {
	hist  *hist.Histogram
	start time.Time // of the log
	ratio float64   // what the values are divided by
	span  string    // the range, for the line that HistogramLogProcessor puts into files; "" for none
}

// ticksPerHalf is how many lines there are from one percentile to that halfway to
// 100 %.
const ticksPerHalf = 5

// write writes the distribution, and before it the lines of HistogramLogProcessor.
// Java prints the start in local time, this in UTC.
func (g *hgrm) write(w io.Writer) error {
	var b bytes.Buffer
	if g.span != "" {
		fmt.Fprintf(&b, "#[Overall percentile distribution %s]\n", g.span)
	}
	ms := g.start.UnixMilli()
	fmt.Fprintf(&b, "#[StartTime: %s (seconds since epoch), %s]\n", javaFixed(float64(ms)/1000, 3), time.UnixMilli(ms).UTC().Format("Mon Jan 02 15:04:05 MST 2006"))
	fmt.Fprintf(&b, "%12s %14s %10s %14s\n\n", "Value", "Percentile", "TotalCount", "1/(1-Percentile)")
	g.lines(&b)
	g.foot(&b)
	_, err := w.Write(b.Bytes())
	return err
}

// lines writes a line for each level that is reached: levels are the nearer to each
// other the nearer they are to 100 %.
func (g *hgrm) lines(b *bytes.Buffer) {
	total := g.hist.Count()
	level, seen := 0.0, int64(0)
	line := func(value, count int64, level float64) {
		fmt.Fprintf(b, "%12s %s %10d", g.value(float64(value)), javaFixed(level/100, 12), count)
		if level < 100 {
			fmt.Fprintf(b, " %14s", javaFixed(1/(1-level/100), 2))
		}
		b.WriteByte('\n')
	}
	highest := int64(0)
	for bucket, n := range g.hist.Buckets() {
		seen += n
		highest = bucket.Highest
		// A bucket of many values reaches several levels. As in Java, the bucket of
		// the last value gets one line for them, and that for 100 %.
		for level < 100 && 100*float64(seen)/float64(total) >= level {
			line(bucket.Highest, seen, level)
			level = nextLevel(level)
			if seen == total {
				break
			}
		}
	}
	if total > 0 {
		line(highest, total, 100)
	}
}

// nextLevel returns the level after one. The distance from a level to 100 % lies between two
// powers of 1/2; the step is a fifth of the smaller of their differences to 100 %. Where
// float64 has no number between two levels, which takes more than 2^50 values, the next
// is 100; Java does not end there.
func nextLevel(level float64) float64 {
	halves := math.Pow(2, math.Floor(math.Log(100/(100-level))/math.Log(2))+1)
	next := level + 100/(ticksPerHalf*halves)
	if next <= level {
		return 100
	}
	return next
}

// foot writes mean, deviation and the sizes of the histogram.
func (g *hgrm) foot(b *bytes.Buffer) {
	h := g.hist
	fmt.Fprintf(b, "#[Mean    = %12s, StdDeviation   = %12s]\n", g.value(h.Mean()), g.value(h.StdDev()))
	fmt.Fprintf(b, "#[Max     = %12s, Total count    = %12d]\n", g.value(float64(h.ValueAtPercentile(100))), h.Count())
	buckets, sub := javaBuckets(h)
	fmt.Fprintf(b, "#[Buckets = %12d, SubBuckets     = %12d]\n", buckets, sub)
}

// value writes a value in the unit, with as many places as the histogram has digits.
func (g *hgrm) value(v float64) string { return javaFixed(v/g.ratio, g.hist.Config().Digits) }

// javaBuckets returns what Java's histogram would have: as many buckets, each of so many
// sub-buckets, as its largest value needs. One that was made for larger values than
// occurred has more of them.
func javaBuckets(h *hist.Histogram) (buckets, sub int64) {
	single := 2 * int64(math.Pow10(h.Config().Digits))
	sub = 1 << bits.Len64(uint64(single-1))
	lowest := uint(bits.Len64(uint64(h.Config().Lowest)) - 1)
	largest := h.ValueAtPercentile(100)
	beyond := sub << lowest // the smallest value that is out of reach
	for buckets = 1; beyond <= largest; buckets++ {
		if beyond > math.MaxInt64/2 {
			return buckets + 1, sub
		}
		beyond <<= 1
	}
	return buckets, sub
}

// javaFixed writes x with so many places as Java's %.3f does: it rounds the shortest
// decimal number that stands for x, and halves go up. C and Go round what x is in
// binary, so that 0.0015 may differ.
func javaFixed(x float64, places int) string {
	s := strconv.FormatFloat(math.Abs(x), 'f', -1, 64)
	whole, frac, _ := strings.Cut(s, ".")
	if len(frac) < places {
		frac += strings.Repeat("0", places-len(frac))
	}
	digits := []byte(whole + frac[:places])
	if len(frac) > places && frac[places] >= '5' {
		i := len(digits) - 1
		for ; i >= 0 && digits[i] == '9'; i-- {
			digits[i] = '0'
		}
		if i >= 0 {
			digits[i]++
		} else {
			digits = append([]byte{'1'}, digits...)
		}
	}
	out := string(digits)
	if places > 0 {
		out = out[:len(out)-places] + "." + out[len(out)-places:]
	}
	if x < 0 {
		out = "-" + out
	}
	return out
}
