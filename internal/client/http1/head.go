package http1

import (
	"bytes"
	"errors"
	"fmt"
)

// readHead reads the status line and the fields of a response.
func (c *Conn) readHead() error {
	c.head.reset()
	size, err := c.line(0, c.left, errHeadLimit)
	if begin := c.buf[c.r:c.w]; err != nil && !bytes.HasPrefix(begin, protocol[:min(len(begin), len(protocol))]) {
		return malformed("response", begin) // another kind of server, which sends no lines
	}
	if err != nil {
		return err
	}
	if err := c.head.parseStatusLine(withoutEnd(c.buf[c.r : c.r+size])); err != nil {
		return err
	}
	c.take(size)
	return c.readFields(&c.head)
}

// readFields reads fields and the empty line after them. h is nil for those of a trailer.
func (c *Conn) readFields(h *head) error {
	if err := c.need(1); err != nil {
		return err
	}
	if isBlank(c.buf[c.r]) {
		return errors.New("malformed HTTP header: it begins with white space")
	}
	for {
		field, size, err := c.field()
		if err != nil {
			return err
		}
		if len(field) == 0 {
			c.take(size)
			return nil
		}
		if !h.add(field) {
			return malformed("header line", field)
		}
		c.take(size)
	}
}

// field returns the next field, and how many bytes of the buffer it takes; or no text for the empty line. It stays valid until
// more is read.
func (c *Conn) field() (text []byte, size int, err error) {
	size, err = c.line(0, c.left, errHeadLimit)
	if err != nil {
		return nil, 0, err
	}
	line := withoutEnd(c.buf[c.r : c.r+size])
	if len(line) == 0 {
		return nil, size, nil
	}
	if bytes.IndexByte(line, ':') < 0 {
		return nil, 0, malformed("header line", line)
	}
	if next := c.r + size; next < c.w && !isBlank(c.buf[next]) {
		return trim(line), size, nil
	}
	return c.join(trim(line), size)
}

// join returns a field with the lines that continue it: they begin with white space.
func (c *Conn) join(first []byte, size int) ([]byte, int, error) {
	c.folded = append(c.folded[:0], first...)
	for {
		if c.w-c.r == size && c.more() != nil {
			break // the next line is what fails
		}
		if !isBlank(c.buf[c.r+size]) {
			break
		}
		n, err := c.line(size, c.left-size, errHeadLimit)
		if err != nil {
			return nil, 0, err
		}
		line := withoutEnd(c.buf[c.r+size : c.r+size+n])
		c.folded = append(append(c.folded, ' '), trim(line)...)
		size += n
	}
	return c.folded, size, nil
}

// parseStatusLine reads a line as "HTTP/1.1 200 OK".
func (h *head) parseStatusLine(line []byte) error {
	proto, rest, ok := bytes.Cut(line, space)
	if !ok {
		return malformed("response", line)
	}
	for len(rest) > 0 && rest[0] == ' ' {
		rest = rest[1:]
	}
	code, _, _ := bytes.Cut(rest, space)
	if len(code) != 3 || !isDigit(code[0]) || !isDigit(code[1]) || !isDigit(code[2]) {
		return malformed("status code", code)
	}
	h.status = 100*int(code[0]-'0') + 10*int(code[1]-'0') + int(code[2]-'0')
	if len(proto) != len("HTTP/1.1") || string(proto[:5]) != "HTTP/" || !isDigit(proto[5]) || proto[6] != '.' || !isDigit(proto[7]) {
		return malformed("version", proto)
	}
	h.major, h.minor = proto[5]-'0', proto[7]-'0'
	return nil
}

var (
	space    = []byte(" ")
	protocol = []byte("HTTP/")
)

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// malformed returns the error of a text that is not what it should be. Another kind of server may have sent much.
func malformed(what string, text []byte) error {
	const most = 100
	if len(text) > most {
		return fmt.Errorf("malformed HTTP %s %q…", what, text[:most])
	}
	return fmt.Errorf("malformed HTTP %s %q", what, text)
}
