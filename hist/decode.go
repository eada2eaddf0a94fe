package hist

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// Decode returns the Histogram whose counts data has in HdrHistogram's V2 compressed
// format, as written by any port. Its Config.Highest is math.MaxInt64, so that it
// can be merged with others; Min and Max are the bounds of the outermost buckets.
// Bytes after the payload are ignored.
//
// Decode is safe for untrusted input: it allocates at most the buckets of the stated
// digits, 0.5 MB at 3 digits and 50 MB at 5, and decompresses no more than their
// counts.
func Decode(data []byte) (*Histogram, error) {
	h, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("hist: decode: %w", err)
	}
	return h, nil
}

func decode(data []byte) (*Histogram, error) {
	if len(data) < outerHeader {
		return nil, fmt.Errorf("%d bytes, of which the header alone takes %d", len(data), outerHeader)
	}
	if err := checkCookie(binary.BigEndian.Uint32(data), cookieCompressed); err != nil {
		return nil, err
	}
	length, data := binary.BigEndian.Uint32(data[4:]), data[outerHeader:]
	if uint64(length) > uint64(len(data)) {
		return nil, fmt.Errorf("cut off: %d bytes after the header, which says %d", len(data), length)
	}
	z, err := zlib.NewReader(bytes.NewReader(data[:length]))
	if err != nil {
		return nil, fmt.Errorf("not compressed: %w", err)
	}
	d := decoder{in: bufio.NewReader(z)}
	if err := d.header(); err != nil {
		return nil, err
	}
	if err := d.counts(); err != nil {
		return nil, err
	}
	d.h.min, d.h.max = d.h.bounds()
	return d.h, nil
}

// checkCookie returns an error that names the format of data if its cookie is not the
// wanted one.
func checkCookie(cookie, want uint32) error {
	var is string
	const bits = 0xf0 // encoding of the counts
	switch cookie &^ bits {
	case want:
		return nil
	case cookieCompressed:
		is = "compressed twice"
	case cookieCounts:
		is = "a histogram that is not compressed"
	case 0x1c849301, 0x1c849302:
		is = "a histogram of version 1"
	case 0x1c849308, 0x1c849309:
		is = "a histogram of version 0"
	case 0x0c72124e &^ bits, 0x0c72124f &^ bits:
		is = "a histogram of floating-point values"
	default:
		return fmt.Errorf("not a histogram: it begins with %#08x", cookie)
	}
	return fmt.Errorf("%s, which cannot be read: only compressed ones of integers of version 2 can", is)
}

// A decoder reads the decompressed payload.
type decoder struct {
	in   *bufio.Reader
	left uint32 // bytes of counts left to read
	size uint64 // limit of the number of counts
	h    *Histogram
}

func (d *decoder) header() error {
	var b [innerHeader]byte
	if _, err := io.ReadFull(d.in, b[:]); err != nil {
		return fmt.Errorf("header of the counts: %w", unexpected(err))
	}
	be := binary.BigEndian
	if err := checkCookie(be.Uint32(b[0:]), cookieCounts); err != nil {
		return err
	}
	// b[8:12], the normalizing index offset, is about the writer's memory; the
	// counts are in order whatever it is. b[32:40] is 1 for integers.
	digits, lowest, highest := int32(be.Uint32(b[12:])), int64(be.Uint64(b[16:])), int64(be.Uint64(b[24:]))
	if digits < 1 || highest < 0 {
		return fmt.Errorf("%d digits of values up to %d: there are 1 to %d of values that are not negative", digits, highest, maxDigits)
	}
	c := Config{Digits: int(digits), Lowest: lowest}
	if err := c.Validate(); err != nil {
		return err
	}
	d.h = New(c)
	pages := max(d.h.find(highest).page+1, 2)
	d.size = uint64(pages) << d.h.half
	d.left = be.Uint32(b[4:])
	return nil
}

// counts reads all counts and the end of the compressed data, which has the checksum.
func (d *decoder) counts() error {
	for i := uint64(0); d.left > 0; {
		n, err := d.zigZag()
		if err != nil {
			return fmt.Errorf("count %d: %w", i, unexpected(err))
		}
		// The length of a run as an unsigned number is right even if it is 2^63.
		if zeros := uint64(-n); n < 0 && zeros <= d.size-i {
			i += zeros
			continue
		}
		if n < 0 || i >= d.size {
			return fmt.Errorf("more counts than the %d of its digits and range", d.size)
		}
		if n > math.MaxInt64-d.h.count {
			return errOverflow
		}
		if n > 0 {
			d.h.page(uint(i >> d.h.half))[i&d.h.slots] = n
			d.h.count += n
		}
		i++
	}
	switch _, err := d.in.ReadByte(); err {
	case io.EOF:
		return nil
	case nil:
		return errors.New("more data than the header says")
	default:
		return unexpected(err)
	}
}

// maxZigZag is the largest length of a number in bytes.
const maxZigZag = 9

// zigZag reads a number as written by appendZigZag.
func (d *decoder) zigZag() (int64, error) {
	var u uint64
	for i := range maxZigZag {
		if d.left == 0 {
			return 0, io.ErrUnexpectedEOF
		}
		d.left--
		b, err := d.in.ReadByte()
		if err != nil {
			return 0, err
		}
		if b < 0x80 || i == maxZigZag-1 {
			u |= uint64(b) << (7 * i)
			break
		}
		u |= uint64(b&0x7f) << (7 * i)
	}
	return int64(u>>1) ^ -int64(u&1), nil
}

// unexpected turns io.EOF into io.ErrUnexpectedEOF.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
