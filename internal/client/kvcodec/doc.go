// Package kvcodec encodes a record of package load/kv as one string of bytes, for
// stores that keep nothing else.
//
//	data = kvcodec.Append(data[:0], &v)                 // what a store keeps
//	err := kvcodec.Read(&dst, data, fields)             // the fields that are asked for
//	data, err = kvcodec.Merge(data[:0], old, &v)        // a partial update
//	done, err := kvcodec.Patch(old, &v)                 // a partial update in place
//
// # Encoding
//
// The values follow each other, each as
//
//	number of the field, as a varint
//	length of the value in bytes, as a varint
//	the value
//
// with varints as encoding/binary has them: base 128, low digits first. A field
// occurs at most once; the order has no meaning. A record without values is the
// empty string. The ten fields of 100 bytes that YCSB writes take 1020 bytes.
//
// No function keeps its arguments. None allocates once the buffers that the caller
// reuses are large enough. Damaged data give errors.
package kvcodec
