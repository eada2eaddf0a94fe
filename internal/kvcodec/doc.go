// Package blob writes a record of load as one string of bytes, for stores that
// keep nothing else.
//
//	data = blob.Append(data[:0], &v)                    // what a store keeps
//	err := blob.Read(&dst, data, fields)                // what is asked of it
//	data, err = blob.Merge(data[:0], old, &v)           // a partial update
//	done, err := blob.Patch(old, &v)                    // likewise, in place
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
// occurs once at most; the order has no meaning. A record without values is the
// empty string. The ten fields of 100 bytes that YCSB writes take 1020 bytes.
//
// Nothing here keeps its arguments, allocates beyond the growth of buffers that
// the caller passes again, or trusts what it reads: damaged data give errors.
package kvcodec
