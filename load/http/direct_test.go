package http

import (
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/testkit/loadtest/servers"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// TestSameRequests: what is sent directly is what net/http would send, but for the order of fields.
func TestSameRequests(t *testing.T) {
	got := make(chan string, 1)
	addr := servers.Fake(t, func(c net.Conn) {
		b := make([]byte, 64<<10)
		for {
			n, err := c.Read(b)
			if err != nil {
				return
			}
			got <- string(b[:n])
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
		}
	})
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	pick := func(of ...string) string { return of[random.IntN(len(of))] }
	for range 300 {
		url := "http://" + pick("", "", "me:pass@") + addr + pick("", "/", "/a b", "/a%2Fb", "/items/{k}", "/%41{k}?q={rand:9}", "?x={k}", "/ü/{k}?y=%zz", "/a?b=c d{k}", "/a{k}#b", "//x/{k}")
		props := kv.Properties{"http.method": pick("GET", "POST", "PUT", "HEAD", "DELETE", "PURGE", "get"), "http.body": pick("", "text", "{k}-{k:3}", "{rand:1000}"),
			"http.keepalive": pick("true", "false")}
		for _, name := range []string{"Host", "User-Agent", "Content-Length", "Connection", "Content-Type", "X-A", "Transfer-Encoding"} {
			if random.IntN(3) == 0 {
				props["http.header."+name] = pick("", " a ", "close", "keep-alive", "x.test:1")
			}
		}
		var sent []string
		k := random.Uint64N(1000)
		for _, follow := range []string{"0", "1"} {
			props["http.follow"] = follow
			target, err := Open(t.Context(), kv.Settings{URL: url, Props: props})
			if err != nil {
				sent = append(sent, err.Error())
				continue
			}
			w, err := target.Worker(t.Context(), 0)
			if err != nil {
				t.Fatal(err)
			}
			if _, isDirect := w.(*direct); isDirect != (follow == "0") {
				t.Fatalf("http.follow=%s: %T", follow, w)
			}
			if err := send(w, k); err != nil {
				sent = append(sent, err.Error())
			} else {
				sent = append(sent, <-got)
			}
			sent = append(sent[:len(sent)-1], sent[len(sent)-1]+string(w.(sender).AppendOperation(nil, 0)))
			target.Close()
			w.Close()
		}
		if sorted(sent[0]) != sorted(sent[1]) {
			t.Fatalf("%s %v, operation %d:\n%q\nby net/http:\n%q", url, props, k, sent[0], sent[1])
		}
	}
}

// sorted returns a request with its fields in order.
func sorted(request string) string {
	head, body, _ := strings.Cut(request, "\r\n\r\n")
	lines := strings.Split(head, "\r\n")
	slices.Sort(lines[1:])
	return strings.Join(lines, "\n") + "\n\n" + body
}

// TestResponsesInTurn has a server that answers on one connection in all the ways that keep it open.
func TestResponsesInTurn(t *testing.T) {
	texts := []string{
		"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
		"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nA: b\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nA: b\r\n\r\n",
		"HTTP/1.1 204 No Content\r\n\r\n",
		"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\nx",
		"HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n" + strings.Repeat("x", 200_000),
	}
	var conns atomic.Int64
	addr := servers.Fake(t, func(c net.Conn) {
		for k := 0; ; k++ {
			if _, err := c.Read(make([]byte, 4096)); err != nil {
				return
			}
			if k == 0 {
				conns.Add(1)
			}
			io.WriteString(c, texts[k%len(texts)])
		}
	})
	w := user(t, kv.Settings{URL: "http://" + addr})
	for k := range uint64(30) {
		if err := send(w, k); err != nil {
			t.Fatalf("operation %d: %v", k, err)
		}
	}
	var traffic load.Traffic
	w.AddTraffic(&traffic)
	if text := fmt.Sprint(traffic.Statuses); text != "map[200:20 201:5 204:5]" || conns.Load() != 1 {
		t.Errorf("%s on %d connections", text, conns.Load())
	}
}

// TestConnectionsThatEnd has servers that end a connection after each response, or make it unusable: the next request
// has another.
func TestConnectionsThatEnd(t *testing.T) {
	for name, text := range map[string]string{
		"said":           "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx",
		"old":            "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx",
		"until the end":  "HTTP/1.1 200 OK\r\n\r\nx",
		"more":           "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nxyz",
		"switched":       "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n",
		"without a word": "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx",
	} {
		for _, scheme := range []string{"http", "https"} {
			t.Run(name+"/"+scheme, func(t *testing.T) {
				closed := make(chan bool, 10) // requests that a connection got, each on its own
				serve := func(c net.Conn) {
					if n, _ := c.Read(make([]byte, 4096)); n == 0 {
						return // that of Open
					}
					io.WriteString(c, text)
					c.Close()
					closed <- true
				}
				if scheme == "https" {
					serve = overTLS(serve)
				}
				w := user(t, kv.Settings{URL: scheme + "://" + servers.Fake(t, serve), Props: kv.Properties{"http.expect": "101,200", "http.insecure": "true"}})
				for k := range uint64(3) {
					if err := send(w, k); err != nil {
						t.Fatal(err)
					}
					<-closed
					time.Sleep(120 * time.Millisecond) // until the client can know it
				}
			})
		}
	}
}

// overTLS returns a server that serves over TLS, with the certificate of httptest.
func overTLS(serve func(net.Conn)) func(net.Conn) {
	s := httptest.NewUnstartedServer(nil)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	certificates := s.TLS.Certificates
	s.Close()
	return func(c net.Conn) {
		secure := tls.Server(c, &tls.Config{Certificates: certificates})
		if secure.Handshake() == nil {
			serve(secure)
		}
	}
}
