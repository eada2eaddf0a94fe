package server

import (
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/show/live"
)

// flood opens n connections that send a text and then do nothing.
func (g *rig) flood(n int, text string) {
	g.t.Helper()
	u, err := url.Parse(g.url)
	if err != nil {
		g.t.Fatal(err)
	}
	for range n {
		c, err := net.DialTimeout("tcp", u.Host, patience)
		if err != nil {
			g.t.Fatal(err)
		}
		g.t.Cleanup(func() { c.Close() })
		c.(*net.TCPConn).SetReadBuffer(4 << 10)
		fmt.Fprint(c, text) // the server may have closed it
	}
}

// silences are what connections send before they do nothing, by what they are.
var silences = map[string]string{
	"nothing":              "",
	"half a header":        "GET /events HTTP/1.1\r\nHost: loc",
	"events":               "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n",
	"events, as a browser": "GET /events HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Mode: cors\r\nSec-Fetch-Site: same-origin\r\n\r\n",
	"a wrong secret":       "GET /events?owner=AAAA HTTP/1.1\r\nHost: localhost\r\n\r\n",
	"a wrong token":        "GET /events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer x\r\n\r\n",
	"pages":                strings.Repeat("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", 50),
	"a foreign host":       "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
	"TLS":                  "\x16\x03\x01\x02\x00\x01\x00",
}

// TestSilentConnections: however many connections of others do nothing, the owner gets events, whether connected before them or after.
func TestSilentConnections(t *testing.T) {
	const token = "0123456789abcdef"
	for what, text := range silences {
		for _, setup := range []live.Setup{{Follow: true}, {Follow: true, Token: token}} {
			t.Run(fmt.Sprintf("%s, token %t", what, setup.Token != ""), func(t *testing.T) {
				g := start(t, setup)
				g.write(head)
				g.say(live.Message{Record: g.path})
				headers := []string(nil)
				if setup.Token != "" {
					headers = []string{"Authorization", "Bearer " + token}
				}
				early := g.listenAs(g.owner, headers...)
				g.await(early, "begin")
				g.flood(64, text)
				late := g.listenAs(g.owner, headers...)
				g.await(late, "begin")
				g.flood(2*maxConnections, text)
				later := g.listenAs(g.owner, headers...)
				g.interval()
				for _, events := range []<-chan sentEvent{early, late, later} {
					g.await(events, "lines")
				}
			})
		}
	}
}

// TestSilentTLS: connections that never agree on TLS do not lock the owner out.
func TestSilentTLS(t *testing.T) {
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	pool := writeCertificate(t, cert, key)
	g := start(t, live.Setup{Follow: true, Cert: cert, Key: key})
	g.flood(2*maxConnections, "\x16\x03\x01\x02\x00\x01\x00")
	client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}, Timeout: patience}
	r, err := client.Get(g.url + "metrics")
	if err != nil || r.StatusCode != http.StatusOK {
		t.Fatal(r, err)
	}
	r.Body.Close()
}

// TestSeats: the oldest connection of the lowest rank leaves, and none of a rank above that of who comes.
func TestSeats(t *testing.T) {
	s := seats{most: 3}
	left := ""
	take := func(name string, r rank) *seat { return s.take(r, r, func() { left += name }) }
	a, b, c := take("a", visitor), take("b", owner), take("c", visitor)
	d := take("d", owner)
	if left != "a" || a == nil || d == nil {
		t.Errorf("%q left", left)
	}
	take("e", visitor)
	s.free(c) // has left already
	take("f", owner)
	take("g", owner)
	if left != "aceb" || take("h", visitor) != nil || s.count() != 3 {
		t.Errorf("%q left, %d stay", left, s.count())
	}
	s.free(b)
	s.free(d)
	if s.count() != 2 || take("i", visitor) == nil {
		t.Errorf("%d stay", s.count())
	}
}

// TestManyOwners: who has the token and opens many pages gets the newest ones.
func TestManyOwners(t *testing.T) {
	g := start(t, live.Setup{Follow: true})
	g.write(head)
	g.say(live.Message{Record: g.path})
	first := g.listenAs(g.owner)
	g.await(first, "begin")
	for range maxClients {
		g.await(g.listenAs(g.owner), "begin")
	}
	for end := time.After(patience); ; {
		select {
		case _, ok := <-first:
			if !ok {
				return
			}
		case <-end:
			t.Fatal("the first one stays")
		}
	}
}
