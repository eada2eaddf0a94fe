package exposition

import (
	"math"
	"strconv"
	"strings"
)

// textWriter appends samples of one family as text.
type textWriter struct {
	dst  []byte
	open bool // OpenMetrics
}

func appendText(dst []byte, f *Family, open bool) []byte {
	w := &textWriter{dst, open}
	suffix, kind := "", "gauge"
	switch f.Kind {
	case Counter:
		suffix, kind = "_total", "counter"
	case Info:
		suffix = "_info"
		if open {
			kind = "info"
		}
	case Histogram:
		kind = "histogram"
	}
	name := f.Name
	if !open {
		name += suffix // where a family is called as its samples are
	}
	w.head("HELP", name, escape(f.Help, open))
	w.head("TYPE", name, kind)
	if open && f.Unit != "" {
		w.head("UNIT", name, f.Unit)
	}
	for i := range f.Metrics {
		m := &f.Metrics[i]
		if f.Kind == Histogram {
			w.histogram(f.Name, m)
			continue
		}
		w.sample(f.Name+suffix, m.Labels, "", w.number(m.Value))
	}
	return w.dst
}

func (w *textWriter) head(what, name, text string) {
	w.dst = append(w.dst, "# "+what+" "+name+" "+text+"\n"...)
}

// histogram writes classic buckets, the count and the sum.
func (w *textWriter) histogram(name string, m *Metric) {
	for i, n := range cumulative(m.Histogram) {
		w.sample(name+"_bucket", m.Labels, w.number(float64(bounds[i])/perSecond), strconv.FormatInt(n, 10))
	}
	count := strconv.FormatInt(m.Histogram.Count(), 10)
	w.sample(name+"_bucket", m.Labels, "+Inf", count)
	w.sample(name+"_sum", m.Labels, "", w.number(sum(m.Histogram)))
	w.sample(name+"_count", m.Labels, "", count)
}

// sample writes a line. le is the bound of a bucket, "" for other samples.
func (w *textWriter) sample(name string, labels []Label, le, value string) {
	w.dst = append(w.dst, name...)
	if le != "" {
		labels = append(labels[:len(labels):len(labels)], Label{"le", le})
	}
	for i, l := range labels {
		between := byte(',')
		if i == 0 {
			between = '{'
		}
		w.dst = append(append(w.dst, between), l.Name+`="`+escape(l.Value, true)+`"`...)
	}
	if len(labels) > 0 {
		w.dst = append(w.dst, '}')
	}
	w.dst = append(w.dst, " "+value+"\n"...)
}

// number writes a value. In OpenMetrics whole numbers have a point, so that bounds of buckets are the same text everywhere.
func (w *textWriter) number(x float64) string {
	switch {
	case math.IsInf(x, 1):
		return "+Inf"
	case math.IsInf(x, -1):
		return "-Inf"
	case math.IsNaN(x):
		return "NaN"
	}
	s := strconv.FormatFloat(x, 'g', -1, 64)
	if w.open && !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}

// escape escapes what ends a line, and with quotes also what ends a label's value.
func escape(s string, quotes bool) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.NewReplacer(`\`, `\\`, "\n", `\n`).Replace(s)
	if quotes {
		s = strings.ReplaceAll(s, `"`, `\"`)
	}
	return s
}
