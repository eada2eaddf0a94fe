package load_test

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/testkit/loadtest/servers"
	"github.com/tarebench/tare/load"
)

// TestPeer: an error behind which a server said something names what it said.
func TestPeer(t *testing.T) {
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = nil
	secure.StartTLS()
	t.Cleanup(secure.Close)
	alerting := servers.Fake(t, func(c net.Conn) { // as a server of TLS answers plain text
		c.Read(make([]byte, 1))
		c.Write([]byte{0x15, 3, 1, 0, 2, 2, 10})
		io.Copy(io.Discard, c)
	})
	silentTLS := servers.Fake(t, func(c net.Conn) {
		b := make([]byte, 5)
		if n, _ := c.Read(b); n > 0 && b[0] == 0x16 {
			c.Write([]byte{0x16, 3, 3, 0, 4, 0, 0, 0, 0})
		}
	})
	for name, c := range map[string]struct {
		addr   string
		secure bool
		want   error
	}{
		"plain to TLS that answers an alert": {alerting, false, load.ErrServerTLS},
		"plain to TLS that closes":           {silentTLS, false, load.ErrServerTLS},
		"TLS to plain that answers":          {servers.Fake(t, servers.Rubbish), true, load.ErrServerPlain},
		"TLS to plain that closes":           {servers.Fake(t, servers.Closing), true, load.ErrServerPlain},
		"plain to plain that closes":         {servers.Fake(t, servers.Closing), false, nil},
		"TLS to TLS":                         {secure.Listener.Addr().String(), true, nil},
	} {
		t.Run(name, func(t *testing.T) {
			d := load.NewDialer(t.Context(), nil, time.Second)
			defer d.Close()
			err := d.Err(exchange(t, d, c.addr, c.secure))
			var peer *load.PeerError
			switch {
			case c.want == nil && errors.As(err, &peer):
				t.Errorf("%v", err)
			case c.want != nil && (!errors.Is(err, c.want) || load.Class(err) != load.ClassProtocol):
				t.Errorf("%v, class %s", err, load.Class(err))
			}
		})
	}
}

// exchange sends something over a new connection, reads the answer, and returns an error
// unless TLS was agreed on, but for the certificate.
func exchange(t *testing.T, d *load.Dialer, addr string, secure bool) error {
	c, err := d.DialContext(context.Background(), "tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(5 * time.Second))
	if secure {
		return tls.Client(c, &tls.Config{ServerName: "localhost"}).Handshake()
	}
	if _, err := c.Write([]byte("PING\r\n")); err != nil {
		return err
	}
	b := make([]byte, 10)
	n, err := c.Read(b)
	return errors.Join(err, errors.New(string(b[:n])))
}

// TestFarewell: a server that has too many clients says so and closes; a write that
// fails because of that names what it said.
func TestFarewell(t *testing.T) {
	gone := make(chan struct{})
	addr := servers.Fake(t, func(c net.Conn) {
		c.(*net.TCPConn).SetLinger(1)
		io.WriteString(c, "-ERR max number of clients reached\r\n")
		c.Close()
		close(gone)
	})
	d := load.NewDialer(t.Context(), nil, time.Second)
	defer d.Close()
	c, err := d.DialContext(context.Background(), "tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	<-gone
	for range 1000 { // until the other end has answered a write by a reset
		if _, err = c.Write([]byte("PING\r\n")); err != nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	err = d.Err(err)
	if err == nil || !strings.Contains(err.Error(), "max number of clients reached") || load.Class(err) != load.ClassRefused {
		t.Errorf("%v, class %s", err, load.Class(err))
	}
}

// TestSpeaksTLS asks servers.
func TestSpeaksTLS(t *testing.T) {
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(secure.Close)
	if !load.SpeaksTLS(t.Context(), nil, secure.Listener.Addr().String(), time.Second) {
		t.Error("a server of TLS does not speak it")
	}
	if load.SpeaksTLS(t.Context(), nil, servers.Fake(t, servers.Rubbish), time.Second) {
		t.Error("a plain server speaks TLS")
	}
}
