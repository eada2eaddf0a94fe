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
	ms, err := ycsbMetrics(s)
	for _, m := range ms {
		if _, err := fmt.Fprintf(w, "[%s], %s, %s\n", charset.Name(m.Series), charset.Name(m.Name), m.Value); err != nil {
			return err
		}
	}
	return err
}

// YCSBJSON writes the objects of YCSB's JSONMeasurementsExporter, a stream
// with one a line.
func YCSBJSON(w io.Writer, s *result.Result) error {
	ms, err := ycsbMetrics(s)
	e := json.NewEncoder(termtext.JSON(w))
	for _, m := range ms {
		if err := e.Encode(m); err != nil {
			return err
		}
	}
	return err
}

func ycsbMetrics(s *result.Result) ([]ycsbMetric, error) {
	l := s.Load
	if len(s.Steps) > 0 {
		return nil, errors.New("a search or a sweep is many runs, and ycsb is the form of one: use json or csv")
	}
	if l == nil {
		return nil, errors.New("nothing was measured")
	}
	ms := int64(float64(l.Wall)/1e6 + 0.5)
	throughput := 0.0
	if ms > 0 {
		throughput = 1000 * float64(l.Operations) / float64(ms)
	}
	e := newYCSBExporter(s)
	e.add("OVERALL", "RunTime(ms)", ycsbInt(ms))
	e.add("OVERALL", "Throughput(ops/sec)", javaDouble(throughput))
	for i := range s.Latencies {
		e.latency(&s.Latencies[i])
	}
	return e.out, nil
}

// ordinal returns a percentile in YCSB's words: 50th, 1st, 92nd, 13th, and 99.9 as it
// is.
func ordinal(p float64) string {
	n := int(p)
	if p != float64(n) {
		return strconv.FormatFloat(p, 'f', -1, 64)
	}
	suffix := "th"
	if tens := n / 10 % 10; tens != 1 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return strconv.Itoa(n) + suffix
}

func ycsbInt(n int64) json.Number { return json.Number(strconv.FormatInt(n, 10)) }

// javaDouble writes a double as Java's Double.toString: at least one digit behind
// the point, and an exponent from ten million on and below a thousandth.
func javaDouble(x float64) json.Number {
	switch {
	case x == 0:
		return "0.0"
	case x >= 1e7 || x < 1e-3:
		s := strconv.FormatFloat(x, 'E', -1, 64)
		digits, exp, _ := strings.Cut(s, "E")
		if !strings.Contains(digits, ".") {
			digits += ".0"
		}
		n, _ := strconv.Atoi(exp)
		return json.Number(digits + "E" + strconv.Itoa(n))
	}
	s := strconv.FormatFloat(x, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return json.Number(s)
}
