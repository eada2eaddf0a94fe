// Package varint packs sequences of integers as differences of variable length.
package varint

import "errors"

// ErrTruncated is returned for data that ends within a number.
var ErrTruncated = errors.New("varint: truncated")

// Append appends the values to dst: each as the difference to the one before it.
//
//go:noinline
func Append(dst []byte, values []int64) []byte {
	var last int64
	for _, v := range values {
		dst = appendUint(dst, zigzag(v-last))
		last = v
	}
	return dst
}

// Decode appends the values of data to dst.
func Decode(dst []int64, data []byte) ([]int64, error) {
	var last int64
	for len(data) > 0 {
		u, n := readUint(data)
		if n == 0 {
			return dst, ErrTruncated
		}
		last += unzigzag(u)
		dst = append(dst, last)
		data = data[n:]
	}
	return dst, nil
}

// zigzag maps small negative numbers to small ones.
func zigzag(v int64) uint64 { return uint64(v<<1) ^ uint64(v>>63) }

func unzigzag(u uint64) int64 { return int64(u>>1) ^ -int64(u&1) }

func appendUint(dst []byte, u uint64) []byte {
	for u >= 0x80 {
		dst = append(dst, byte(u)|0x80)
		u >>= 7
	}
	return append(dst, byte(u))
}

// readUint returns the first number of data and its length, which is 0 if data ends within it.
func readUint(data []byte) (u uint64, n int) {
	var shift uint
	for i, c := range data {
		if c < 0x80 {
			return u | uint64(c)<<shift, i + 1
		}
		u |= uint64(c&0x7f) << shift
		shift += 7
	}
	return 0, 0
}
