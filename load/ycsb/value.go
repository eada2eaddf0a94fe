package ycsb

import (
	"encoding/binary"
	"strconv"
)

// fillText fills b with random text: of space, punctuation, digits and capital
// letters, the 64 characters from ' ' to '_', all equally likely.
func fillText(b []byte, r *random) {
	for len(b) >= 8 {
		binary.LittleEndian.PutUint64(b, r.next()&0x3f3f3f3f_3f3f3f3f+0x20202020_20202020)
		b = b[8:]
	}
	if len(b) > 0 {
		x := r.next()
		for i := range b {
			b[i] = byte(x&0x3f) + ' '
			x >>= 8
		}
	}
}

// appendVerifiable appends the value of size bytes by which a field of a record
// can be told from all others: the key, a colon and the field's name, then, until
// that is long enough, a colon and the hash of all that is before it, as
// Java's String.hashCode, signed and decimal; the end is cut off. YCSB writes the
// same.
func appendVerifiable(dst, key []byte, field string, size int) []byte {
	from := len(dst)
	dst = append(append(append(dst, key...), ':'), field...)
	hash, hashed := int32(0), from
	for len(dst)-from < size {
		for _, c := range dst[hashed:] {
			hash = 31*hash + int32(c)
		}
		// The colon comes before the hash is taken.
		hash, hashed = 31*hash+':', len(dst)+1
		dst = strconv.AppendInt(append(dst, ':'), int64(hash), 10)
	}
	return dst[:from+size]
}
