package httpclient

import (
	"crypto/tls"
	"net/http"
)

// Hop sends the request of a redirect. Call it in the function read of Send; it has the same
// time limit. otherServer says that the redirect leads to another server, which does not get the
// client's certificate, and must have a certificate for its own name.
func (l *Client) Hop(r *http.Request, otherServer bool) (*http.Response, error) {
	l.hops++
	if !otherServer {
		return l.transport.RoundTrip(r)
	}
	if l.other == nil {
		l.other = l.config.otherTransport(l)
	}
	return l.other.RoundTrip(r)
}

func (c *Config) otherTransport(l *Client) *http.Transport {
	t := c.transport(l.dialer, false)
	own := c.tls()
	t.TLSClientConfig = &tls.Config{RootCAs: own.RootCAs, InsecureSkipVerify: own.InsecureSkipVerify}
	if c.HTTP2 {
		t.Protocols.SetHTTP2(true)
	}
	return t
}
