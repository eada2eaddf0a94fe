package nats

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/full/internal/cluster"
)

// FuzzGarbage: whatever a stranger sends, the server serves the others.
func FuzzGarbage(f *testing.F) {
	for _, text := range []string{
		"", "\x00", "GET / HTTP/1.1\r\nHost: x\r\n\r\n", "CONNECT {}\r\nPING\r\n", "CONNECT {\"auth_token\":\"x\"}\r\n", "PUB tare.test.control 5\r\nhello\r\n",
		"SUB > 1\r\n", "INFO {}\r\n", "CONNECT " + strings.Repeat("[", 3000) + "\r\n", "HPUB a 999999999 999999999\r\n", "\x16\x03\x01\x02\x00\x01",
		strings.Repeat("A", 5000), "CONNECT {\"lang\":\"go\",\"protocol\":1,\"name\":\"a\",\"tls_required\":true,\"jwt\":\"a.b.c\",\"nkey\":\"U\",\"sig\":\"x\"}\r\n",
	} {
		f.Add([]byte(text))
	}
	s := start(f, ServerConfig{})
	controller := dial(f, DialConfig{Server: s})
	if _, err := controller.Subscribe("hello", func(m cluster.Message) { _ = m.Answer(m.Data) }); err != nil {
		f.Fatal(err)
	}
	a := agent(f, s, "a")
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := net.Dial("tcp", strings.TrimPrefix(s.URL(), "nats://"))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		_ = c.SetDeadline(time.Now().Add(time.Second))
		_, _ = c.Write(data) // the server may have ended the connection
		_ = c.(*net.TCPConn).CloseWrite()
		_, _ = io.Copy(io.Discard, c)
		if got, err := a.Request(t.Context(), "hello", []byte("x")); err != nil || string(got) != "x" {
			t.Fatalf("%q, %v", got, err)
		}
	})
}
