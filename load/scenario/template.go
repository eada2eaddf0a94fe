package scenario

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/client/httpclient"
)

// A template is a text with values that differ between transactions.
type template struct {
	parts  []part
	secret bool // it has the value of an environment variable
}

// A part is a text, or a value.
type part struct {
	from   origin
	text   string // of a text, escaped
	sink   sink
	source int    // of a row: index of the data
	index  int    // of a capture: its slot; of a row: its column
	below  uint64 // of a random number: it is less
	stream uint64 // of a random number: which sequence
}

type origin uint8

const (
	fixed origin = iota
	operation
	random
	uuid
	row
	captured
)

// values are what the templates of a transaction take.
type values struct {
	k, seed uint64
	slots   [][]byte   // captures
	rows    [][][]byte // by data, then by column
}

// varies reports whether the text differs between transactions.
func (t *template) varies() bool {
	for _, p := range t.parts {
		if p.from != fixed {
			return true
		}
	}
	return false
}

// append appends the text.
func (t *template) append(dst []byte, v *values) []byte {
	for i := range t.parts {
		switch p := &t.parts[i]; p.from {
		case fixed:
			dst = append(dst, p.text...)
		case operation:
			dst = strconv.AppendUint(dst, v.k, 10)
		case random:
			dst = strconv.AppendUint(dst, draw(v.seed, p.stream, v.k)%p.below, 10)
		case uuid:
			dst = appendUUID(dst, v)
		case row:
			dst = appendEscaped(dst, v.rows[p.source][p.index], p.sink)
		case captured:
			dst = appendEscaped(dst, v.slots[p.index], p.sink)
		}
	}
	return dst
}

// appendUUID appends a random UUID (RFC 9562, version 4), the same in a whole transaction.
func appendUUID(dst []byte, v *values) []byte {
	a, b := draw(v.seed, uuidStream, v.k), draw(v.seed, uuidStream+1, v.k)
	a = a&^0xf000 | 0x4000
	b = b&^(3<<62) | 2<<62
	for i := range 32 {
		x := a
		if i >= 16 {
			x = b
		}
		if i == 8 || i == 12 || i == 16 || i == 20 {
			dst = append(dst, '-')
		}
		dst = append(dst, "0123456789abcdef"[x>>(60-4*(i%16))&15])
	}
	return dst
}

// Streams of random numbers; those of parts follow.
const (
	transactionStream = iota
	uuidStream
	_
	firstStream
)

// draw returns the random number of operation k in a stream. It follows from these and the seed alone.
func draw(seed, stream, k uint64) uint64 {
	return httpclient.Random(httpclient.Random(seed, stream), k)
}

// A scope knows the variables at a place of a file.
type scope struct {
	env     func(name string) (value string, err error)
	data    func(name, column string) (source, index int, err error)
	slot    func(name string) (int, error)
	streams *uint64
}

// A templateError is wrong at a place of a text.
type templateError struct {
	at  int
	err error
}

// parseTemplate reads a text with ${…}. In a URL the sink changes to inQuery behind a question
// mark.
func parseTemplate(text string, to sink, in *scope) (t template, errs []templateError) {
	add := func(p part) { t.parts = append(t.parts, p) }
	var plain []byte
	flush := func() {
		if len(plain) > 0 {
			add(part{text: string(plain)})
			plain = nil
		}
	}
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] != '$':
			if text[i] == '?' && to == inPath {
				to = inQuery
			}
			plain = appendLiteral(plain, text[i], to)
		case strings.HasPrefix(text[i:], "$$"):
			plain = append(plain, '$')
			i++
		case !strings.HasPrefix(text[i:], "${") || strings.IndexByte(text[i:], '}') < 0:
			errs = append(errs, templateError{i, fmt.Errorf("want a variable as ${name}; a dollar is written $$")})
			return t, errs
		default:
			end := i + strings.IndexByte(text[i:], '}')
			p, secret, err := in.variable(text[i+2:end], to)
			if err != nil {
				errs = append(errs, templateError{i, err})
			}
			if p.from == fixed {
				plain = append(plain, p.text...)
			} else {
				flush()
				add(p)
			}
			t.secret = t.secret || secret
			i = end
		}
	}
	flush()
	return t, errs
}

// appendLiteral appends a byte of the file itself. It is escaped in JSON only: paths, headers and
// bodies are written as they are sent.
func appendLiteral(dst []byte, c byte, to sink) []byte {
	if to == inJSON {
		return appendJSONString(dst, string([]byte{c}))
	}
	return append(dst, c)
}

// variable returns the part for what is between the braces.
func (in *scope) variable(name string, to sink) (p part, secret bool, err error) {
	p.sink = to
	switch before, after, dot := strings.Cut(name, "."); {
	case name == "k":
		p.from = operation
	case name == "uuid":
		p.from = uuid
	case strings.HasPrefix(name, "rand:"):
		p.from = random
		p.below, err = strconv.ParseUint(name[len("rand:"):], 10, 63)
		if err != nil || p.below == 0 {
			return p, false, fmt.Errorf("${%s}: want a number from 1 to 2^63-1, as ${rand:1000}", name)
		}
		p.stream = *in.streams
		*in.streams++
	case dot && before == "env":
		value, err := in.env(after)
		if err != nil {
			return p, true, err
		}
		p.text = string(appendEscaped(nil, value, to))
		return p, true, nil
	case dot:
		p.from = row
		p.source, p.index, err = in.data(before, after)
	default:
		p.from = captured
		p.index, err = in.slot(name)
	}
	return p, false, err
}
