package nats

import (
	"strings"
	"testing"

	natsserver "github.com/nats-io/nats-server/v2/server"

	"github.com/tarebench/tare/full/internal/cluster"
	"github.com/tarebench/tare/full/internal/cluster/conntest"
	"github.com/tarebench/tare/internal/testkit/nettest"
)

// TestContractTLS: the contract over mutual TLS.
func TestContractTLS(t *testing.T) {
	a := newAuthority(t)
	conntest.Run(t, conntest.Suite{Open: func(t *testing.T) conntest.World {
		config := ServerConfig{Dir: t.TempDir(), Token: "secret", Group: "test", controller: "other secret", TLS: a.mutual()}
		s, err := StartServer(config)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		config.Listen = strings.TrimPrefix(s.URL(), "tls://")
		c := DialConfig{URL: s.URL(), Token: config.controller, TLS: a.clientPair()}
		w := conntest.World{Controller: dial(t, c), Agents: map[string]cluster.Conn{}}
		for _, c.ID = range []string{"a", "b"} {
			c.Agent, c.Token = true, config.Token
			w.Agents[c.ID] = dial(t, c)
		}
		w.Restart = func() {
			s.Close()
			if s, err = StartServer(config); err != nil {
				t.Fatal(err)
			}
		}
		return w
	}})
}

// TestControllerOfTLS: the controller in the server's process needs no certificate.
func TestControllerOfTLS(t *testing.T) {
	a := newAuthority(t)
	s := start(t, ServerConfig{TLS: a.mutual()})
	c := dial(t, DialConfig{Server: s})
	if _, err := c.Subscribe("hello", func(m cluster.Message) { _ = m.Answer([]byte("x")) }); err != nil {
		t.Fatal(err)
	}
	b := dial(t, DialConfig{URL: s.URL(), Token: s.Token(), ID: "b", Agent: true, TLS: a.clientPair()})
	if got, err := b.Request(t.Context(), "hello", nil); err != nil || string(got) != "x" {
		t.Errorf("%q, %v", got, err)
	}
}

// teamServer starts a NATS server that is configured by others.
func teamServer(t *testing.T, opts natsserver.Options) string {
	t.Helper()
	opts.Host, opts.Port, opts.NoLog, opts.NoSigs, opts.StoreDir = "127.0.0.1", -1, true, true, t.TempDir()
	s, err := natsserver.NewServer(&opts)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	return s.Addr().String()
}

// TestTeamServer: servers that begin without TLS and require it then, and those with users or a token of their own.
func TestTeamServer(t *testing.T) {
	a := newAuthority(t)
	for name, c := range map[string]struct {
		opts natsserver.Options
		dial DialConfig
	}{
		"open":                   {natsserver.Options{}, DialConfig{URL: "nats://"}},
		"no URL":                 {natsserver.Options{}, DialConfig{}},
		"token":                  {natsserver.Options{Authorization: "s3cret"}, DialConfig{URL: "nats://", Token: "s3cret"}},
		"password":               {natsserver.Options{Username: "u", Password: "p"}, DialConfig{URL: "nats://u:p@"}},
		"TLS":                    {natsserver.Options{TLS: true, TLSConfig: a.server()}, DialConfig{URL: "tls://", TLS: a.client()}},
		"TLS of a configuration": {natsserver.Options{TLS: true, TLSConfig: a.server()}, DialConfig{TLS: a.client()}},
	} {
		t.Run(name, func(t *testing.T) {
			c.opts.JetStream = true
			c.dial.URL += teamServer(t, c.opts)
			controller := dial(t, c.dial)
			c.dial.Agent, c.dial.ID = true, "a"
			a := dial(t, c.dial)
			if err := a.Deliver(t.Context(), "data.a", "1", []byte("x")); err != nil {
				t.Fatal(err)
			}
			dial(t, c.dial) // another connection takes the stream as it is
			ended := make(chan string, 1)
			go func() {
				_ = controller.Receive(t.Context(), "data.", func(m cluster.Message) error { ended <- string(m.Data); return nil })
			}()
			if got := <-ended; got != "x" {
				t.Error(got)
			}
			if err := Remove(t.Context(), a); err == nil {
				t.Error("an agent removes what was delivered")
			}
			for range 2 {
				if err := Remove(t.Context(), controller); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// TestOffLoopback: a server that other machines can reach, and agents there.
func TestOffLoopback(t *testing.T) {
	if !nettest.Inside(t, "10.9.9.9") {
		return
	}
	a := newAuthority(t)
	for _, listen := range []string{"10.9.9.9:0", "0.0.0.0:0", ":0"} {
		s := start(t, ServerConfig{Listen: listen, Token: "secret", TLS: a.server("10.9.9.9")})
		url := "tls://10.9.9.9" + s.URL()[strings.LastIndexByte(s.URL(), ':'):]
		if !strings.HasPrefix(s.URL(), "tls://") {
			t.Error(s.URL())
		}
		dial(t, DialConfig{Server: s})
		dial(t, DialConfig{URL: url, Token: "secret", ID: "a", Agent: true, TLS: a.client()})
	}
}
