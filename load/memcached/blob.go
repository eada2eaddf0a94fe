package memcached

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/tarebench/tare/load"
)

// errBlob says that a value was not written by this package.
var errBlob = load.WithClass(load.ClassProtocol, errors.New("the value is not a record: something else writes under these keys"))

// appendField appends a field in the form in which records are stored.
func appendField(blob []byte, field int, value []byte) []byte {
	blob = binary.AppendUvarint(blob, uint64(field))
	blob = binary.AppendUvarint(blob, uint64(len(value)))
	return append(blob, value...)
}

// appendRecord appends all fields of a record.
func appendRecord(blob []byte, v *load.Record) []byte {
	for i := range v.Len() {
		field, value := v.At(i)
		blob = appendField(blob, field, value)
	}
	return blob
}

// merge appends the fields of an old blob that the record does not replace, and
// those of the record.
func merge(blob, old []byte, v *load.Record) ([]byte, error) {
	for len(old) > 0 {
		field, value, rest, err := cutField(old)
		if err != nil {
			return nil, err
		}
		if _, replaced := v.Value(field); !replaced {
			blob = appendField(blob, field, value)
		}
		old = rest
	}
	return appendRecord(blob, v), nil
}

// split fills a record with the fields of a blob that are wanted; nil means all.
func split(dst *load.Record, blob []byte, fields []int) error {
	for len(blob) > 0 {
		field, value, rest, err := cutField(blob)
		if err != nil {
			return err
		}
		if fields == nil || slices.Contains(fields, field) {
			dst.Append(field, value)
		}
		blob = rest
	}
	return nil
}

// maxField is the highest number of a field, so that it is an int everywhere.
const maxField = 1 << 30

func cutField(blob []byte) (field int, value, rest []byte, err error) {
	f, n := binary.Uvarint(blob)
	if n <= 0 || f > maxField {
		return 0, nil, nil, errBlob
	}
	blob = blob[n:]
	size, n := binary.Uvarint(blob)
	if n <= 0 || size > uint64(len(blob)-n) {
		return 0, nil, nil, errBlob
	}
	blob = blob[n:]
	return int(f), blob[:size], blob[size:], nil
}

// maxKey is the longest key that memcached takes, in bytes.
const maxKey = 250

// legal returns an error for a key that memcached does not take.
func legal(key string) error {
	bad := slices.ContainsFunc([]byte(key), func(c byte) bool { return c <= ' ' || c == 0x7f })
	if len(key) <= maxKey && !bad {
		return nil
	}
	return load.WithClass(load.ClassUnsupported, fmt.Errorf("key of %d bytes %.40q: memcached takes at most %d, "+
		"without spaces and control characters", len(key), key, maxKey))
}
