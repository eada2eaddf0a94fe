package http

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/tarebench/tare/internal/client/httpclient"
	"github.com/tarebench/tare/load"
)

// mostHops is the limit of http.follow.
const mostHops = 100

// isRedirect reports whether a response asks for another request.
func isRedirect(answer *http.Response) bool {
	switch answer.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return answer.Header.Get("Location") != ""
	}
	return false
}

// redirected returns the request that the response to r asks for, once its host has been
// found to be one that may be loaded: this needs no connection, because there may be an
// open one.
func (w *worker) redirected(r *http.Request, answer *http.Response) (*http.Request, error) {
	to, err := r.URL.Parse(answer.Header.Get("Location"))
	if err != nil || to.Scheme != "http" && to.Scheme != "https" || to.Host == "" {
		return nil, load.WithClass(load.ClassProtocol, fmt.Errorf("status %d: redirected to what is no http URL", answer.StatusCode))
	}
	to.User, to.Fragment = nil, ""
	if err := w.checkHop(addressOf(to)); err != nil {
		return nil, fmt.Errorf("status %d: redirected to %s: %w", answer.StatusCode, to.Host, err)
	}
	next := &http.Request{Method: nextMethod(r.Method, answer.StatusCode), URL: to, Proto: r.Proto, ProtoMajor: 1, ProtoMinor: 1, Header: r.Header, Host: r.Host}
	if next.Method == r.Method && len(w.body) > 0 {
		next.Body, next.ContentLength = io.NopCloser(bytes.NewReader(w.body)), int64(len(w.body))
	}
	if next.Method != r.Method {
		next.Header = without(r.Header, "Content-Type", "Content-Encoding", "Content-Language", "Content-Location")
	}
	if addressOf(to) != addressOf(r.URL) || to.Scheme != r.URL.Scheme {
		next.Host = ""
		next.Header = withoutSecrets(next.Header)
	}
	return next.WithContext(r.Context()), nil
}

// nextMethod returns the method after a redirect, as browsers do it: 303, and 301 and 302 after
// POST, turn into GET.
func nextMethod(method string, status int) string {
	switch {
	case method == http.MethodHead:
	case status == http.StatusSeeOther, method == http.MethodPost && (status == http.StatusMovedPermanently || status == http.StatusFound):
		return http.MethodGet
	}
	return method
}

// withoutSecrets returns the headers for another host: those that hold secrets are for the
// first host alone.
func withoutSecrets(h http.Header) http.Header {
	out := without(h, "Authorization", "Cookie", "Cookie2", "Proxy-Authorization")
	for name, values := range h {
		for _, v := range values {
			if load.Redact("http.header."+name, v) != v {
				out.Del(name)
			}
		}
	}
	return out
}

func without(h http.Header, names ...string) http.Header {
	out := h.Clone()
	for _, name := range names {
		out.Del(name)
	}
	return out
}

// isHome reports whether a URL is on the server that was configured.
func (w *worker) isHome(u *url.URL) bool {
	return u.Scheme == w.parsed.Scheme && addressOf(u) == addressOf(w.parsed)
}

// checkHop returns an error for an address that may not be loaded. It asks once for each:
// the dialer checks every connection besides.
func (w *worker) checkHop(address string) error {
	if address == addressOf(w.parsed) {
		return nil
	}
	if err, ok := w.checked[address]; ok {
		return err
	}
	err := w.dialers.Allow.Check(w.run, address)
	if refused := (*load.RefusedError)(nil); err != nil && !errors.As(err, &refused) {
		return load.WithClass(load.ClassRefused, err) // it cannot be resolved at present
	}
	if w.checked == nil {
		w.checked = map[string]error{}
	}
	if len(w.checked) < mostChecked {
		w.checked[address] = err
	}
	return err
}

// mostChecked limits what a server can make a worker keep.
const mostChecked = 1000

// addressOf returns the host and port of a URL, for comparisons.
func addressOf(u *url.URL) string { return strings.ToLower(httpclient.Address(u)) }
