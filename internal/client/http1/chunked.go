package http1

import (
	"bytes"
	"errors"
)

var (
	errChunkLine = errors.New("malformed chunk: its size is not a hexadecimal number and CRLF, within 4096 bytes")
	errChunkEnd  = errors.New("malformed chunk: no CRLF after it")
	errChunkWide = errors.New("malformed chunks: too much besides their data")
	errTrailer   = errors.New("the trailer is longer than 4096 bytes, or does not end")
)

// maxLine is the limit of the line before a chunk, and of a trailer, in bytes.
const maxLine = 4096

// skipChunks reads a body in chunks, and its trailer (RFC 9112, section 7.1).
func (c *Conn) skipChunks() error {
	excess := int64(0) // bytes beyond what is usual besides data
	for {
		line, err := c.line(0, maxLine, errChunkLine)
		if err != nil {
			return err
		}
		n, ok := parseChunkLine(c.buf[c.r : c.r+line])
		if !ok {
			return errChunkLine
		}
		c.r += line
		if n == 0 {
			return c.skipTrailer()
		}
		// As in net/http: a chunk may have 16 bytes besides its data, and the data's length again twice.
		excess = max(0, excess+int64(line)-16-2*int64(n))
		if excess > 16<<10 {
			return errChunkWide
		}
		if err := c.skip(n); err != nil {
			return err
		}
		if err := c.need(2); err != nil {
			return err
		}
		if c.buf[c.r] != '\r' || c.buf[c.r+1] != '\n' {
			return errChunkEnd
		}
		c.r += 2
	}
}

// parseChunkLine returns the size in the line before a chunk. Its extensions are ignored.
func parseChunkLine(line []byte) (n uint64, ok bool) {
	if len(line) < 2 || bytes.IndexByte(line, '\r') != len(line)-2 {
		return 0, false
	}
	digits, _, _ := bytes.Cut(trimRight(line[:len(line)-2]), semicolon)
	for _, b := range digits {
		switch {
		case isDigit(b):
			b -= '0'
		case 'a' <= b && b <= 'f':
			b -= 'a' - 10
		case 'A' <= b && b <= 'F':
			b -= 'A' - 10
		default:
			return 0, false
		}
		n = n<<4 | uint64(b)
	}
	return n, 1 <= len(digits) && len(digits) <= 16
}

var semicolon = []byte(";")

// skipTrailer reads the fields after the last chunk, and the empty line after them.
func (c *Conn) skipTrailer() error {
	if err := c.need(2); err != nil {
		return err
	}
	if c.buf[c.r] == '\r' && c.buf[c.r+1] == '\n' {
		c.r += 2
		return nil
	}
	for seen := 0; ; {
		some := c.buf[c.r:min(c.w, c.r+maxLine)]
		if bytes.Contains(some[max(0, seen-3):], emptyLine) {
			break
		}
		if seen = len(some); seen == maxLine {
			return errTrailer
		}
		if err := c.more(); err != nil {
			return cutOff(err)
		}
	}
	c.left = maxHead
	return c.readFields(nil)
}

var emptyLine = []byte("\r\n\r\n")
