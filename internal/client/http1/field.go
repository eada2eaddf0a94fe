package http1

import "bytes"

// head has what decides where a response ends, and whether the connection stays open.
type head struct {
	status       int
	major, minor byte

	lengths    int    // fields Content-Length
	length     []byte // the value of the first
	conflict   bool   // another has a different one
	encodings  int    // fields Transfer-Encoding
	isChunked  bool   // the value of the first
	closes     bool   // Connection: close
	keepsAlive bool   // Connection: keep-alive
	badTrailer bool   // Trailer names a field that cannot be in a trailer
}

func (h *head) reset() { *h = head{length: h.length[:0]} }

// What bytes may be in: the names of fields, and their values (RFC 9110, sections 5.6.2 and 5.5).
const (
	inName = 1 << iota
	inValue
)

var allowed = func() (t [256]byte) {
	for b := range t {
		if b >= ' ' && b != 0x7f || b == '\t' {
			t[b] |= inValue
		}
		letter := b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9'
		if letter || bytes.IndexByte([]byte("!#$%&'*+-.^_`|~"), byte(b)) >= 0 {
			t[b] |= inName
		}
	}
	return t
}()

// add takes a field, as "Content-Length: 5", and reports whether it is well formed. With a nil h that is all it does.
// A name with a space is tolerated, as http.ReadResponse does, and is no name that is known here.
func (h *head) add(field []byte) bool {
	colon := bytes.IndexByte(field, ':')
	if colon <= 0 {
		return false
	}
	name, value := field[:colon], field[colon+1:]
	known := h != nil
	for _, b := range name {
		if allowed[b]&inName == 0 {
			if b != ' ' {
				return false
			}
			known = false
		}
	}
	for _, b := range value {
		if allowed[b]&inValue == 0 {
			return false
		}
	}
	if known {
		h.see(name, trimLeft(value))
	}
	return true
}

// see notes the fields that say where a response ends, and whether the connection stays open.
func (h *head) see(name, value []byte) {
	switch {
	case equal(name, "content-length"):
		h.lengths++
		if value = trim(value); h.lengths == 1 {
			h.length = append(h.length, value...)
		} else if !bytes.Equal(value, h.length) {
			h.conflict = true
		}
	case equal(name, "transfer-encoding"):
		h.encodings++
		h.isChunked = equal(value, "chunked")
	case equal(name, "connection"):
		h.closes = h.closes || lists(value, "close")
		h.keepsAlive = h.keepsAlive || lists(value, "keep-alive")
	case equal(name, "trailer"):
		h.badTrailer = h.badTrailer || lists(value, "transfer-encoding") || lists(value, "trailer") || lists(value, "content-length")
	}
}

// lists reports whether a word is in a list with commas.
func lists(value []byte, word string) bool {
	for more := true; more; {
		var item []byte
		if item, value, more = bytes.Cut(value, comma); equal(trim(item), word) {
			return true
		}
	}
	return false
}

var comma = []byte(",")

// equal reports whether a text is a word in lower case, whatever its own case. It knows ASCII alone.
func equal(text []byte, word string) bool {
	if len(text) != len(word) {
		return false
	}
	for i, b := range text {
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		if b != word[i] {
			return false
		}
	}
	return true
}
