package kvcodec

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/tarebench/tare/load/kv"
)

// Append appends the encoding of a record to buf. Field numbers must not be negative.
func Append(buf []byte, v *kv.Record) []byte {
	for i := range v.Len() {
		buf = appendValue(buf, v, i)
	}
	return buf
}

func appendValue(buf []byte, v *kv.Record, i int) []byte {
	field, value := v.At(i)
	buf = binary.AppendUvarint(buf, uint64(field))
	buf = binary.AppendUvarint(buf, uint64(len(value)))
	return append(buf, value...)
}

// Read appends the values in data to dst: all of them if fields is nil, else those of
// the listed fields that exist. It returns an error for damaged data.
func Read(dst *kv.Record, data []byte, fields []int) error {
	for len(data) > 0 {
		field, value, rest, err := next(data)
		if err != nil {
			return err
		}
		if fields == nil || contains(fields, field) {
			dst.Append(field, value)
		}
		data = rest
	}
	return nil
}

// Merge appends the encoding of the record in old to buf, with the values in v
// replacing its own. buf and old must not overlap. It returns an error for damaged
// data.
func Merge(buf, old []byte, v *kv.Record) ([]byte, error) {
	for rest := old; len(rest) > 0; {
		field, _, after, err := next(rest)
		if err != nil {
			return buf, err
		}
		if i := find(v, field); i >= 0 {
			buf = appendValue(buf, v, i)
		} else {
			buf = append(buf, rest[:len(rest)-len(after)]...)
		}
		rest = after
	}
	for i := range v.Len() {
		if field, _ := v.At(i); lookup(old, field) == nil {
			buf = appendValue(buf, v, i)
		}
	}
	return buf, nil
}

// Patch overwrites values in data by those in v and reports whether it could. If a
// value does not exist with the same length, it changes nothing.
func Patch(data []byte, v *kv.Record) (bool, error) {
	for i := range v.Len() {
		field, value := v.At(i)
		if old := lookup(data, field); old == nil || len(old) != len(value) {
			return false, check(data)
		}
	}
	for i := range v.Len() {
		field, value := v.At(i)
		copy(lookup(data, field), value)
	}
	return true, nil
}

// lookup returns the value of a field, or nil if there is none or the data are
// damaged. An empty value is not nil.
func lookup(data []byte, field int) []byte {
	for len(data) > 0 {
		f, value, rest, err := next(data)
		if err != nil {
			return nil
		}
		if f == field {
			return value
		}
		data = rest
	}
	return nil
}

func check(data []byte) error {
	for len(data) > 0 {
		_, _, rest, err := next(data)
		if err != nil {
			return err
		}
		data = rest
	}
	return nil
}

// next splits data after its first value.
func next(data []byte) (field int, value, rest []byte, err error) {
	number, n := binary.Uvarint(data)
	if n <= 0 || number > math.MaxInt32 {
		return 0, nil, nil, errors.New("damaged record: invalid field number")
	}
	length, m := binary.Uvarint(data[n:])
	if m <= 0 {
		return 0, nil, nil, fmt.Errorf("damaged record: field %d has no length", number)
	}
	rest = data[n+m:]
	if length > uint64(len(rest)) {
		return 0, nil, nil, fmt.Errorf("damaged record: field %d has %d bytes, of which %d are there", number, length, len(rest))
	}
	return int(number), rest[:length:length], rest[length:], nil
}

func find(v *kv.Record, field int) int {
	for i := range v.Len() {
		if f, _ := v.At(i); f == field {
			return i
		}
	}
	return -1
}

func contains(fields []int, field int) bool {
	for _, f := range fields {
		if f == field {
			return true
		}
	}
	return false
}
