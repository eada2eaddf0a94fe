package http

import (
	"bytes"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// wire has the parts of a request that are the same for all operations.
type wire struct {
	uri     string // path and parameters; "" if they vary
	fields  []byte // of the head, each line with its end
	length  bool   // the head has a Content-Length without a body, too
	isPlain bool   // the text of the URL is what is sent, from its path on
	path    int    // where the path begins in the text of the URL
}

// newWire has net/http write a head, so that the fields are those that it would send. It returns nil if requests must be sent by net/http:
// HTTP/2, redirects that are followed, the method CONNECT, and hosts that are not ASCII.
func newWire(c *config) *wire {
	host := c.parsed.Hostname()
	if c.client.HTTP2 || c.follow > 0 || c.method == http.MethodConnect || strings.ContainsFunc(host, func(r rune) bool { return r > '~' }) {
		return nil
	}
	r := http.Request{Method: http.MethodGet, URL: c.parsed, Host: c.host, Header: c.header, Close: !c.client.KeepAlive}
	var head bytes.Buffer
	if err := r.Write(&head); err != nil {
		return nil
	}
	_, fields, _ := bytes.Cut(head.Bytes(), []byte("\r\n"))
	w := &wire{
		fields: bytes.TrimSuffix(fields, []byte("\r\n")),
		length: c.method == http.MethodPost || c.method == http.MethodPut || c.method == http.MethodPatch,
	}
	if !c.url.Varies() {
		w.uri = c.parsed.RequestURI()
		return w
	}
	// Numbers are never escaped, so a text that stays the same for one operation does so for all.
	text := string(c.url.Append(nil, c.seed, 0))
	_, rest, _ := strings.Cut(text, "://")
	w.path = len(text) - len(rest) + max(0, strings.IndexAny(rest, "/?#"))
	w.isPlain = text[w.path:] == c.parsed.RequestURI()
	return w
}

// appendHead appends a head for a body of n bytes.
func (w *wire) appendHead(b []byte, method string, uri []byte, n int) []byte {
	b = append(append(b, method...), ' ')
	b = append(append(b, uri...), " HTTP/1.1\r\n"...)
	b = append(b, w.fields...)
	if n > 0 || w.length {
		b = append(b, "Content-Length: "...)
		b = append(strconv.AppendInt(b, int64(n), 10), "\r\n"...)
	}
	return append(b, "\r\n"...)
}

// appendURI appends the path and the parameters in the text of a URL.
func (w *wire) appendURI(b, text []byte) ([]byte, error) {
	if w.isPlain {
		return append(b, text[w.path:]...), nil
	}
	u, err := url.Parse(string(text))
	if err != nil {
		return b, err
	}
	return append(b, u.RequestURI()...), nil
}
