package summary

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// MarshalJSON implements json.Marshaler.
func (n Number) MarshalJSON() ([]byte, error) {
	f := float64(n)
	switch {
	case math.IsNaN(f):
		return []byte(`"NaN"`), nil
	case math.IsInf(f, 1):
		return []byte(`"+Inf"`), nil
	case math.IsInf(f, -1):
		return []byte(`"-Inf"`), nil
	}
	return json.Marshal(f)
}

// UnmarshalJSON implements json.Unmarshaler.
func (n *Number) UnmarshalJSON(b []byte) error {
	f, err := strconv.ParseFloat(string(bytes.Trim(b, `"`)), 64)
	if err != nil {
		return fmt.Errorf("summary: %s is not a number", b)
	}
	*n = Number(f)
	return nil
}

// MarshalJSON implements json.Marshaler.
func (m Metrics) MarshalJSON() ([]byte, error) {
	return object(len(m), func(i int) (string, any) { return m[i].Unit, m[i].Interval })
}

// MarshalJSON implements json.Marshaler.
func (p Params) MarshalJSON() ([]byte, error) {
	return object(len(p), func(i int) (string, any) { return p[i].Key, p[i].Value })
}

// object writes an object whose keys keep their order; a map would sort them.
func object(n int, at func(int) (string, any)) ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i := range n {
		key, v := at(i)
		if i > 0 {
			b.WriteByte(',')
		}
		k, err := json.Marshal(key)
		if err != nil {
			return nil, err
		}
		val, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		b.Write(k)
		b.WriteByte(':')
		b.Write(val)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// MarshalJSON writes the codes of the warnings for the warnings, and no figures
// for a benchmark that has none.
func (r Result) MarshalJSON() ([]byte, error) {
	codes := make([]string, len(r.Warnings))
	for i, w := range r.Warnings {
		codes[i] = w.Code
	}
	type plain Result // sheds the methods
	out := struct {
		plain
		Median   *Number  `json:"median,omitempty"` // shadows the embedded ones
		Lo       *Number  `json:"lo,omitempty"`
		Hi       *Number  `json:"hi,omitempty"`
		Warnings []string `json:"warnings,omitempty"`
	}{plain: plain(r), Warnings: codes}
	if r.Forks > 0 {
		out.Median, out.Lo, out.Hi = &r.Median, &r.Lo, &r.Hi
	}
	return json.Marshal(out)
}
