package ycsb

import (
	"encoding/binary"
	"math/bits"
	"sync"
)

// keyText writes the keys of records into one buffer: prefix, zeros, number.
type keyText struct {
	buf    []byte // the key ends where this does; before it there is room for all
	prefix string
	front  uint64 // the prefix in its upper bytes, if it is not longer than 8
	digits int    // at least so many
	hashed bool   // the number is that of the record hashed
	quads  *[10000]uint32
}

// quads returns the text of all numbers of four digits, with the first digit in the
// lowest byte. Division is most of the cost of writing a number: with this table of
// 40 KB 19 digits take four. Computing in the lanes of a register needs no table but
// twice the time.
var quads = sync.OnceValue(func() *[10000]uint32 {
	var table [10000]uint32
	for n := range uint32(10000) {
		table[n] = '0' + n/1000 | ('0'+n/100%10)<<8 | ('0'+n/10%10)<<16 | ('0'+n%10)<<24
	}
	return &table
})

// keyDigits is how many digits are written, including leading zeros. Further zeros
// for zeropadding are in the buffer from the start.
const keyDigits = 20

func newKeyText(c *Config) keyText {
	t := keyText{prefix: c.KeyPrefix, digits: max(c.ZeroPadding, 1), hashed: c.InsertOrder == Hashed, quads: quads()}
	t.buf = make([]byte, 8+len(t.prefix)+max(t.digits, keyDigits))
	for i := range t.buf {
		t.buf[i] = '0'
	}
	for i := range min(len(t.prefix), 8) {
		t.front = t.front>>8 | uint64(t.prefix[len(t.prefix)-min(len(t.prefix), 8)+i])<<56
	}
	return t
}

// key returns the key of a record. It is valid until the next call.
func (t *keyText) key(record int64) []byte {
	n := uint64(record)
	if t.hashed {
		n = fnv1a(n)
	}
	end := len(t.buf)
	t.write((*[keyDigits]byte)(t.buf[end-keyDigits:]), n)
	begin := end - max(decimals(n), t.digits)
	if len(t.prefix) <= 8 {
		// The bytes that this writes before the prefix are not used.
		binary.LittleEndian.PutUint64(t.buf[begin-8:], t.front)
	} else {
		copy(t.buf[begin-len(t.prefix):], t.prefix)
	}
	return t.buf[begin-len(t.prefix):]
}

// write writes a number with leading zeros. The two parts of eight digits are
// independent, so that a processor computes them in parallel.
func (t *keyText) write(to *[keyDigits]byte, n uint64) {
	high, top := n/1e8, n/1e16
	low := n - high*1e8
	high -= top * 1e8
	binary.LittleEndian.PutUint32(to[0:], t.quads[top])
	q := high / 1e4
	binary.LittleEndian.PutUint32(to[4:], t.quads[q])
	binary.LittleEndian.PutUint32(to[8:], t.quads[high-q*1e4])
	q = low / 1e4
	binary.LittleEndian.PutUint32(to[12:], t.quads[q])
	binary.LittleEndian.PutUint32(to[16:], t.quads[low-q*1e4])
}

// decimals returns the number of digits of a number.
func decimals(n uint64) int {
	// 1233/4096 is log10(2); the estimate is right or one too low.
	d := bits.Len64(n|1) * 1233 >> 12
	_, low := bits.Sub64(n, powers[d], 0)
	return max(d+1-int(low), 1)
}

// powers are those of ten.
var powers = [20]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19}
