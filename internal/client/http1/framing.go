package http1

import (
	"errors"
	"strconv"
)

// framing is how the end of a body is found.
type framing int

const (
	noBody framing = iota
	sized
	chunked
	untilClose
)

// framing returns how the end of the body is found, and its length if that is known (RFC 9112, section 6.3). isHead says that the
// request had the method HEAD.
func (h *head) framing(isHead bool) (framing, int64, error) {
	isChunked, err := h.isEncoded()
	if err != nil {
		return noBody, 0, err
	}
	length, err := h.contentLength()
	if err != nil {
		return noBody, 0, err
	}
	if isChunked && h.badTrailer {
		return noBody, 0, errors.New("the trailer has a field that belongs to the head")
	}
	switch {
	case isHead, h.status/100 == 1, h.status == 204, h.status == 304:
		return noBody, 0, nil
	case isChunked:
		return chunked, 0, nil
	case length >= 0:
		return sized, length, nil
	}
	return untilClose, 0, nil
}

// isEncoded reports whether the body is sent in chunks. HTTP/1.0 does not know Transfer-Encoding, and ignores it.
func (h *head) isEncoded() (bool, error) {
	before11 := h.major == 1 && h.minor == 0 || h.major == 0 && h.minor > 0
	switch {
	case h.encodings == 0 || before11:
		return false, nil
	case h.encodings > 1 || !h.isChunked:
		return false, errors.New("unsupported transfer encoding: want chunked alone")
	}
	return true, nil
}

// contentLength returns -1 if there is none.
func (h *head) contentLength() (int64, error) {
	if h.lengths == 0 {
		return -1, nil
	}
	if h.conflict {
		return 0, errors.New("several fields Content-Length that differ")
	}
	n := int64(0)
	for _, b := range h.length {
		if !isDigit(b) || n > (1<<63-1-int64(b-'0'))/10 {
			return 0, malformed("Content-Length", h.length)
		}
		n = 10*n + int64(b-'0')
	}
	if len(h.length) == 0 {
		return 0, errors.New("malformed HTTP Content-Length " + strconv.Quote(""))
	}
	return n, nil
}

// endsConnection reports whether the server closes the connection after the response.
func (h *head) endsConnection() bool {
	switch {
	case h.major < 1:
		return true
	case h.major == 1 && h.minor == 0:
		return h.closes || !h.keepsAlive
	}
	return h.closes
}
