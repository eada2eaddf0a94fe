package agentrun

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"

	"github.com/tarebench/tare/full/internal/cluster"
	"github.com/tarebench/tare/full/internal/cluster/nats"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/input"
	"github.com/tarebench/tare/internal/base/tempdir"
)

// A link is the controller's connection, and its server if that is in this process.
type link struct {
	conn   cluster.Conn
	server *nats.Server // nil: a team's own
	remove func()       // the server's files
}

// connect starts the server, or dials the one that exists.
func (c *Controller) connect(ctx context.Context) (*link, error) {
	if c.nats != "" {
		t, err := c.clientTLS()
		if err != nil {
			return nil, err
		}
		conn, err := nats.Dial(ctx, nats.DialConfig{URL: c.nats, Token: c.token, Creds: c.creds, TLS: t, Group: c.group, Name: "tare controller"})
		if err != nil {
			return nil, err
		}
		return &link{conn: conn, remove: func() {}}, nil
	}
	t, err := c.serverTLS()
	if err != nil {
		return nil, err
	}
	place, err := tempdir.Dir("agents")
	if err != nil {
		return nil, exit.Failed(err, "")
	}
	remove := func() { place.Remove() }
	s, err := nats.StartServer(nats.ServerConfig{Listen: c.listen, Token: c.token, TLS: t, Dir: place.Path, Group: c.group})
	if err != nil {
		remove()
		return nil, err
	}
	conn, err := nats.Dial(ctx, nats.DialConfig{Server: s, Group: c.group})
	if err != nil {
		s.Close()
		remove()
		return nil, err
	}
	return &link{conn: conn, server: s, remove: remove}, nil
}

// close ends the server after its connection was closed.
func (l *link) close() {
	if l.server != nil {
		l.server.Close()
	}
	l.remove()
}

// serverTLS returns the TLS settings of the server in this process, nil without a certificate.
func (c *connection) serverTLS() (*tls.Config, error) {
	if c.cert == "" {
		if c.ca != "" {
			return nil, exit.Usage(fmt.Errorf("--agents-ca needs --agents-cert and --agents-key: without TLS there are no certificates"), "")
		}
		return nil, nil
	}
	t, err := c.ownCertificate()
	if err != nil {
		return nil, err
	}
	if c.ca != "" {
		if t.ClientCAs, err = authorities(c.ca); err != nil {
			return nil, err
		}
		t.ClientAuth = tls.RequireAndVerifyClientCert
	}
	return t, nil
}

// clientTLS returns the TLS settings of a client, nil for those of the system.
func (c *connection) clientTLS() (*tls.Config, error) {
	if c.cert == "" && c.ca == "" {
		return nil, nil
	}
	t := &tls.Config{MinVersion: tls.VersionTLS13}
	var err error
	if c.cert != "" {
		if t, err = c.ownCertificate(); err != nil {
			return nil, err
		}
	}
	if c.ca != "" {
		if t.RootCAs, err = authorities(c.ca); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func (c *connection) ownCertificate() (*tls.Config, error) {
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err != nil {
		return nil, exit.Usage(fmt.Errorf("certificate %s with key %s: %w", c.cert, c.key, err), "")
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS13}, nil
}

func authorities(file string) (*x509.CertPool, error) {
	text, err := input.Content(file, 1<<20)
	if err != nil {
		return nil, exit.Usage(err, "")
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, exit.Usage(fmt.Errorf("%s has no certificate in PEM", file), "")
	}
	return pool, nil
}
