package kv

// A Record holds values by field number, in one buffer that is reused: after a few
// uses, filling it does not allocate. The zero value is empty.
type Record struct {
	spans []span
	buf   []byte
}

type span struct{ field, from, to int }

// Reset empties the record and keeps its memory.
func (r *Record) Reset() { r.spans, r.buf = r.spans[:0], r.buf[:0] }

// Len returns the number of values.
func (r *Record) Len() int { return len(r.spans) }

// Size returns the number of bytes of all values.
func (r *Record) Size() int { return len(r.buf) }

// At returns the i-th value, in the order of appending, and its field. It is valid
// until the record is changed.
func (r *Record) At(i int) (field int, value []byte) {
	s := r.spans[i]
	return s.field, r.buf[s.from:s.to:s.to]
}

// Value returns the value of a field. It is valid until the record is changed.
func (r *Record) Value(field int) (value []byte, ok bool) {
	for _, s := range r.spans {
		if s.field == field {
			return r.buf[s.from:s.to:s.to], true
		}
	}
	return nil, false
}

// Append adds a copy of the value of a field that the record does not have yet.
func (r *Record) Append(field int, value []byte) {
	from := len(r.buf)
	r.buf = append(r.buf, value...)
	r.spans = append(r.spans, span{field, from, len(r.buf)})
}

// AppendString is Append for a string.
func (r *Record) AppendString(field int, value string) {
	from := len(r.buf)
	r.buf = append(r.buf, value...)
	r.spans = append(r.spans, span{field, from, len(r.buf)})
}

// Grow adds a value of n bytes, which the caller must fill before the next use of the
// record. The bytes are not cleared.
func (r *Record) Grow(field, n int) []byte {
	from := len(r.buf)
	if cap(r.buf)-from < n {
		grown := make([]byte, from, 2*cap(r.buf)+n)
		copy(grown, r.buf)
		r.buf = grown
	}
	r.buf = r.buf[:from+n]
	r.spans = append(r.spans, span{field, from, from + n})
	return r.buf[from : from+n : from+n]
}

// Records are the keys and records that a scan returns, also reused. The zero value
// is empty.
type Records struct {
	keys []Record // one value each
	recs []Record
	n    int
}

// Reset empties the list and keeps its memory.
func (r *Records) Reset() { r.n = 0 }

// Len returns the number of records.
func (r *Records) Len() int { return r.n }

// Next adds a record under a copy of the key and returns it, empty. It is valid until
// the next call.
func (r *Records) Next(key []byte) *Record {
	if r.n == len(r.recs) {
		r.keys, r.recs = append(r.keys, Record{}), append(r.recs, Record{})
	}
	k, v := &r.keys[r.n], &r.recs[r.n]
	r.n++
	k.Reset()
	k.Append(0, key)
	v.Reset()
	return v
}

// At returns the i-th key and record. They are valid until the list is changed.
func (r *Records) At(i int) (key []byte, v *Record) { return r.keys[i].buf, &r.recs[i] }
