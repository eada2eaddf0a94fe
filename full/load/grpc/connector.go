package grpc

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"

	"github.com/tarebench/tare/load"
)

// A connector makes the connections of one worker, and keeps the error of the last one:
// package grpc reports it only as text.
type connector struct {
	*config
	dialer *load.Dialer

	mu      sync.Mutex
	trouble error // why there is no connection, or why it was lost
}

func (t *target) connector(ctx context.Context) (*connector, error) {
	d, err := t.dialers.New(ctx, t.setUp)
	if err != nil {
		return nil, err
	}
	return &connector{config: t.config, dialer: d}, nil
}

func (l *connector) close() { l.dialer.Close() }

// dial connects for package grpc.
func (l *connector) dial(ctx context.Context, address string) (net.Conn, error) {
	nc, err := l.dialer.DialContext(ctx, "tcp", address)
	l.note(err)
	if err != nil {
		return nil, err
	}
	return &conn{nc, l}, nil
}

func (l *connector) note(err error) {
	l.mu.Lock()
	l.trouble = err
	l.mu.Unlock()
}

// last returns why there is no connection, or nil.
func (l *connector) last() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.trouble
}

// conn notes why a connection ended.
type conn struct {
	net.Conn
	link *connector
}

func (c *conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if err != nil {
		c.link.note(err)
	}
	return n, err
}

// connect makes a client that connects with its first call. It asks no name service: the
// dialer must see the name of the host, by which it may be allowed.
func (t *target) connect(l *connector, more ...grpc.DialOption) (*grpc.ClientConn, error) {
	secure := insecure.NewCredentials()
	if t.secure {
		c, err := t.files.Config(t.host, "grpc.")
		if err != nil {
			return nil, err
		}
		secure = credentials.NewTLS(c)
	}
	options := append([]grpc.DialOption{
		grpc.WithTransportCredentials(secure),
		grpc.WithContextDialer(l.dial),
		grpc.WithUserAgent(t.agent),
		grpc.WithNoProxy(),
		grpc.WithDisableRetry(),
		grpc.WithDisableServiceConfig(),
		grpc.WithDisableHealthCheck(),
		grpc.WithIdleTimeout(0),
		// A server that is back is found soon, whatever the number of failed attempts.
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff:           backoff.Config{BaseDelay: 10 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: 100 * time.Millisecond},
			MinConnectTimeout: t.setUp,
		}),
	}, more...)
	return grpc.NewClient("passthrough:///"+t.address, options...)
}

// ready waits until there is a connection over which the server speaks HTTP/2.
func (l *connector) ready(ctx context.Context, conn *grpc.ClientConn) error {
	for conn.Connect(); ; {
		state := conn.GetState()
		switch state {
		case connectivity.Ready:
			return nil
		case connectivity.TransientFailure, connectivity.Shutdown:
			if l.isSilent() {
				return errTimeout(l.setUp)
			}
			return errNotGRPC
		}
		if !conn.WaitForStateChange(ctx, state) {
			return context.Cause(ctx)
		}
	}
}

// isSilent reports whether the server has sent nothing, and it was package grpc that gave up waiting and closed the
// connection. Its time limit is that of ready, and either may come first.
func (l *connector) isSilent() bool {
	_, received := l.dialer.Bytes()
	last := l.last()
	return received == 0 && (last == nil || errors.Is(last, net.ErrClosed))
}

// withHeader adds the metadata.
func (c *config) withHeader(ctx context.Context) context.Context {
	return metadata.NewOutgoingContext(ctx, c.header)
}
