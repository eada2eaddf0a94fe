package postgres

import (
	"bytes"
	"errors"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// nul stands for the byte 0, which jsonb cannot hold. In jsonb a value is a string
// with a character for each byte: the character with that code, or nul.
const nul = 0x100

// errJSON means that an object was not written by this package.
var errJSON = load.WithClass(load.ClassProtocol, errors.New("data is no object of strings of bytes: something else writes to the table"))

// appendObject appends the fields of a record as a JSON object.
func appendObject(dst []byte, names []string, v *kv.Record) []byte {
	dst = append(dst, '{')
	for i := range v.Len() {
		if i > 0 {
			dst = append(dst, ',')
		}
		field, value := v.At(i)
		dst = append(dst, '"')
		for _, r := range names[field] {
			dst = appendRune(dst, r)
		}
		dst = append(dst, '"', ':', '"')
		for _, c := range value {
			if c == 0 {
				dst = appendRune(dst, nul)
			} else {
				dst = appendRune(dst, rune(c))
			}
		}
		dst = append(dst, '"')
	}
	return append(dst, '}')
}

// appendRune appends a character of a JSON string.
func appendRune(dst []byte, r rune) []byte {
	const hex = "0123456789abcdef"
	switch {
	case r == '"' || r == '\\':
		return append(dst, '\\', byte(r))
	case r < ' ':
		return append(dst, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
	case r < utf8.RuneSelf:
		return append(dst, byte(r))
	}
	return utf8.AppendRune(dst, r)
}

// decodeValue converts the characters of a value into its bytes, in place.
func decodeValue(text []byte) ([]byte, error) {
	n := 0
	for i := 0; i < len(text); n++ {
		r, size := utf8.DecodeRune(text[i:])
		switch {
		case r == nul:
			r = 0
		case r > 0xff || r == utf8.RuneError:
			return nil, errJSON
		}
		text[n] = byte(r)
		i += size
	}
	return text[:n], nil
}

// decodeObject fills a record from the server's text of an object of strings. It
// skips unknown fields and overwrites the text.
func decodeObject(dst *kv.Record, text []byte, numbers map[string]int) error {
	p := jsonText{text}
	if !p.take('{') {
		return errJSON
	}
	if p.take('}') {
		return p.end()
	}
	for {
		name, ok := p.str()
		if !ok || !p.take(':') {
			return errJSON
		}
		field, known := numbers[string(name)] // before its memory is used again
		value, ok := p.str()
		if !ok {
			return errJSON
		}
		if known {
			value, err := decodeValue(value)
			if err != nil {
				return err
			}
			dst.Append(field, value)
		}
		switch {
		case p.take('}'):
			return p.end()
		case !p.take(','):
			return errJSON
		}
	}
}

// jsonText is the rest of a JSON text.
type jsonText struct{ rest []byte }

// take skips white space and then the character, if that is next.
func (p *jsonText) take(c byte) bool {
	p.rest = bytes.TrimLeft(p.rest, " \t\r\n")
	if len(p.rest) == 0 || p.rest[0] != c {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

// end returns an error if anything but white space follows.
func (p *jsonText) end() error {
	if len(bytes.TrimLeft(p.rest, " \t\r\n")) > 0 {
		return errJSON
	}
	return nil
}

// str reads a string and unescapes it in place: no escape is shorter than its
// character.
func (p *jsonText) str() ([]byte, bool) {
	if !p.take('"') {
		return nil, false
	}
	text, n := p.rest, 0
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '"':
			p.rest = text[i+1:]
			return text[:n], utf8.Valid(text[:n])
		case c == '\\':
			r, size := unescape(text[i:])
			if size == 0 {
				return nil, false
			}
			n += utf8.EncodeRune(text[n:i+size], r)
			i += size
		case c < ' ':
			return nil, false
		default:
			text[n] = c
			n++
			i++
		}
	}
	return nil, false
}

// unescape returns the character of the escape at the beginning of a text, and the
// escape's length, or 0 for an invalid one.
func unescape(text []byte) (rune, int) {
	if len(text) < 2 {
		return 0, 0
	}
	switch text[1] {
	case '"', '\\', '/':
		return rune(text[1]), 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	}
	first, ok := unicodeEscape(text)
	if !ok {
		return 0, 0
	}
	if !utf16.IsSurrogate(first) {
		return first, 6
	}
	second, ok := unicodeEscape(text[6:])
	if r := utf16.DecodeRune(first, second); ok && r != utf8.RuneError {
		return r, 12
	}
	return 0, 0
}

// unicodeEscape reads \uXXXX.
func unicodeEscape(text []byte) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range text[2:6] {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}
