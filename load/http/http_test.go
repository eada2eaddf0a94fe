package http

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// sender is what both workers are: that of net/http and the direct one.
type sender interface {
	load.Worker
	load.TrafficCounter
	load.Describer
}

// user opens the target and returns its first worker.
func user(t testing.TB, s kv.Settings) sender {
	t.Helper()
	target := open(t, s)
	w, err := target.Worker(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w.(sender)
}

// paths are the properties that choose how requests are sent: directly, and by net/http.
var paths = map[string]string{"direct": "0", "net/http": "1"}

func open(t testing.TB, s kv.Settings) load.Target {
	t.Helper()
	target, err := Open(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for range 2 {
			if err := target.Close(); err != nil {
				t.Errorf("close: %v", err)
			}
		}
	})
	return target
}

// send sends operation k as the engine does.
func send(w load.Worker, k uint64) error {
	w.Prepare(k)
	return w.Done(w.Do(context.Background(), nil))
}

// seen is what a server was sent.
type seen struct {
	method, uri, body, host, proto string
	header                         http.Header
	remote                         string
}

// recorder serves requests and remembers them.
type recorder struct {
	mu   sync.Mutex
	seen []seen
}

func (r *recorder) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	body, _ := io.ReadAll(q.Body)
	r.mu.Lock()
	r.seen = append(r.seen, seen{q.Method, q.RequestURI, string(body), q.Host, q.Proto, q.Header, q.RemoteAddr})
	r.mu.Unlock()
	fmt.Fprint(w, "answer")
}

func TestRequests(t *testing.T) {
	file := filepath.Join(t.TempDir(), "body")
	if err := os.WriteFile(file, []byte("from file {k}"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		path  string
		props kv.Properties
		want  seen // of operation 7
	}{
		{"default", "/a?b=c", nil, seen{method: "GET", uri: "/a?b=c"}},
		{"no path", "", nil, seen{method: "GET", uri: "/"}},
		{"number", "/item/{k}?again={k:5}", nil, seen{method: "GET", uri: "/item/7?again=2"}},
		{"random", "/item/{rand:1}", nil, seen{method: "GET", uri: "/item/0"}},
		{"escaped", "/a%2Fb/%7Bk%7D?q=%20", nil, seen{method: "GET", uri: "/a%2Fb/%7Bk%7D?q=%20"}},
		{"method and body", "/", kv.Properties{"http.method": "POST", "http.body": `{"id":{k},"x":{y}}`},
			seen{method: "POST", uri: "/", body: `{"id":7,"x":{y}}`}},
		{"fixed body", "/", kv.Properties{"http.method": "PUT", "http.body": "text"}, seen{method: "PUT", uri: "/", body: "text"}},
		{"body of a file", "/", kv.Properties{"http.method": "PUT", "http.body": "@" + file},
			seen{method: "PUT", uri: "/", body: "from file 7"}},
		{"host", "/", kv.Properties{"http.header.Host": "example.org"}, seen{method: "GET", uri: "/", host: "example.org"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var r recorder
			server := httptest.NewServer(&r)
			defer server.Close()
			w := user(t, kv.Settings{URL: server.URL + c.path, Props: c.props})
			if err := send(w, 7); err != nil {
				t.Fatal(err)
			}
			got := r.seen[0]
			want := c.want
			if want.host == "" {
				want.host = strings.TrimPrefix(server.URL, "http://")
			}
			if got.method != want.method || got.uri != want.uri || got.body != want.body || got.host != want.host {
				t.Errorf("server saw %+v, want %+v", got, want)
			}
		})
	}
}

func TestHeaders(t *testing.T) {
	var r recorder
	server := httptest.NewServer(&r)
	defer server.Close()
	url := strings.Replace(server.URL, "http://", "http://me:secret@", 1)
	w := user(t, kv.Settings{URL: url, Props: kv.Properties{"http.header.X-Test": "yes", "http.header.accept": "text/plain"}})
	if err := send(w, 0); err != nil {
		t.Fatal(err)
	}
	got := r.seen[0].header
	for name, want := range map[string]string{
		"Authorization":   "Basic bWU6c2VjcmV0",
		"X-Test":          "yes",
		"Accept":          "text/plain",
		"User-Agent":      "tare",
		"Accept-Encoding": "",
	} {
		if got.Get(name) != want {
			t.Errorf("header %s: %q, want %q", name, got.Get(name), want)
		}
	}
}

func TestKinds(t *testing.T) {
	server := httptest.NewServer(&recorder{})
	defer server.Close()
	target := open(t, kv.Settings{URL: server.URL, Props: kv.Properties{"http.method": "PATCH"}})
	if got := target.Kinds(); len(got) != 2 || got[0] != "PATCH" || got[1] != "PATCH/first-byte" {
		t.Errorf("kinds %q, want PATCH and PATCH/first-byte", got)
	}
}

func TestStatuses(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		var status int
		fmt.Sscanf(q.URL.Path, "/%d", &status)
		w.Header().Set("Location", "/200")
		w.WriteHeader(status)
	}))
	defer server.Close()
	for _, c := range []struct {
		expect string
		status uint64
		class  string
	}{
		{"", 200, ""},
		{"", 204, ""},
		{"", 299, ""},
		{"", 301, "status"}, // and is not followed
		{"", 404, "client"},
		{"", 500, load.ClassServer},
		{"", 599, load.ClassServer},
		{"301, 400-404", 301, ""},
		{"301,400-404", 404, ""},
		{"301,400-404", 405, "client"},
		{"301,400-404", 200, "status"},
	} {
		props := kv.Properties{}
		if c.expect != "" {
			props["http.expect"] = c.expect
		}
		w := user(t, kv.Settings{URL: server.URL + "/{k}", Props: props})
		err := send(w, c.status)
		if got := load.Class(err); got != c.class {
			t.Errorf("status %d, expecting %q: error %v of class %q, want %q", c.status, c.expect, err, got, c.class)
		}
		if err != nil && !strings.Contains(err.Error(), fmt.Sprint(c.status)) {
			t.Errorf("the error does not name status %d: %v", c.status, err)
		}
	}
}

