package scenario

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/tarebench/tare/load"
)

// request makes the request of a step.
func (w *worker) request(s *step) (*http.Request, error) {
	w.text = s.path.append(append(w.text[:0], w.base...), &w.values)
	if path := w.text[len(w.base):]; len(path) == 0 || path[0] != '/' {
		return nil, load.WithClass(load.ClassCapture, errors.New("the captured path does not begin with /"))
	}
	u, err := url.Parse(string(w.text))
	if err != nil {
		return nil, load.WithClass(load.ClassCapture, errors.New("the path with its values is no path of a URL"))
	}
	w.headers = make(http.Header, len(s.headers)+1)
	w.headers["User-Agent"] = []string{"tare"}
	for i := range s.headers {
		w.text = s.headers[i].value.append(w.text[:0], &w.values)
		w.headers.Set(s.headers[i].name, string(w.text))
	}
	host := ""
	if s.host != nil {
		host = string(s.host.append(nil, &w.values))
	}
	w.sent = nil
	if s.body != nil {
		w.sent = s.body.append(nil, &w.values) // net/http may use it longer than the request takes
	}
	return w.newRequest(s.method, u, host), nil
}

// newRequest makes a request with the headers and the body at hand and the cookies of the jar.
func (w *worker) newRequest(method string, u *url.URL, host string) *http.Request {
	r := &http.Request{Method: method, URL: u, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: w.headers, Host: host}
	if len(w.sent) > 0 {
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(w.sent)), int64(len(w.sent))
	}
	if w.jar != nil {
		if all := w.jar.Cookies(u); len(all) > 0 {
			r.Header = w.headers.Clone()
			for _, c := range all {
				r.AddCookie(c)
			}
		}
	}
	return r.WithContext(w.client.Context())
}

// redirect returns the request to which the response of another redirects, nil if it does not. It is
// not sent unless its host may be loaded.
func (w *worker) redirect(ctx context.Context, last *http.Request) (*http.Request, error) {
	method, body := redirected(last.Method, w.status)
	where := w.header.Get("Location")
	if method == "" || where == "" {
		return nil, nil
	}
	u, err := last.URL.Parse(where)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return nil, load.WithClass(load.ClassProtocol, errors.New("redirect: the Location is no URL of http or https"))
	}
	u.User = nil
	host := last.Host
	if u.Scheme != last.URL.Scheme || !strings.EqualFold(u.Host, last.URL.Host) {
		host = ""
		w.dropSecrets()
	}
	if !body {
		w.sent = nil
		w.headers.Del("Content-Type")
	}
	r := w.newRequest(method, u, host)
	return r, w.mayFollow(ctx, r)
}

// dropSecrets removes the headers that another host must not see.
func (w *worker) dropSecrets() {
	w.headers = w.headers.Clone()
	for _, name := range []string{"Authorization", "Cookie", "Proxy-Authorization"} {
		w.headers.Del(name)
	}
	for _, h := range w.step.headers {
		if h.secret {
			w.headers.Del(h.name)
		}
	}
}

// redirected returns the method of the request that follows a redirect, "" if the status is none, and whether the
// body is sent again (RFC 9110, section 15.4).
func redirected(method string, status int) (next string, body bool) {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther:
		if method == http.MethodGet || method == http.MethodHead {
			return method, false
		}
		return http.MethodGet, false
	case http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return method, true
	}
	return "", false
}

// verify checks the response of a step and captures its values.
func (w *worker) verify(s *step) error {
	if err := w.check(s); err != nil {
		return err
	}
	for i := range s.captures {
		c := &s.captures[i]
		slot := &w.values.slots[c.slot]
		if err := c.take((*slot)[:0], slot, w.header, w.body.Bytes()); err != nil {
			return load.WithClass(load.ClassCapture, fmt.Errorf("capture %s: %w", c.name, err))
		}
	}
	return nil
}

// take appends the value to dst, which may be the slot's own memory, and stores that in the slot.
func (c *capture) take(dst []byte, slot *[]byte, header http.Header, body []byte) error {
	switch {
	case c.header != "":
		values := header.Values(c.header)
		if len(values) == 0 {
			return fmt.Errorf("the response has no header %s", c.header)
		}
		dst = append(dst, values[0]...)
	case c.regexp != nil:
		m := c.regexp.FindSubmatchIndex(body)
		if m == nil || m[2] < 0 {
			return errors.New("the regular expression matches nothing")
		}
		dst = append(dst, body[m[2]:m[3]]...)
	default:
		value, err := c.json.find(body)
		if err != nil {
			return err
		}
		if string(value) == "null" {
			return errors.New("the value is null")
		}
		dst = appendJSONText(dst, value)
	}
	*slot = dst
	return nil
}
