package nats

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"

	natsgo "github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/tarebench/tare/full/internal/cluster"
	"github.com/tarebench/tare/internal/base/exit"
)

// explain returns an error of connecting as one line that says what is wrong, with what to do about it. It has no secrets:
// what the client says may repeat a URL.
func (t target) explain(err error) error {
	var (
		unknown   x509.UnknownAuthorityError
		name      x509.HostnameError
		invalid   x509.CertificateInvalidError
		plain     tls.RecordHeaderError
		dns       *net.DNSError
		timeout   net.Error
		isTimeout = errors.As(err, &timeout) && timeout.Timeout()
	)
	fail := func(what, hint string) error {
		return exit.Failed(&explained{fmt.Sprintf("server at %s: %s", t.hosts, what), err}, hint)
	}
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("server at %s: %w", t.hosts, err)
	case errors.Is(err, natsgo.ErrAuthorization):
		return fail("it refuses the token or the credentials", "give the token of the controller, or the credentials of this server")
	case errors.Is(err, natsgo.ErrPermissionViolation):
		return fail("it does not permit what a controller does", "let the user of the controller publish and subscribe to tare.> and $JS.API.>")
	case errors.As(err, &unknown):
		return fail("its certificate is signed by an authority that is not trusted", "give the certificate of the authority")
	case errors.As(err, &name):
		return fail("its certificate is for another name", "use the name that is in the certificate")
	case errors.As(err, &invalid):
		return fail("its certificate is not valid: "+invalid.Error(), "renew the certificate")
	case isRefusedTLS(err):
		return fail("it refuses our side of TLS", "give the client certificate that it requires")
	case errors.Is(err, natsgo.ErrSecureConnWanted):
		return fail("it has no TLS", "give the server a certificate, or use nats:// on this machine")
	case errors.As(err, &plain), errors.Is(err, natsgo.ErrNoInfoReceived):
		return fail("it is no NATS server", urlHint)
	case errors.Is(err, cluster.ErrNoResponders), errors.Is(err, jetstream.ErrJetStreamNotEnabled), errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount):
		return fail("JetStream is not enabled, which keeps what agents deliver", "add jetstream {} to the configuration of the server or the account")
	case errors.Is(err, natsgo.ErrNoServers):
		return fail("no server listens there", "start the controller first, or correct the address")
	case errors.As(err, &dns):
		return fail("the name of the host is not known", urlHint)
	case isTimeout && !t.secure, errors.Is(err, io.EOF) && !t.secure:
		return fail("it does not answer as a NATS server without TLS does", "use tls:// if it has TLS, or correct the address")
	case isTimeout, errors.Is(err, io.EOF):
		return fail("it does not answer as a NATS server does", urlHint)
	}
	return fail(err.Error(), "")
}

// isRefusedTLS reports whether the server refused our side of the handshake. Where it had no time to say so, it just ended the
// connection after it.
func isRefusedTLS(err error) bool {
	said := (*net.OpError)(nil)
	return errors.As(err, &said) && said.Op == "remote error" || errors.Is(err, natsgo.ErrTLS) && (errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET))
}

// explained is an error with a text for people.
type explained struct {
	text string
	err  error
}

func (e *explained) Error() string { return e.text }
func (e *explained) Unwrap() error { return e.err }
