package nats

import (
	"context"
	"testing"
	"time"

	"github.com/tarebench/tare/full/internal/cluster"
	"github.com/tarebench/tare/full/internal/cluster/conntest"
)

// start starts a server for a test.
func start(t testing.TB, c ServerConfig) *Server {
	t.Helper()
	if c.Dir == "" {
		c.Dir = t.TempDir()
	}
	if c.Group == "" {
		c.Group = "test"
	}
	s, err := StartServer(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// dial connects for a test.
func dial(t testing.TB, c DialConfig) cluster.Conn {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if c.Group == "" {
		c.Group = "test"
	}
	conn, err := Dial(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// agent connects an agent to a server.
func agent(t testing.TB, s *Server, id string) cluster.Conn {
	t.Helper()
	return dial(t, DialConfig{URL: s.URL(), Token: s.Token(), ID: id, Agent: true})
}

// TestContract: a server in this process, which ends and starts at the same address.
func TestContract(t *testing.T) {
	conntest.Run(t, conntest.Suite{Open: func(t *testing.T) conntest.World {
		config := ServerConfig{Dir: t.TempDir(), Token: "secret", Group: "test", controller: "other secret"}
		s, err := StartServer(config)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		config.Listen = s.URL()[len("nats://"):]
		return conntest.World{
			Controller: dial(t, DialConfig{URL: s.URL(), Token: config.controller}),
			Agents:     map[string]cluster.Conn{"a": agent(t, s, "a"), "b": agent(t, s, "b")},
			Restart: func() {
				s.Close()
				if s, err = StartServer(config); err != nil {
					t.Fatal(err)
				}
			},
		}
	}})
}
