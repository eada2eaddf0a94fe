package kv

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
)

// white is the white space of Java's property files.
const white = " \t\f"

// A propertyScanner finds the logical lines of a property file: physical lines that
// are neither blank nor comments, joined where they are continued.
type propertyScanner struct {
	rest    string
	read    int    // natural lines so far
	line    int    // of the current logical one, from 1
	logical string // without the white space in front
}

func (s *propertyScanner) scan() bool {
	for s.rest != "" {
		text := strings.TrimLeft(s.natural(), white)
		if text == "" || text[0] == '#' || text[0] == '!' {
			continue
		}
		s.line = s.read
		for continued(text) {
			text = text[:len(text)-1] + strings.TrimLeft(s.natural(), white)
		}
		s.logical = text
		return true
	}
	return false
}

// natural returns the next line, which ends with \n, \r or both.
func (s *propertyScanner) natural() string {
	s.read++
	i := strings.IndexAny(s.rest, "\r\n")
	if i < 0 {
		text := s.rest
		s.rest = ""
		return text
	}
	text := s.rest[:i]
	if strings.HasPrefix(s.rest[i:], "\r\n") {
		i++
	}
	s.rest = s.rest[i+1:]
	return text
}

// continued reports whether a line ends with an odd number of backslashes. Each pair
// stands for one backslash.
func continued(text string) bool {
	n := len(text) - len(strings.TrimRight(text, `\`))
	return n%2 == 1
}

// splitProperty splits a logical line at the first unescaped separator. White space
// around it belongs to neither side.
func splitProperty(line string) (name, value string) {
	end := 0
	for end < len(line) && !strings.ContainsRune("=:"+white, rune(line[end])) {
		if line[end] == '\\' {
			end++
		}
		end++
	}
	end = min(end, len(line))
	value = strings.TrimLeft(line[end:], white)
	if value != "" && (value[0] == '=' || value[0] == ':') {
		value = strings.TrimLeft(value[1:], white)
	}
	return line[:end], value
}

// unescape replaces escape sequences.
func unescape(s string) (string, error) {
	if !strings.Contains(s, `\`) {
		return s, nil
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		if i++; i == len(s) {
			break // only at the end of the file, where it continues nothing
		}
		switch s[i] {
		case 't':
			b.WriteByte('\t')
		case 'n':
			b.WriteByte('\n')
		case 'r':
			b.WriteByte('\r')
		case 'f':
			b.WriteByte('\f')
		case 'u':
			r, n, err := codePoint(s[i-1:])
			if err != nil {
				return "", err
			}
			b.WriteRune(r)
			i += n - 2
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String(), nil
}

// codePoint reads \uXXXX, or two of them that are a surrogate pair, and returns the
// number of bytes read.
func codePoint(s string) (r rune, n int, err error) {
	const size = len(`\uXXXX`)
	unit := func(s string) (rune, bool) {
		if len(s) < size || s[:2] != `\u` {
			return 0, false
		}
		v, err := strconv.ParseUint(s[2:size], 16, 16)
		return rune(v), err == nil
	}
	first, ok := unit(s)
	if !ok {
		return 0, 0, fmt.Errorf(`%q: \u wants four hexadecimal digits`, s[:min(len(s), size)])
	}
	if second, ok := unit(s[size:]); ok {
		if r := utf16.DecodeRune(first, second); r != '\uFFFD' {
			return r, 2 * size, nil
		}
	}
	return first, size, nil
}
