package scenario

// A sink is where a value goes: what must be escaped there.
type sink uint8

const (
	asIs   sink = iota // a body
	inPath             // a part of a path: a / in it is no separator
	inURL              // a whole path with parameters, as a server sent it
	inQuery
	inJSON   // between the quotes of a string
	inHeader // of one line
)

const hexDigits = "0123456789ABCDEF"

// appendEscaped appends a value so that it stays one value where it goes.
func appendEscaped[S string | []byte](dst []byte, s S, to sink) []byte {
	switch to {
	case inPath, inQuery:
		return appendPercent(dst, s, isUnreserved)
	case inURL:
		return appendPercent(dst, s, isURLByte)
	case inJSON:
		return appendJSONString(dst, s)
	case inHeader:
		return appendHeader(dst, s)
	}
	return append(dst, s...)
}

func appendPercent[S string | []byte](dst []byte, s S, plain func(byte) bool) []byte {
	for i := 0; i < len(s); i++ {
		if c := s[i]; plain(c) {
			dst = append(dst, c)
		} else {
			dst = append(dst, '%', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	return dst
}

// isUnreserved reports whether a byte stands for itself in every part of a URL (RFC 3986, section
// 2.3).
func isUnreserved(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '.' || c == '_' || c == '~'
}

// isURLByte reports whether a byte may be in a path with parameters. A % is one of an escape.
func isURLByte(c byte) bool {
	switch c {
	case '/', '?', '%', ':', '@', '!', '$', '&', '\'', '(', ')', '*', '+', ',', ';', '=':
		return true
	}
	return isUnreserved(c)
}

// appendJSONString escapes what JSON strings must not contain (RFC 8259, section 7).
func appendJSONString[S string | []byte](dst []byte, s S) []byte {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c < ' ' || c == 0x7f:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// appendHeader replaces control characters by spaces, as RFC 9110, section 5.5 has it: a line break in a
// captured value would begin another header.
func appendHeader[S string | []byte](dst []byte, s S) []byte {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c < ' ' && c != '\t' || c == 0x7f {
			c = ' '
		}
		dst = append(dst, c)
	}
	return dst
}
