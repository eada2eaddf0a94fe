package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/tarebench/tare/internal/show/live"
)

// guard passes on requests to a name of this server, from one of its pages or from none, with the token if one is asked for. Another web page in the same browser may not read what is served, even if its name has our address (DNS rebinding).
type guard struct {
	token    [sha256.Size]byte // its sum: comparing sums tells nothing about how much of a token was right
	asks     bool              // for a token
	loopback bool              // the name of this server is one of loopback
	next     http.Handler
}

func newGuard(setup *live.Setup, next http.Handler) *guard {
	host, _, _ := net.SplitHostPort(setup.Address)
	return &guard{token: sha256.Sum256([]byte(setup.Token)), asks: setup.Token != "", loopback: live.IsLoopback(host), next: next}
}

// ServeHTTP implements [http.Handler].
func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "there is nothing to change here", http.StatusMethodNotAllowed)
	case g.loopback && !live.IsLoopback(hostOf(r.Host)):
		http.Error(w, "this server is at 127.0.0.1 and localhost alone", http.StatusMisdirectedRequest)
	case isCrossSite(r):
		http.Error(w, "another page may not read this one", http.StatusForbidden)
	case g.asks && !g.hasToken(r):
		h.Set("WWW-Authenticate", `Basic realm="tare: the token is the password", charset="UTF-8"`)
		http.Error(w, "this page needs the token of --live-token", http.StatusUnauthorized)
	default:
		g.next.ServeHTTP(w, r)
	}
}

// hostOf returns the name in a Host header.
func hostOf(header string) string {
	if host, _, err := net.SplitHostPort(header); err == nil {
		return host
	}
	return strings.Trim(header, "[]")
}

// isCrossSite reports whether a page of another origin sent the request. A link that is followed from there is allowed: that
// page cannot read the answer.
func isCrossSite(r *http.Request) bool {
	if origin := r.Header.Get("Origin"); origin != "" {
		u, err := url.Parse(origin)
		if err != nil || !strings.EqualFold(u.Host, r.Host) {
			return true
		}
	}
	site := r.Header.Get("Sec-Fetch-Site")
	return (site == "cross-site" || site == "same-site") && r.Header.Get("Sec-Fetch-Mode") != "navigate"
}

// hasToken reports whether a request carries the token: as a bearer token, or as the password of HTTP basic authentication with
// any user name, for which browsers show a prompt.
func (g *guard) hasToken(r *http.Request) bool {
	token, isBearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !isBearer {
		_, token, _ = r.BasicAuth()
	}
	sum := sha256.Sum256([]byte(token))
	return subtle.ConstantTimeCompare(sum[:], g.token[:]) == 1
}
