// Package hexenc writes bytes in hexadecimal.
package hexenc

import "errors"

// ErrDigit is returned for text that is not hexadecimal.
var ErrDigit = errors.New("hexenc: not a hexadecimal digit")

const digits = "0123456789abcdef"

// Append appends the digits of src to dst.
//
//go:noinline
func Append(dst, src []byte) []byte {
	for _, b := range src {
		dst = append(dst, digits[b>>4], digits[b&15])
	}
	return dst
}

// values maps digits to their values, and all other bytes to 255.
var values = func() (v [256]uint8) {
	for i := range v {
		v[i] = 255
	}
	for i := range 10 {
		v['0'+i] = uint8(i)
	}
	for i := range 6 {
		v['a'+i], v['A'+i] = uint8(10+i), uint8(10+i)
	}
	return v
}()

// Decode writes the bytes of src, two digits each, to dst, which must be half as long. It returns how many.
//
//go:noinline
func Decode(dst, src []byte) (int, error) {
	n := 0
	for len(src) >= 2 && len(dst) > 0 {
		hi, lo := values[src[0]], values[src[1]]
		if hi|lo > 15 {
			return n, ErrDigit
		}
		dst[0] = hi<<4 | lo
		src, dst = src[2:], dst[1:]
		n++
	}
	return n, nil
}
