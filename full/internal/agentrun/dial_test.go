package agentrun

import (
	"context"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/full/internal/cluster"
	"github.com/tarebench/tare/full/internal/cluster/nats"
)

// freeAddress returns an address without a listener.
func freeAddress(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// TestDialWaits: an agent that is there before its controller joins it once that is there.
func TestDialWaits(t *testing.T) {
	address := freeAddress(t)
	told, done := make(chan string, 10), make(chan error, 1)
	go func() {
		conn, err := dial(t.Context(), nats.DialConfig{URL: "nats://" + address, Token: "t", ID: "a", Agent: true, Group: "test"}, func(text string) { told <- text })
		if err == nil {
			conn.Close()
		}
		done <- err
	}()
	if text := <-told; !strings.Contains(text, "no server listens there") || !strings.Contains(text, address) {
		t.Errorf("told %q", text)
	}
	s, err := nats.StartServer(nats.ServerConfig{Listen: address, Token: "t", Dir: t.TempDir(), Group: "test"})
	if err != nil {
		t.Skipf("somebody else took %s: %v", address, err)
	}
	t.Cleanup(s.Close)
	if err := <-done; err != nil {
		t.Error(err)
	}
	if len(told) > 0 {
		t.Errorf("told again: %q", <-told)
	}
}

// TestDialEnds: dial does not wait for what will not change by itself, nor when the agent is to end.
func TestDialEnds(t *testing.T) {
	s, err := nats.StartServer(nats.ServerConfig{Token: "right", Dir: t.TempDir(), Group: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	wrong := nats.DialConfig{URL: s.URL(), Token: "wrong", ID: "a", Agent: true, Group: "test"}
	if _, err := dial(t.Context(), wrong, func(text string) { t.Errorf("told %q", text) }); err == nil || !strings.Contains(err.Error(), "refuses the token") {
		t.Errorf("a wrong token: %v", err)
	}
	end := fmt.Errorf("it is to end")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(10*time.Millisecond, func() { cancel(end) })
	var conn cluster.Conn
	if conn, err = dial(ctx, nats.DialConfig{URL: "nats://" + freeAddress(t), ID: "a", Agent: true, Group: "test"}, func(string) {}); err == nil || conn != nil {
		t.Errorf("it did not end: %v", err)
	}
}
