package nats

import (
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/tarebench/tare/full/internal/cluster"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/show/live"
)

// ServerConfig describes an embedded server.
type ServerConfig struct {
	Listen   string      // HOST:PORT; "" is a free port of 127.0.0.1
	Token    string      // what agents must have; "" makes one, see [Server.Token]
	TLS      *tls.Config // needed off loopback; with ClientCAs and ClientAuth agents need certificates
	Dir      string      // of the messages that are delivered; it is made if it is missing. One server at a time may use it
	Group    string      // of the subjects
	MaxBytes int64       // limit of delivered messages on disk; 0 is 1 GiB

	controller string // token of the controller, for tests that dial one from another process
}

const (
	defaultMaxBytes = 1 << 30
	syncInterval    = 10 * time.Second      // between two times that stored messages are written through to the disk
	roomOfHeaders   = 64 << 10              // what a message may have besides its data
	maxMemory       = 64 << 20              // of JetStream's state that is not on disk
	serverPing      = 2 * pingInterval      // clients ping more often, so that the server pings only those that hang
	startupTime     = 30 * time.Second      // to read a store, at most
	startupPoll     = 10 * time.Millisecond // of a server that starts
)

// A Server is a NATS server in this process.
type Server struct {
	server     *server.Server
	url        string
	token      string
	controller string
	group      group
}

// StartServer starts a server that accepts connections when StartServer returns. It handles no signals, and logs nothing.
func StartServer(c ServerConfig) (*Server, error) {
	opts, err := c.options()
	if err != nil {
		return nil, err
	}
	s := &Server{token: c.Token, controller: c.controller, group: group(c.Group)}
	if s.token == "" {
		s.token = rand.Text()
	}
	if s.controller == "" {
		s.controller = rand.Text() // not derived from the token: whoever has that could derive it, too
	}
	opts.CustomClientAuthentication = newGuard(s.group, s.token, s.controller)
	if s.server, err = server.NewServer(opts); err != nil {
		return nil, fmt.Errorf("server of the run: %w", err)
	}
	if err := s.start(); err != nil {
		s.Close()
		return nil, exit.Failed(fmt.Errorf("server of the run at %s: %w", net.JoinHostPort(opts.Host, c.port()), err), "choose another address to listen on, or another directory")
	}
	s.url = s.address(c.TLS != nil)
	return s, nil
}

// options checks the configuration, and returns that of the server.
func (c ServerConfig) options() (*server.Options, error) {
	host, port, err := c.split()
	if err != nil {
		return nil, exit.Usage(err, "give HOST:PORT, such as 127.0.0.1:4222")
	}
	if err := group(c.Group).check(); err != nil {
		return nil, err
	}
	if !live.IsLoopback(host) && (c.Token == "" || c.TLS == nil) {
		return nil, exit.Usage(fmt.Errorf("%s can be reached from other machines: that needs a token and TLS", net.JoinHostPort(host, c.port())),
			"give a token, a certificate and its key, or listen on 127.0.0.1")
	}
	if c.Dir == "" {
		return nil, errors.New("the server of a run needs a directory for what is delivered")
	}
	if err := os.MkdirAll(c.Dir, 0o700); err != nil {
		return nil, err
	}
	if c.MaxBytes == 0 {
		c.MaxBytes = defaultMaxBytes
	}
	opts := &server.Options{
		Host: host, Port: port, ServerName: "tare-" + c.Group, NoSigs: true,
		MaxPayload: cluster.MaxMessage + roomOfHeaders, PingInterval: serverPing, MaxPingsOut: 2,
		JetStream: true, StoreDir: c.Dir, SyncInterval: syncInterval, JetStreamMaxStore: c.MaxBytes, JetStreamMaxMemory: maxMemory,
		DisableJetStreamBanner: true,
	}
	if c.TLS != nil {
		opts.TLS, opts.TLSHandshakeFirst, opts.TLSTimeout, opts.TLSConfig = true, true, 5, c.TLS.Clone()
		opts.TLSVerify = c.TLS.ClientAuth == tls.RequireAndVerifyClientCert
	}
	return opts, nil
}

// split returns the host and the port to listen on, the latter as the server wants it: -1 is any that is free.
func (c ServerConfig) split() (host string, port int, err error) {
	if c.Listen == "" {
		return "127.0.0.1", server.RANDOM_PORT, nil
	}
	host, text, err := net.SplitHostPort(c.Listen)
	if err != nil {
		return "", 0, fmt.Errorf("%q is no address to listen on", c.Listen)
	}
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return "", 0, fmt.Errorf("%q is no address to listen on: the port is no number up to 65535", c.Listen)
	}
	if n == 0 {
		return host, server.RANDOM_PORT, nil
	}
	return host, int(n), nil
}

// port returns the port as it was given, for messages.
func (c ServerConfig) port() string {
	_, port, err := net.SplitHostPort(c.Listen)
	if err != nil {
		return "0"
	}
	return port
}

// start returns when the server accepts connections.
func (s *Server) start() error {
	log := &startupLog{}
	s.server.SetLoggerV2(log, false, false, false)
	s.server.Start()
	for end := time.Now().Add(startupTime); ; time.Sleep(startupPoll) {
		if err := log.failure(); err != nil {
			return err
		}
		if s.server.Addr() != nil && s.server.JetStreamEnabled() {
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("it is not ready after %s", startupTime)
		}
	}
}

// address returns the URL of the server. A server that listens on all addresses is reached by the machine's name.
func (s *Server) address(secure bool) string {
	addr := s.server.Addr().(*net.TCPAddr)
	host, scheme := addr.IP.String(), "nats://"
	if addr.IP.IsUnspecified() {
		if name, err := os.Hostname(); err == nil {
			host = name
		}
	}
	if secure {
		scheme = "tls://"
	}
	return scheme + net.JoinHostPort(host, strconv.Itoa(addr.Port))
}

// URL returns the address for [DialConfig], which has no secrets.
func (s *Server) URL() string { return s.url }

// Token returns what agents must have.
func (s *Server) Token() string { return s.token }

// Close ends all connections, and returns when the server has ended. What was delivered stays on disk.
func (s *Server) Close() {
	s.server.Shutdown()
	s.server.WaitForShutdown()
}
