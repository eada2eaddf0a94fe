package scenario

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// A jsonScanner walks forward over a JSON document (RFC 8259). It allocates nothing, but for names with
// escapes.
type jsonScanner struct {
	doc []byte
	at  int
}

// maxJSONDepth limits the nesting of a document.
const maxJSONDepth = 10_000

// next returns the next byte, 0 at the end.
func (s *jsonScanner) next() byte {
	if s.at < len(s.doc) {
		return s.doc[s.at]
	}
	return 0
}

func (s *jsonScanner) space() {
	for s.at < len(s.doc) {
		switch s.doc[s.at] {
		case ' ', '\t', '\n', '\r':
			s.at++
		default:
			return
		}
	}
}

// enterObject moves to the value of a member of the object that begins here.
func (s *jsonScanner) enterObject(name string) error {
	s.at++
	for first := true; ; first = false {
		s.space()
		if s.next() == '}' && first {
			return errNoValue
		}
		key, err := s.text()
		if err != nil {
			return err
		}
		s.space()
		if s.next() != ':' {
			return errNotJSON
		}
		s.at++
		s.space()
		if isText(key, name) {
			return nil
		}
		if err := s.skip(0); err != nil {
			return err
		}
		if more, err := s.comma('}'); err != nil || !more {
			return orNoValue(err)
		}
	}
}

// enterArray moves to an element of the array that begins here.
func (s *jsonScanner) enterArray(index int) error {
	s.at++
	s.space()
	if s.next() == ']' {
		return errNoValue
	}
	for i := 0; ; i++ {
		s.space()
		if i == index {
			return nil
		}
		if err := s.skip(0); err != nil {
			return err
		}
		if more, err := s.comma(']'); err != nil || !more {
			return orNoValue(err)
		}
	}
}

func orNoValue(err error) error {
	if err == nil {
		return errNoValue
	}
	return err
}

// comma moves behind a comma, or behind the end of an object or array.
func (s *jsonScanner) comma(end byte) (more bool, err error) {
	s.space()
	switch s.next() {
	case ',':
		s.at++
		return true, nil
	case end:
		s.at++
		return false, nil
	}
	return false, errNotJSON
}

// skip moves behind the value that begins here.
func (s *jsonScanner) skip(depth int) error {
	if depth > maxJSONDepth {
		return errNotJSON
	}
	s.space()
	switch c := s.next(); c {
	case '{':
		return s.skipObject(depth)
	case '[':
		return s.skipArray(depth)
	case '"':
		_, err := s.text()
		return err
	case 't':
		return s.word("true")
	case 'f':
		return s.word("false")
	case 'n':
		return s.word("null")
	}
	return s.number()
}

func (s *jsonScanner) skipObject(depth int) error {
	s.at++
	if s.space(); s.next() == '}' {
		s.at++
		return nil
	}
	for {
		s.space()
		if _, err := s.text(); err != nil {
			return err
		}
		if s.space(); s.next() != ':' {
			return errNotJSON
		}
		s.at++
		if err := s.skip(depth + 1); err != nil {
			return err
		}
		if more, err := s.comma('}'); err != nil || !more {
			return err
		}
	}
}

func (s *jsonScanner) skipArray(depth int) error {
	s.at++
	if s.space(); s.next() == ']' {
		s.at++
		return nil
	}
	for {
		if err := s.skip(depth + 1); err != nil {
			return err
		}
		if more, err := s.comma(']'); err != nil || !more {
			return err
		}
	}
}

func (s *jsonScanner) word(w string) error {
	if !bytes.HasPrefix(s.doc[s.at:], []byte(w)) {
		return errNotJSON
	}
	s.at += len(w)
	return nil
}

func (s *jsonScanner) digits() bool {
	from := s.at
	for c := s.next(); c >= '0' && c <= '9'; c = s.next() {
		s.at++
	}
	return s.at > from
}

func (s *jsonScanner) number() error {
	if s.next() == '-' {
		s.at++
	}
	if s.next() == '0' {
		s.at++
	} else if !s.digits() {
		return errNotJSON
	}
	if s.next() == '.' {
		if s.at++; !s.digits() {
			return errNotJSON
		}
	}
	if c := s.next(); c == 'e' || c == 'E' {
		s.at++
		if c := s.next(); c == '+' || c == '-' {
			s.at++
		}
		if !s.digits() {
			return errNotJSON
		}
	}
	return nil
}

// text moves behind the string that begins here, and returns what is between its quotes.
func (s *jsonScanner) text() ([]byte, error) {
	if s.next() != '"' {
		return nil, errNotJSON
	}
	from := s.at + 1
	for i := from; i < len(s.doc); i++ {
		switch c := s.doc[i]; {
		case c == '"':
			s.at = i + 1
			return s.doc[from:i], nil
		case c < ' ':
			return nil, errNotJSON
		case c == '\\':
			i++
			if i == len(s.doc) || !bytes.ContainsRune([]byte(`"\/bfnrtu`), rune(s.doc[i])) {
				return nil, errNotJSON
			}
			if s.doc[i] == 'u' && hex4(s.doc[i+1:]) < 0 {
				return nil, errNotJSON
			}
		}
	}
	return nil, errNotJSON
}

// isText reports whether the text between the quotes of a string is a name.
func isText(quoted []byte, name string) bool {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted) == name
	}
	return string(appendUnescaped(nil, quoted)) == name
}

// hex4 returns the number of four hexadecimal digits, -1 if they are none.
func hex4(b []byte) rune {
	if len(b) < 4 {
		return -1
	}
	n, err := strconv.ParseUint(string(b[:4]), 16, 16)
	if err != nil {
		return -1
	}
	return rune(n)
}

// appendUnescaped appends the text of a string, given what is between its quotes.
func appendUnescaped(dst, quoted []byte) []byte {
	for i := 0; i < len(quoted); i++ {
		if quoted[i] != '\\' {
			dst = append(dst, quoted[i])
			continue
		}
		i++
		switch c := quoted[i]; c {
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'n':
			dst = append(dst, '\n')
		case 'r':
			dst = append(dst, '\r')
		case 't':
			dst = append(dst, '\t')
		case 'u':
			r := hex4(quoted[i+1:])
			i += 4
			if utf16.IsSurrogate(r) {
				second := rune(-1)
				if i+2 < len(quoted) && quoted[i+1] == '\\' && quoted[i+2] == 'u' {
					second = hex4(quoted[i+3:])
				}
				if r = utf16.DecodeRune(r, second); r != utf8.RuneError {
					i += 6
				}
			}
			dst = utf8.AppendRune(dst, r)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// appendJSONText appends the text of a value: of a string without its quotes, of others as they
// are written.
func appendJSONText(dst, value []byte) []byte {
	if len(value) >= 2 && value[0] == '"' {
		return appendUnescaped(dst, value[1:len(value)-1])
	}
	return append(dst, value...)
}
