package sample

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/google/pprof/profile"
)

// Limits of what a process may answer: the text of goroutines is cut off by net/http/pprof
// itself at 64 MiB.
const (
	maxAnswer = 64 << 20
	maxItems  = 2 << 20 // of a profile, see items
	maxFrames = 1 << 20 // of a text
)

// limited reads no more than an answer may have, and says so rather than end.
type limited struct {
	r    io.Reader
	left int64
	what string
}

func newLimited(r io.Reader, what string) *limited {
	return &limited{r: r, left: maxAnswer, what: what}
}

func (l *limited) Read(b []byte) (int, error) {
	if l.left < 0 {
		return 0, fmt.Errorf("%s is of more than %d MiB", l.what, maxAnswer>>20)
	}
	n, err := l.r.Read(b[:min(int64(len(b)), l.left+1)])
	if l.left -= int64(n); l.left < 0 {
		return l.Read(nil)
	}
	return n, err
}

// parseProfile reads a profile of pprof that a stranger has written.
func parseProfile(r io.Reader) (*profile.Profile, error) {
	in := bufio.NewReader(newLimited(r, "the profile"))
	r = in
	if head, err := in.Peek(2); err == nil && bytes.Equal(head, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, err
		}
		r = newLimited(z, "what the profile unpacks to")
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	if items(data) > maxItems {
		return nil, fmt.Errorf("the profile has more than %d parts", maxItems)
	}
	p, err := profile.ParseUncompressed(data)
	if err == nil {
		err = p.CheckValid()
	}
	if err != nil {
		return nil, fmt.Errorf("it is not a whole profile: %w", err)
	}
	return p, nil
}

// Messages of a profile that consist of others.
const (
	fieldSample   = 2
	fieldLocation = 4
)

// items are how many parts of some hundred bytes a profile takes in memory: a message of two
// bytes is one, and so are 16 numbers in a list.
func items(data []byte) int {
	n := 0
	eachField(data, func(field uint64, inside []byte) bool {
		if n++; field == fieldSample || field == fieldLocation {
			eachField(inside, func(_ uint64, list []byte) bool {
				n += 1 + len(list)/16
				return n <= maxItems
			})
		}
		return n <= maxItems
	})
	return n
}

// eachField goes through the fields of a message in protobuf's encoding, as far as it is one.
// inside is the text of those that have a length.
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
