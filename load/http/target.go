package http

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

type target struct {
	*config
	fixed   []byte // the body, if it does not vary
	dialers load.Dialers

	serverNeedsTLS func() bool // of a plain server that refuses a request: asks once
}

// Open checks that a server accepts connections, and over TLS that the certificate is
// valid and the HTTP version is available. It sends no request.
func Open(ctx context.Context, s kv.Settings) (load.Target, error) {
	c, err := parseConfig(s)
	if err != nil {
		return nil, fmt.Errorf("http: %w", err)
	}
	if err := load.Reach(ctx, c.address(), c.timeout); err != nil {
		return nil, fmt.Errorf("http: %w (start the server, or set its address: -p http.url=http://host:port/path)", err)
	}
	if c.parsed.Scheme == "https" {
		if err := c.checkTLS(ctx); err != nil {
			return nil, fmt.Errorf("http: secure connection to %s: %w", c.where(), err)
		}
	}
	t := &target{config: c, serverNeedsTLS: sync.OnceValue(func() bool {
		return c.parsed.Scheme == "http" && load.SpeaksTLS(ctx, c.address(), c.timeout)
	})}
	if !c.content.varies {
		t.fixed = c.content.append(nil, 0, 0)
	}
	return t, nil
}

func (c *config) tls() *tls.Config {
	return &tls.Config{ServerName: c.parsed.Hostname(), InsecureSkipVerify: c.insecure}
}

// checkTLS makes a TLS connection, so that its errors are reported before the run.
func (c *config) checkTLS(ctx context.Context) error {
	dialer := load.NewDialer(ctx, c.timeout)
	defer dialer.Close()
	conn, err := dialer.DialContext(ctx, "tcp", c.address())
	if err != nil {
		return err
	}
	ctx, cancel := c.bound(ctx)
	defer cancel()
	config := c.tls()
	config.NextProtos = []string{"http/1.1"}
	if c.http2 {
		config.NextProtos = []string{"h2"}
	}
	secure := tls.Client(conn, config)
	if err := secure.HandshakeContext(ctx); err != nil {
		var untrusted *tls.CertificateVerificationError
		switch err = dialer.Err(err); {
		case errors.As(err, &untrusted):
			err = fmt.Errorf("%w (for a self-signed certificate: -p http.insecure=true)", err)
		case errors.Is(err, load.ErrServerPlain):
			err = fmt.Errorf("%w (-p http.url=http://…)", err)
		}
		return err
	}
	if c.http2 && secure.ConnectionState().NegotiatedProtocol != "h2" {
		return errors.New("the server does not speak HTTP/2 (-p http.version=1.1)")
	}
	return nil
}

// bound returns a context that ends after the timeout, if there is one.
func (c *config) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	if c.timeout == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, c.timeout)
}

func (t *target) Kinds() []string { return []string{t.method} }

func (t *target) Worker(ctx context.Context, _ int) (load.Worker, error) {
	dialer, err := t.dialers.New(ctx, t.timeout)
	if err != nil {
		return nil, fmt.Errorf("http: worker: %w", err)
	}
	w := &worker{target: t, dialer: dialer, run: ctx}
	w.transport = t.transport(dialer)
	w.renew()
	return w, nil
}

func (t *target) transport(dialer *load.Dialer) *http.Transport {
	protocols := new(http.Protocols)
	switch {
	case !t.http2:
		protocols.SetHTTP1(true)
	case t.parsed.Scheme == "https":
		protocols.SetHTTP2(true)
	default:
		protocols.SetUnencryptedHTTP2(true)
	}
	return &http.Transport{
		Proxy:               nil,
		DialContext:         dialer.DialContext,
		TLSClientConfig:     t.tls(),
		Protocols:           protocols,
		DisableKeepAlives:   !t.keepAlive,
		DisableCompression:  true,
		MaxIdleConnsPerHost: 1,
	}
}

// Close ends the workers.
func (t *target) Close() error {
	t.dialers.Close()
	return nil
}
