package nats

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"

	"github.com/tarebench/tare/internal/base/exit"
)

// speaker is a server that says one text to everybody, and nothing more.
func speaker(t *testing.T, text string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				_, _ = io.WriteString(c, text)
				_, _ = io.Copy(io.Discard, c)
			}()
		}
	}()
	return l.Addr().String()
}

// closed returns an address without a listener.
func closed(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// TestDialErrors: what is wrong with a server or with what we say to it is one line that says so, with a hint, and without
// secrets.
func TestDialErrors(t *testing.T) {
	ours, others := newAuthority(t), newAuthority(t)
	host := func(s *Server) string { return s.URL()[strings.Index(s.URL(), "//")+2:] }
	plain, secure, mutual := start(t, ServerConfig{}), start(t, ServerConfig{TLS: ours.server()}), start(t, ServerConfig{TLS: ours.mutual()})
	expired := ours.server()
	expired.Certificates[0] = ours.pair(time.Now().Add(-time.Minute), "127.0.0.1")
	wrongName := ours.client()
	wrongName.ServerName = "other.example"
	web := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(web.Close)
	noCreds := filepath.Join(t.TempDir(), "a.creds")
	if err := os.WriteFile(noCreds, []byte("SECRET"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		dial DialConfig
		want string
	}{
		"token":               {DialConfig{URL: "nats://" + host(plain), Token: "SECRET"}, "refuses the token"},
		"no token":            {DialConfig{URL: "nats://" + host(plain)}, "refuses the token"},
		"user":                {DialConfig{URL: "nats://u:SECRET@" + host(plain)}, "refuses the token"},
		"token over TLS":      {DialConfig{URL: secure.URL(), Token: "SECRET", TLS: ours.client()}, "refuses the token"},
		"no server":           {DialConfig{URL: "nats://u:SECRET@" + closed(t)}, "no server listens"},
		"no server with TLS":  {DialConfig{URL: "tls://" + closed(t)}, "no server listens"},
		"authority":           {DialConfig{URL: secure.URL(), Token: secure.Token(), TLS: others.client()}, "authority that is not trusted"},
		"system's authority":  {DialConfig{URL: secure.URL(), Token: secure.Token()}, "authority that is not trusted"},
		"name":                {DialConfig{URL: secure.URL(), Token: secure.Token(), TLS: wrongName}, "for another name"},
		"expired":             {DialConfig{URL: start(t, ServerConfig{TLS: expired}).URL(), TLS: ours.client()}, "not valid"},
		"no client's":         {DialConfig{URL: mutual.URL(), Token: mutual.Token(), TLS: ours.client()}, "refuses our side of TLS"},
		"other client's":      {DialConfig{URL: mutual.URL(), Token: mutual.Token(), TLS: &tls.Config{RootCAs: ours.pool(), Certificates: others.clientPair().Certificates}}, "refuses our side of TLS"},
		"server without TLS":  {DialConfig{URL: "tls://" + host(plain), Token: plain.Token()}, "has no TLS"},
		"we without TLS":      {DialConfig{URL: "nats://" + host(secure), Token: secure.Token()}, "use tls:// if it has TLS"},
		"web":                 {DialConfig{URL: "nats://" + web.Listener.Addr().String(), Token: "SECRET"}, "does not answer as a NATS server"},
		"web with TLS":        {DialConfig{URL: "tls://" + web.Listener.Addr().String(), Token: "SECRET"}, "does not answer as a NATS server"},
		"mail":                {DialConfig{URL: "nats://" + speaker(t, "220 mail ESMTP\r\n")}, "no NATS server"},
		"silent":              {DialConfig{URL: "nats://" + speaker(t, "")}, "does not answer as a NATS server"},
		"silent with TLS":     {DialConfig{URL: "tls://" + speaker(t, "")}, "does not answer as a NATS server"},
		"without JetStream":   {DialConfig{URL: "nats://" + teamServer(t, natsserver.Options{})}, "JetStream is not enabled"},
		"unknown host":        {DialConfig{URL: "tls://nowhere.invalid:1"}, "not known"},
		"credentials":         {DialConfig{URL: "nats://" + host(plain), Creds: noCreds}, "credentials"},
		"missing credentials": {DialConfig{URL: "nats://" + host(plain), Creds: noCreds + "x"}, "no such file"},
		"off loopback":        {DialConfig{URL: "nats://u:SECRET@10.1.2.3:4222"}, "needs TLS"},
		"one off loopback":    {DialConfig{URL: "nats://127.0.0.1,10.1.2.3"}, "needs TLS"},
		"name off loopback":   {DialConfig{URL: "host:4222", Token: "SECRET"}, "needs TLS"},
		"no host":             {DialConfig{URL: "nats://SECRET@"}, "no host"},
		"empty":               {DialConfig{}, "no host"},
		"no URL":              {DialConfig{URL: "nats://SECRET@a b"}, "no host, or is none"},
		"web's URL":           {DialConfig{URL: "https://u:SECRET@127.0.0.1:1"}, "https://"},
		"with a path":         {DialConfig{URL: "nats://u:SECRET@127.0.0.1:1/x?y"}, "more than host and port"},
		"name of an agent":    {DialConfig{URL: "nats://127.0.0.1:1", ID: "a.b"}, `"a.b" is no name`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
			defer cancel()
			c.dial.Group = "test"
			if strings.HasPrefix(name, "silent") || strings.HasPrefix(name, "web") || name == "we without TLS" {
				c.dial.attempt = time.Second
			}
			conn, err := Dial(ctx, c.dial)
			if err == nil {
				conn.Close()
				t.Fatal("it connects")
			}
			t.Logf("%v (%s)", err, hint(err))
			if text := err.Error() + hint(err); !strings.Contains(text, c.want) || strings.Contains(text, "SECRET") || strings.Contains(text, "\n") {
				t.Errorf("%q: want %q, no secret, and one line", text, c.want)
			}
			if hint(err) == "" && name != "name of an agent" {
				t.Errorf("%v has no hint", err)
			}
		})
	}
}

func hint(err error) string {
	if e := exit.As(err); e != nil {
		return e.Hint
	}
	return ""
}

// TestDialContext: a server that says nothing is waited for until the context ends.
func TestDialContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	if _, err := Dial(ctx, DialConfig{URL: "nats://" + speaker(t, ""), Group: "test"}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestServerErrors: what a server cannot do is said before it starts.
func TestServerErrors(t *testing.T) {
	a := newAuthority(t)
	taken := start(t, ServerConfig{}).server.Addr().String()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		config ServerConfig
		want   string
	}{
		"no token":      {ServerConfig{Listen: "10.1.2.3:1", TLS: a.server()}, "needs a token and TLS"},
		"no TLS":        {ServerConfig{Listen: "10.1.2.3:1", Token: "SECRET"}, "needs a token and TLS"},
		"all addresses": {ServerConfig{Listen: ":4222", Token: "SECRET"}, "needs a token and TLS"},
		"all IPv6":      {ServerConfig{Listen: "[::]:4222", Token: "SECRET"}, "needs a token and TLS"},
		"name":          {ServerConfig{Listen: "host:4222", Token: "SECRET"}, "needs a token and TLS"},
		"no port":       {ServerConfig{Listen: "127.0.0.1", Token: "SECRET"}, "no address to listen on"},
		"port":          {ServerConfig{Listen: "127.0.0.1:99999"}, "no number up to 65535"},
		"negative":      {ServerConfig{Listen: "127.0.0.1:-1"}, "no number up to 65535"},
		"taken":         {ServerConfig{Listen: taken, Token: "SECRET"}, "address already in use"},
		"group":         {ServerConfig{Group: "a.b"}, "group"},
		"no directory":  {ServerConfig{Dir: "-"}, "needs a directory"},
		"is a file":     {ServerConfig{Dir: file}, "not a directory"},
		"below a file":  {ServerConfig{Dir: filepath.Join(file, "x")}, "not a directory"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.config.Dir == "" {
				c.config.Dir = t.TempDir()
			} else if c.config.Dir == "-" {
				c.config.Dir = ""
			}
			if c.config.Group == "" {
				c.config.Group = "test"
			}
			s, err := StartServer(c.config)
			if err == nil {
				s.Close()
				t.Fatal("it starts")
			}
			t.Logf("%v (%s)", err, hint(err))
			if text := err.Error() + hint(err); !strings.Contains(text, c.want) || strings.Contains(text, "SECRET") || strings.Contains(text, "\n") {
				t.Errorf("%q: want %q, no secret, and one line", text, c.want)
			}
		})
	}
}
