package grpc

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/testkit/loadtest/servers"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// TestOpenRubbish has servers that are no gRPC servers: Open must say so.
func TestOpenRubbish(t *testing.T) {
	for _, c := range []struct {
		name  string
		serve func(net.Conn)
		want  string
	}{
		{"rubbish", servers.Rubbish, "does not speak HTTP/2"},
		{"echo", servers.Echo, ""},
		{"closing", servers.Closing, ""},
		{"silent", servers.Silent, "no answer within 1s"},
		{"HTTP/1.1", func(c net.Conn) {
			c.Read(make([]byte, 4096))
			io.WriteString(c, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
		}, "does not speak HTTP/2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			timeout := time.Minute
			if c.name == "silent" {
				timeout = time.Second // is all that ends it
			}
			addr := servers.Fake(t, c.serve)
			_, err := Open(t.Context(), kv.Settings{URL: "grpc://" + addr + "/shop.Orders/Get", OpTimeout: timeout,
				Props: kv.Properties{"grpc.header.authorization": "sentinel"}})
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "sentinel") || len(err.Error()) > 400 {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

// TestTurnsRubbish has a server that is replaced by one that is none.
func TestTurnsRubbish(t *testing.T) {
	s := serve(t, options{})
	w := user(t, kv.Settings{URL: "grpc://" + s.addr + "/shop.Orders/Get", OpTimeout: 2 * time.Second})
	if err := send(w, 0); err != nil {
		t.Fatal(err)
	}
	s.Stop()
	if class := load.Class(send(w, 1)); class != load.ClassRefused && class != load.ClassReset {
		t.Errorf("class %q without a server", class)
	}
	l := listen(t, s.addr)
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go servers.Rubbish(c)
		}
	}()
	deadline := time.Now().Add(time.Minute)
	class := ""
	for time.Now().Before(deadline) {
		if class = load.Class(send(w, 2)); class == load.ClassProtocol {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("class %q for a server that answers rubbish, want protocol", class)
}

func listen(t *testing.T, addr string) net.Listener {
	t.Helper()
	for i := 0; ; i++ {
		l, err := net.Listen("tcp", addr)
		if err == nil {
			return l
		}
		if i == 100 {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// TestGoesAway has a server that is killed and comes back.
func TestGoesAway(t *testing.T) {
	for _, method := range []string{"Get", "Talk"} {
		s := serve(t, options{})
		w := user(t, kv.Settings{URL: "grpc://" + s.addr + "/shop.Orders/" + method, OpTimeout: time.Minute, Props: kv.Properties{"grpc.expect": "OK,Unavailable"}})
		if err := send(w, 0); err != nil {
			t.Fatal(err)
		}
		s.Stop()
		for k := range uint64(5) {
			if err := send(w, k); load.Class(err) != load.ClassRefused && load.Class(err) != load.ClassReset {
				t.Errorf("%s: error %v of class %q without a server", method, err, load.Class(err))
			}
		}
		serve(t, options{addr: s.addr})
		back := false
		for deadline := time.Now().Add(time.Minute); !back && time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
			back = send(w, 4) == nil
		}
		if !back {
			t.Errorf("%s: the server is back: %v", method, send(w, 5))
		}
	}
}

// TestKilledInCall kills the server while it works on a call.
func TestKilledInCall(t *testing.T) {
	s := serve(t, options{})
	w := user(t, kv.Settings{URL: "grpc://" + s.addr + "/shop.Orders/Get", OpTimeout: time.Minute, Props: kv.Properties{"grpc.body": `{"do":"hang"}`}})
	go func() {
		for {
			s.mu.Lock()
			n := len(s.seen)
			s.mu.Unlock()
			if n > 0 {
				s.Stop()
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	if err := send(w, 0); load.Class(err) != load.ClassReset {
		t.Errorf("error %v of class %q, want reset", err, load.Class(err))
	}
}

// TestWebServer has a server that speaks HTTP/2 and not gRPC.
func TestWebServer(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html>") }))
	s.Config.Protocols = new(http.Protocols)
	s.Config.Protocols.SetUnencryptedHTTP2(true)
	s.Start()
	defer s.Close()
	w := user(t, kv.Settings{URL: "grpc://" + s.Listener.Addr().String() + "/shop.Orders/Get", OpTimeout: time.Minute, Props: kv.Properties{"grpc.proto": "testdata/shop.proto"}})
	if err := send(w, 0); load.Class(err) != load.ClassProtocol || !strings.Contains(err.Error(), "text/html") {
		t.Errorf("error %v of class %q, want protocol", err, load.Class(err))
	}
}

func TestAfterClose(t *testing.T) {
	s := serve(t, options{})
	target, err := Open(t.Context(), kv.Settings{URL: "grpc://" + s.addr + "/shop.Orders/Get"})
	if err != nil {
		t.Fatal(err)
	}
	w, err := target.Worker(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := send(w, 0); err != nil {
		t.Fatal(err)
	}
	target.Close()
	if err := send(w, 1); err == nil {
		t.Error("an operation after Close succeeded")
	}
	if _, err := target.Worker(t.Context(), 1); err == nil {
		t.Error("a worker after Close")
	}
	w.Close()
}
