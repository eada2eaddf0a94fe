package exposition

import (
	"strconv"
	"strings"
)

// Format is one of the formats.
type Format int

// The formats.
const (
	Text        Format = iota // version 0.0.4
	OpenMetrics               // version 1.0.0
	Protobuf                  // delimited messages io.prometheus.client.MetricFamily
)

// ContentType returns the value of the header of that name.
func (f Format) ContentType() string {
	switch f {
	case OpenMetrics:
		return "application/openmetrics-text; version=1.0.0; charset=utf-8"
	case Protobuf:
		return "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited"
	}
	return "text/plain; version=0.0.4; charset=utf-8"
}

// Append appends families in the format.
func (f Format) Append(dst []byte, families []Family) []byte {
	for i := range families {
		if len(families[i].Metrics) == 0 {
			continue
		}
		if f == Protobuf {
			dst = appendMessage(dst, &families[i])
		} else {
			dst = appendText(dst, &families[i], f == OpenMetrics)
		}
	}
	if f == OpenMetrics {
		dst = append(dst, "# EOF\n"...)
	}
	return dst
}

// Negotiate returns the format that an Accept header prefers, of equal ones the first named. It is Text for a header that names
// none of ours.
func Negotiate(accept string) Format {
	best, weight := Text, 0.0
	for item := range strings.SplitSeq(accept, ",") {
		parts := strings.Split(item, ";")
		params := map[string]string{}
		for _, p := range parts[1:] {
			name, value, _ := strings.Cut(p, "=")
			params[strings.ToLower(strings.TrimSpace(name))] = strings.Trim(strings.TrimSpace(value), `"`)
		}
		format, known := formatOf(strings.ToLower(strings.TrimSpace(parts[0])), params)
		q := 1.0
		if text, ok := params["q"]; ok {
			q, _ = strconv.ParseFloat(text, 64) // 0 for what is no number: not accepted
		}
		if known && q > weight {
			best, weight = format, q
		}
	}
	return best
}

// formatOf returns the format of a media type.
func formatOf(name string, params map[string]string) (f Format, known bool) {
	switch name {
	case "application/vnd.google.protobuf":
		return Protobuf, params["proto"] == "io.prometheus.client.MetricFamily" && params["encoding"] == "delimited"
	case "application/openmetrics-text":
		v := params["version"]
		return OpenMetrics, v == "" || v == "1.0.0" || v == "0.0.1"
	case "text/plain", "text/*", "*/*":
		return Text, true
	}
	return Text, false
}
