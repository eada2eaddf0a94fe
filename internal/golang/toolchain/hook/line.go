package hook

import (
	"math"
	"strconv"
)

// tareLine appends JSON lines to a buffer that is reused. Package testing cannot import encoding/json.
type tareLine []byte

// start begins a line of kind k.
func (l *tareLine) start(k string) {
	*l = append(*l, `{"k":"`...)
	*l = append(*l, k...)
	*l = append(*l, '"')
}

// end ends the line.
func (l *tareLine) end() { *l = append(*l, "}\n"...) }

// key begins an object's member; its value follows.
func (l *tareLine) key(key string) {
	if b := *l; len(b) > 0 && b[len(b)-1] != '{' {
		*l = append(b, ',')
	}
	l.quote(key)
	*l = append(*l, ':')
}

// text appends a string member.
func (l *tareLine) text(key, s string) {
	l.key(key)
	l.quote(s)
}

// int appends an integer member.
func (l *tareLine) int(key string, n int64) {
	l.key(key)
	*l = strconv.AppendInt(*l, n, 10)
}

// float appends a number member. NaN and infinities are written as in record files.
func (l *tareLine) float(key string, x float64) {
	l.key(key)
	switch {
	case math.IsNaN(x):
		*l = append(*l, `"NaN"`...)
	case math.IsInf(x, 1):
		*l = append(*l, `"+Inf"`...)
	case math.IsInf(x, -1):
		*l = append(*l, `"-Inf"`...)
	default:
		*l = strconv.AppendFloat(*l, x, 'g', -1, 64)
	}
}

// object begins an object member, which lasts until close.
func (l *tareLine) object(key string) {
	l.key(key)
	*l = append(*l, '{')
}

func (l *tareLine) close() { *l = append(*l, '}') }

// quote appends a string. Invalid UTF-8 becomes U+FFFD.
func (l *tareLine) quote(s string) {
	const hex = "0123456789abcdef"
	b := append(*l, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r < ' ':
			b = append(b, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		default:
			b = append(b, string(r)...)
		}
	}
	*l = append(b, '"')
}

// bytes appends a member with bytes in base64, as encoding/json does.
func (l *tareLine) bytes(key string, src []byte) {
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	l.key(key)
	b := append(*l, '"')
	for ; len(src) >= 3; src = src[3:] {
		x := uint(src[0])<<16 | uint(src[1])<<8 | uint(src[2])
		b = append(b, digits[x>>18], digits[x>>12&63], digits[x>>6&63], digits[x&63])
	}
	switch len(src) {
	case 1:
		x := uint(src[0]) << 16
		b = append(b, digits[x>>18], digits[x>>12&63], '=', '=')
	case 2:
		x := uint(src[0])<<16 | uint(src[1])<<8
		b = append(b, digits[x>>18], digits[x>>12&63], digits[x>>6&63], '=')
	}
	*l = append(b, '"')
}
