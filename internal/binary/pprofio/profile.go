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

// What makes a profile a bomb, which takes much memory for the little that it is as a file. Profiles of Go programs are
// packed 3 to 20 times, and their parts take 10 bytes and more.
const (
	harmlessBytes = 8 << 20 // bytes that may unpack from anything
	mostPacked    = 100     // times that more may have been packed
	harmlessParts = 300_000 // that may have any size
	leastPart     = 8       // bytes of a part on average, where there are more
)

// mostParts returns how many parts a profile of so many bytes may have.
func mostParts(size int, limit int64) int {
	return min(int(limit/partBytes), max(harmlessParts, size/leastPart))
}

// Profile reads and validates a profile in pprof's format, compressed by gzip or not. It fails if the
// compressed or uncompressed profile is larger than limit bytes, or has more than limit/32 parts, which bounds
// its memory. A small file that would take much memory is refused at less than 64 MiB.
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
	if most := mostParts(len(data), limit); parts(data, most) > most {
		return nil, &tooLong{"the profile", fmt.Sprintf("%d parts", most)}
	}
	p, err := profile.ParseUncompressed(data)
	if err != nil {
		return nil, err
	}
	return p, p.CheckValid()
}

func unpacked(r io.Reader, limit int64) ([]byte, error) {
	packed := &counting{r: Limit(r, limit, "the profile")}
	in := bufio.NewReader(packed)
	if head, _ := in.Peek(2); !bytes.Equal(head, []byte{0x1f, 0x8b}) {
		return io.ReadAll(in)
	}
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(&sane{r: Limit(z, limit, "what the profile unpacks to"), packed: packed})
}

// counting counts the bytes that were read.
type counting struct {
	r io.Reader
	n int64
}

func (c *counting) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n += int64(n)
	return n, err
}

// sane fails when much more was unpacked than profiles have been packed.
type sane struct {
	r      io.Reader
	packed *counting
	n      int64
}

func (s *sane) Read(b []byte) (int, error) {
	n, err := s.r.Read(b)
	if s.n += int64(n); s.n > harmlessBytes && s.n > mostPacked*s.packed.n {
		return 0, &tooLong{"what the profile unpacks to", fmt.Sprintf("%d times the file, as of no profiler", mostPacked)}
	}
	return n, err
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
