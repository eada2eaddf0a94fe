package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/result"
)

// A ycsbMetric is a line of what YCSB's exporters write at the end of a run:
// [READ], AverageLatency(us), 1027.4.
type ycsbMetric struct {
	Series string      `json:"metric"`
	Name   string      `json:"measurement"`
	Value  json.Number `json:"value"` // as Java writes it
}

// YCSB writes the text of YCSB's TextMeasurementsExporter. Latencies are in
// whole microseconds there; a series is named for the operation and holds service
// times, Intended- before it marks response times. Their form follows from the properties in the
// record; see package measurement. tare has one series more: -UNANSWERED
// behind the operation is how long those had waited that were never answered. Of the others
// the average, the maximum and the percentiles are then lower bounds.
func YCSB(w io.Writer, s *result.Result) error {
	return writeYCSB(s, func(m ycsbMetric) error {
		_, err := fmt.Fprintf(w, "[%s], %s, %s\n", charset.Name(m.Series), charset.Name(m.Name), m.Value)
		return err
	})
}

// YCSBJSON writes the objects of YCSB's JSONMeasurementsExporter, a stream
// with one a line.
func YCSBJSON(w io.Writer, s *result.Result) error {
	e := json.NewEncoder(termtext.JSON(w))
	return writeYCSB(s, func(m ycsbMetric) error { return e.Encode(m) })
}

func writeYCSB(s *result.Result, write func(ycsbMetric) error) error {
	l := s.Load
	if len(s.Steps) > 0 {
		return errors.New("a search or a sweep is many runs, and ycsb is the form of one: use json or csv")
	}
	if l == nil {
		return errors.New("nothing was measured")
	}
	ms := int64(float64(l.Wall)/1e6 + 0.5)
	throughput := 0.0
	if ms > 0 {
		throughput = 1000 * float64(l.Operations) / float64(ms)
	}
	e := newYCSBExporter(s)
	e.add("OVERALL", "RunTime(ms)", ms)
	e.add("OVERALL", "Throughput(ops/sec)", throughput)
	for i := range s.Latencies {
		e.latency(&s.Latencies[i])
	}
	for _, m := range e.out {
		if err := write(m); err != nil {
			return err
		}
	}
	return nil
}

// ordinal returns a percentile in YCSB's words: 50th, 1st, 92nd, 13th, and 99.9 as it
// is.
func ordinal(p float64) string {
	n, suffix := int(p), "th"
	if p != float64(n) {
		return decimal(p)
	}
	if tens, ones := n/10%10, n%10; tens != 1 && ones < 4 {
		suffix = [...]string{"th", "st", "nd", "rd"}[ones]
	}
	return strconv.Itoa(n) + suffix
}

// decimal writes x with all its digits and no exponent.
func decimal(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// javaDouble writes a double as Java's Double.toString: at least one digit behind
// the point, and an exponent from ten million on and below a thousandth.
func javaDouble(x float64) json.Number {
	format := byte('f')
	if x >= 1e7 || x < 1e-3 && x != 0 {
		format = 'E'
	}
	digits, exponent, scientific := strings.Cut(strconv.FormatFloat(x, format, -1, 64), "E")
	if !strings.Contains(digits, ".") {
		digits += ".0"
	}
	if scientific {
		n, _ := strconv.Atoi(exponent)
		digits += "E" + strconv.Itoa(n)
	}
	return json.Number(digits)
}
