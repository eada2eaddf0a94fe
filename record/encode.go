package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
)

var (
	errNil  = errors.New("a nil line")
	errLong = errors.New("line exceeds the limit of readers")
)

// appendLine appends l and its newline to dst. On an error it returns dst unchanged.
func appendLine(dst []byte, l Line) ([]byte, error) {
	switch l := l.(type) {
	case nil:
		return dst, errNil
	case *Sample:
		if l == nil {
			return dst, errNil
		}
		return appendSample(dst, l), nil
	case *Run:
		if l == nil {
			return dst, errNil
		}
		if l.Version == 0 {
			filled := *l
			filled.Version = Version
			return appendAny(dst, &filled)
		}
		if l.Version != Version {
			return dst, fmt.Errorf("format version %d cannot be written, only %d", l.Version, Version)
		}
	}
	return appendAny(dst, l)
}

// appendAny appends any line by reflection, with its kind first.
func appendAny(dst []byte, l Line) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf) // ends what it writes with a newline
	enc.SetEscapeHTML(false)
	if err := enc.Encode(l); err != nil {
		return dst, err
	}
	fields, ok := bytes.CutPrefix(buf.Bytes(), []byte("{"))
	if !ok {
		return dst, errNil
	}
	dst = append(dst, `{"k":"`...)
	dst = append(dst, l.kind()...)
	dst = append(dst, '"')
	if fields[0] != '}' {
		dst = append(dst, ',')
	}
	return append(dst, fields...), nil
}

// appendSample appends the same as appendAny without reflection: nearly all lines of
// a file are samples, and they are written while others are measured.
func appendSample(dst []byte, s *Sample) []byte {
	dst = append(dst, `{"k":"sample","fork":`...)
	dst = strconv.AppendInt(dst, int64(s.Fork), 10)
	dst = append(dst, `,"iter":`...)
	dst = strconv.AppendInt(dst, int64(s.Iter), 10)
	dst = append(dst, `,"phase":`...)
	dst = appendString(dst, s.Phase)
	if s.Role != "" {
		dst = append(dst, `,"role":`...)
		dst = appendString(dst, s.Role)
	}
	dst = append(dst, `,"t":`...)
	dst = strconv.AppendInt(dst, s.T, 10)
	if s.Wall != 0 {
		dst = append(dst, `,"wall":`...)
		dst = strconv.AppendInt(dst, s.Wall, 10)
	}
	if s.CPU != 0 {
		dst = append(dst, `,"cpu":`...)
		dst = strconv.AppendInt(dst, s.CPU, 10)
	}
	if s.Delay != 0 {
		dst = append(dst, `,"delay":`...)
		dst = strconv.AppendInt(dst, s.Delay, 10)
	}
	if s.Batched {
		dst = append(dst, `,"batched":true`...)
	}
	dst = append(dst, `,"ns":`...)
	dst = strconv.AppendInt(dst, s.Ns, 10)
	dst = append(dst, `,"ops":`...)
	dst = strconv.AppendInt(dst, s.Ops, 10)
	dst = append(dst, `,"v":`...)
	dst = appendValues(dst, s.V)
	return append(dst, '}', '\n')
}

func appendValues(dst []byte, vs Values) []byte {
	dst = append(dst, '{')
	for i, v := range vs {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, v.Unit)
		dst = append(dst, ':')
		dst = appendFloat(dst, v.Value)
	}
	return append(dst, '}')
}

// appendFloat appends f in the form of encoding/json.
func appendFloat(dst []byte, f float64) []byte {
	abs := math.Abs(f)
	switch {
	case abs < 1<<53 && f == math.Trunc(f) && (f != 0 || !math.Signbit(f)):
		return strconv.AppendInt(dst, int64(f), 10) // most values are counts
	case math.IsNaN(f):
		return append(dst, `"NaN"`...)
	case f > math.MaxFloat64:
		return append(dst, `"+Inf"`...)
	case f < -math.MaxFloat64:
		return append(dst, `"-Inf"`...)
	case abs != 0 && (abs < 1e-6 || abs >= 1e21):
		dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
		// strconv writes two digits of exponent at least, encoding/json one.
		if n := len(dst); dst[n-4] == 'e' && dst[n-2] == '0' {
			dst[n-2] = dst[n-1]
			dst = dst[:n-1]
		}
		return dst
	}
	return strconv.AppendFloat(dst, f, 'f', -1, 64)
}

// appendString appends s as a JSON string.
func appendString(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			return appendEscaped(dst, s)
		}
	}
	dst = append(dst, '"')
	dst = append(dst, s...)
	return append(dst, '"')
}

// appendEscaped appends a string that needs escaping, by encoding/json.
func appendEscaped(dst []byte, s string) []byte {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic("record: a string has no JSON form: " + err.Error()) // encoding/json: never
	}
	return append(dst, bytes.TrimSuffix(buf.Bytes(), []byte("\n"))...)
}
