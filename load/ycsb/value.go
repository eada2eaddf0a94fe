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

// appendVerifiable appends the value of size bytes that identifies a field of a
// record: the key, a colon and the field's name, then repeatedly a colon and the hash
// of the text before it, as Java's String.hashCode, signed and decimal. The end is
// cut off. YCSB writes the same values.
func appendVerifiable(dst, key []byte, field string, size int) []byte {
	from := len(dst)
	dst = append(append(append(dst, key...), ':'), field...)
	hash, hashed := int32(0), from
	for len(dst)-from < size {
		for _, c := range dst[hashed:] {
			hash = 31*hash + int32(c)
		}
		// The hash includes the colon.
		hash, hashed = 31*hash+':', len(dst)+1
		dst = strconv.AppendInt(append(dst, ':'), int64(hash), 10)
	}
	return dst[:from+size]
}
