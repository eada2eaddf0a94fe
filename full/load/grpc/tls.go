package grpc

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"

	"github.com/tarebench/tare/load"
)

// checkTLS makes a TLS connection, so that its errors are reported before the run.
func (c *config) checkTLS(ctx context.Context, allow *load.Consent) error {
	dialer := load.NewDialer(ctx, allow, c.setUp)
	defer dialer.Close()
	nc, err := dialer.DialContext(ctx, "tcp", c.address)
	if err != nil {
		return err
	}
	ctx, cancel := c.bound(ctx)
	defer cancel()
	settings, err := c.files.Config(c.host, "grpc.")
	if err != nil {
		return err
	}
	settings.NextProtos = []string{"h2"}
	secure := tls.Client(nc, settings)
	if err := secure.HandshakeContext(ctx); err != nil {
		return adviseTLS(dialer.Err(err))
	}
	if secure.ConnectionState().NegotiatedProtocol != "h2" {
		return errors.New("the server does not offer HTTP/2 (ALPN h2), which gRPC needs")
	}
	return nil
}

// adviseTLS adds the property that helps.
func adviseTLS(err error) error {
	var untrusted *tls.CertificateVerificationError
	var host x509.HostnameError
	switch {
	case errors.As(err, &host):
		return fmt.Errorf("%w (the name in the certificate: -p grpc.servername=NAME)", err)
	case errors.As(err, &untrusted):
		return fmt.Errorf("%w (for a certificate of your own: -p grpc.ca=FILE, or -p grpc.insecure=true)", err)
	case errors.Is(err, load.ErrServerPlain):
		return fmt.Errorf("%w (--db grpc://…)", err)
	}
	return err
}
