package redact

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"io"
)

// maxProfile is the largest profile that is searched for secrets, in bytes when unpacked, and maxRatio how many times the
// size of the file that may be.
const maxProfile, maxRatio = 1 << 26, 100

// profileData returns a profile of pprof in which the texts are without secrets: names, labels, comments. All of them stand
// in its table of strings. It reports whether any has changed. It leaves data that is not a gzipped profile unchanged.
func profileData(data []byte) ([]byte, bool) {
	if !bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		return data, false
	}
	if size := unpackedSize(data); size < 0 || size > min(maxProfile, maxRatio*int64(len(data))) {
		return data, false // not a profile, or larger than the limit for reading one
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return data, false
	}
	plain, err := io.ReadAll(r)
	if err != nil {
		return data, false
	}
	shown, changed := stringTable(plain)
	if !changed {
		return data, false
	}
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(shown) // to memory
	w.Close()
	return out.Bytes(), true
}

// unpackedSize returns what gzipped data unpacks to, in bytes, as far as anybody reads it; -1 if it is malformed.
func unpackedSize(data []byte) int64 {
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return -1
	}
	n, err := io.Copy(io.Discard, io.LimitReader(r, min(maxProfile, maxRatio*int64(len(data)))+1))
	if err != nil {
		return -1
	}
	return n
}

// fieldStringTable is the key of profile.proto's string_table, a field of bytes.
const fieldStringTable = 6<<3 | 2

// stringTable returns a message of profile.proto with its strings shown. Other fields stay as they are.
func stringTable(message []byte) ([]byte, bool) {
	var out []byte
	changed := false
	for rest := message; len(rest) > 0; {
		key, n := binary.Uvarint(rest)
		size := fieldSize(rest, key, n)
		if size < 0 {
			return message, false
		}
		field := rest[:size]
		rest = rest[size:]
		if key != fieldStringTable {
			out = append(out, field...)
			continue
		}
		length, _ := binary.Uvarint(field[n:])
		text := string(field[size-int(length):])
		shown := Name(text)
		changed = changed || shown != text
		out = binary.AppendUvarint(out, key)
		out = binary.AppendUvarint(out, uint64(len(shown)))
		out = append(out, shown...)
	}
	return out, changed
}

// fieldSize returns the size in bytes of the field with which a protobuf message begins, -1 if it is malformed. n is the
// size of its key.
func fieldSize(message []byte, key uint64, n int) int {
	if n <= 0 {
		return -1
	}
	value, m := binary.Uvarint(message[n:])
	size := -1
	switch key & 7 {
	case 0:
		size = n + m
	case 1:
		size, m = n+8, 1
	case 2:
		if value < uint64(len(message)) {
			size = n + m + int(value)
		}
	case 5:
		size, m = n+4, 1
	}
	if m <= 0 || size > len(message) {
		return -1
	}
	return size
}