func TestConnections(t *testing.T) {
	for _, c := range []struct {
		name  string
		start func(*httptest.Server)
		props kv.Properties
		proto string
		conns int // of 2 workers with 3 operations each
	}{
		{"keep-alive", (*httptest.Server).Start, nil, "HTTP/1.1", 2},
		{"no keep-alive", (*httptest.Server).Start, kv.Properties{"http.keepalive": "false"}, "HTTP/1.1", 6},
		{"h2c", h2c, kv.Properties{"http.version": "2"}, "HTTP/2.0", 2},
		{"tls", (*httptest.Server).StartTLS, kv.Properties{"http.insecure": "true"}, "HTTP/1.1", 2},
		{"h2", h2, kv.Properties{"http.insecure": "true", "http.version": "2"}, "HTTP/2.0", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			var r recorder
			server := httptest.NewUnstartedServer(&r)
			server.Config.ErrorLog = log.New(io.Discard, "", 0)
			c.start(server)
			defer server.Close()
			target := open(t, kv.Settings{URL: server.URL + "/{k}", Props: c.props})
			for n := range 2 {
				w, err := target.Worker(context.Background(), n)
				if err != nil {
					t.Fatal(err)
				}
				defer w.Close()
				for k := range uint64(3) {
					if err := send(w, k); err != nil {
						t.Fatal(err)
					}
				}
			}
			remotes := map[string]bool{}
			for _, s := range r.seen {
				remotes[s.remote] = true
				if s.proto != c.proto {
					t.Errorf("%s, want %s", s.proto, c.proto)
				}
			}
			if len(r.seen) != 6 || len(remotes) != c.conns {
				t.Errorf("%d requests on %d connections, want 6 on %d", len(r.seen), len(remotes), c.conns)
			}
		})
	}
}

func h2c(s *httptest.Server) {
	s.Config.Protocols = new(http.Protocols)
	s.Config.Protocols.SetUnencryptedHTTP2(true)
	s.Start()
}

func h2(s *httptest.Server) {
	s.EnableHTTP2 = true
	s.StartTLS()
}

// TestWholeBody has bodies that are sent in pieces: the operation is over with
// the last one, and the connection is used again.
func TestWholeBody(t *testing.T) {
	const size = 1 << 20
	var conns sync.Map
	release := make(chan struct{}, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		conns.Store(q.RemoteAddr, true)
		w.Write(make([]byte, size/2))
		w.(http.Flusher).Flush()
		<-release
		w.Write(make([]byte, size/2))
	}))
	defer server.Close()
	w := user(t, kv.Settings{URL: server.URL})
	for k := range uint64(3) {
		ended := make(chan error, 1)
		go func() { ended <- send(w, k) }()
		select {
		case err := <-ended:
			t.Fatalf("the operation ended before the body did, with error %v", err)
		case <-time.After(20 * time.Millisecond):
		}
		release <- struct{}{}
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	conns.Range(func(any, any) bool { n++; return true })
	if n != 1 {
		t.Errorf("%d connections, want 1", n)
	}
}

func TestLimit(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		w.Write(make([]byte, 1000))
	}))
	defer server.Close()
	if err := send(user(t, kv.Settings{URL: server.URL, Props: kv.Properties{"http.limit": "1000"}}), 0); err != nil {
		t.Errorf("a body as long as the limit: %v", err)
	}
	w := user(t, kv.Settings{URL: server.URL, Props: kv.Properties{"http.limit": "999"}})
	for k := range uint64(2) {
		if err := send(w, k); load.Class(err) != load.ClassProtocol {
			t.Errorf("a body beyond the limit: error %v", err)
		}
	}
}

// TestAppendOperation: the slowest operations are named by path and parameters, without secrets.
func TestAppendOperation(t *testing.T) {
	server := httptest.NewServer(&recorder{})
	defer server.Close()
	for path, want := range map[string]string{"/items/{k}?a=b": "/items/7?a=b", "/fixed": "/fixed", "/u/hunter2?x={k}": "/u/***?x=7"} {
		w := user(t, kv.Settings{URL: strings.Replace(server.URL, "http://", "http://me:hunter2@", 1) + path})
		w.Prepare(7)
		if got := string(w.AppendOperation([]byte("GET "), -1)); got != "GET "+want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
