package pprofio

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/google/pprof/profile"
)

// partBytes is the share of the limit, in bytes, that one part of a profile uses. A part takes about a hundred
// bytes of memory and as little as two in the file.
const partBytes = 32

// Profile reads and validates a profile in pprof's format, compressed by gzip or not. It fails if the
// compressed or uncompressed profile is larger than limit bytes, or has more than limit/32 parts, which bounds
// its memory.
func Profile(r io.Reader, limit int64) (*profile.Profile, error) {
	p, err := readProfile(r, limit)
	if err != nil && !errors.As(err, new(*tooLong)) {
		err = fmt.Errorf("not a whole profile of pprof: %w", err)
	}
	return p, err
}

func readProfile(r io.Reader, limit int64) (*profile.Profile, error) {
	data, err := unpacked(r, limit)
	if err != nil {
		return nil, err
	}
	if most := int(limit / partBytes); parts(data, most) > most {
		return nil, &tooLong{"the profile", fmt.Sprintf("%d parts", most)}
	}
	p, err := profile.ParseUncompressed(data)
	if err != nil {
		return nil, err
	}
	return p, p.CheckValid()
}

func unpacked(r io.Reader, limit int64) ([]byte, error) {
	in := bufio.NewReader(Limit(r, limit, "the profile"))
	if head, _ := in.Peek(2); !bytes.Equal(head, []byte{0x1f, 0x8b}) {
		return io.ReadAll(in)
	}
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(Limit(z, limit, "what the profile unpacks to"))
}

// Fields of a profile whose messages contain others.
const (
	fieldSample   = 2
	fieldLocation = 4
)

// parts counts the parts of a profile, each about a hundred bytes of memory, up to most+1. A message of two
// bytes is one part, as are 16 numbers in a list.
func parts(data []byte, most int) int {
	n := 0
	eachField(data, func(field uint64, inside []byte) bool {
		if n++; field == fieldSample || field == fieldLocation {
			eachField(inside, func(_ uint64, list []byte) bool {
				n += 1 + len(list)/16
				return n <= most
			})
		}
		return n <= most
	})
	return n
}

// eachField calls each for the fields of a protobuf message until one is malformed. inside is the content of
// length-delimited fields.
func eachField(data []byte, each func(field uint64, inside []byte) bool) {
	for len(data) > 0 {
		key, n := binary.Uvarint(data)
		if n <= 0 {
			return
		}
		data = data[n:]
		var inside []byte
		skip := uint64(0)
		switch key & 7 {
		case 0:
			if _, n = binary.Uvarint(data); n <= 0 {
				return
			}
			skip = uint64(n)
		case 1:
			skip = 8
		case 2:
			if skip, n = binary.Uvarint(data); n <= 0 || skip > uint64(len(data)-n) {
				return
			}
			data = data[n:]
			inside = data[:skip]
		case 5:
			skip = 4
		default:
			return
		}
		if skip > uint64(len(data)) || !each(key>>3, inside) {
			return
		}
		data = data[skip:]
	}
}
