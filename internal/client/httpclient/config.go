package httpclient

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/tarebench/tare/load"
)

// Config says how requests are sent.
type Config struct {
	HTTP2     bool          // over TLS, or else with prior knowledge; default HTTP/1.1
	KeepAlive bool          // false: a connection for each request
	TLS       *tls.Config   // of connections to the server; nil for the default
	Insecure  bool          // the server's certificate is not checked; TLS wins
	FirstByte bool          // the time of the first byte of responses is taken
	Timeout   time.Duration // of one request; 0 means none
	Hints     Hints
}

// Hints say what to do about errors; those that are empty are left out.
type Hints struct {
	SelfSigned string // how to accept a self-signed certificate
	Plain      string // how to name a server that does not speak TLS
	TLS        string // how to name a server that does
	Version1   string // how to use HTTP/1.1
}

// with adds a hint to an error.
func with(err error, hint string) error {
	if hint == "" {
		return err
	}
	return fmt.Errorf("%w (%s)", err, hint)
}

// CheckTLS makes a TLS connection to the server of a URL, so that its errors are reported before
// the run: the certificate is not trusted, or the server does not speak HTTP/2.
func (c *Config) CheckTLS(ctx context.Context, allow *load.Consent, u *url.URL) error {
	dialer := load.NewDialer(ctx, allow, c.Timeout)
	defer dialer.Close()
	conn, err := dialer.DialContext(ctx, "tcp", Address(u))
	if err != nil {
		return err
	}
	ctx, cancel := c.bound(ctx)
	defer cancel()
	config := c.tls()
	if config.ServerName == "" {
		config.ServerName = u.Hostname()
	}
	config.NextProtos = []string{"http/1.1"}
	if c.HTTP2 {
		config.NextProtos = []string{"h2"}
	}
	secure := tls.Client(conn, config)
	if err := secure.HandshakeContext(ctx); err != nil {
		var untrusted *tls.CertificateVerificationError
		switch err = dialer.Err(err); {
		case errors.As(err, &untrusted):
			err = with(err, c.Hints.SelfSigned)
		case errors.Is(err, load.ErrServerPlain):
			err = with(err, c.Hints.Plain)
		}
		return err
	}
	if c.HTTP2 && secure.ConnectionState().NegotiatedProtocol != "h2" {
		return with(errors.New("the server does not speak HTTP/2"), c.Hints.Version1)
	}
	return nil
}

// bound returns a context that ends after the timeout, if there is one.
func (c *Config) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	if c.Timeout == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, c.Timeout)
}

// tls returns a copy of the configuration, because net/http changes it.
func (c *Config) tls() *tls.Config {
	if c.TLS != nil {
		return c.TLS.Clone()
	}
	return &tls.Config{InsecureSkipVerify: c.Insecure}
}

func (c *Config) transport(dialer *load.Dialer, secure bool) *http.Transport {
	protocols := new(http.Protocols)
	switch {
	case !c.HTTP2:
		protocols.SetHTTP1(true)
	case secure:
		protocols.SetHTTP2(true)
	default:
		protocols.SetUnencryptedHTTP2(true)
	}
	return &http.Transport{
		Proxy:               nil,
		DialContext:         dialer.DialContext,
		TLSClientConfig:     c.tls(),
		Protocols:           protocols,
		DisableKeepAlives:   !c.KeepAlive,
		DisableCompression:  true,
		MaxIdleConnsPerHost: 1,
	}
}
