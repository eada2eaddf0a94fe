package http

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/testkit/nettest"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// redirector answers /STATUS/N with that status and a Location of N-1, and /end with 200. It
// redirects /away to another server.
func redirector(t *testing.T, away string) (*httptest.Server, *recorder) {
	r := &recorder{}
	mux := http.NewServeMux()
	mux.HandleFunc("/{status}/{n}", func(w http.ResponseWriter, q *http.Request) {
		var status, n int
		fmt.Sscan(q.PathValue("status"), &status)
		fmt.Sscan(q.PathValue("n"), &n)
		to := "/end"
		if n > 1 {
			to = fmt.Sprintf("/%d/%d", status, n-1)
		}
		w.Header().Set("Location", to)
		w.WriteHeader(status)
	})
	mux.HandleFunc("/away", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", away)
		w.WriteHeader(http.StatusTemporaryRedirect)
	})
	mux.Handle("/end", r)
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s, r
}

func TestFollow(t *testing.T) {
	s, r := redirector(t, "")
	for _, c := range []struct {
		method, path, follow string
		class                string
		want                 string // method and body that the end was sent; "" if it was not
		statuses             string
	}{
		{"GET", "/302/1", "0", load.ClassStatus, "", "map[302:1]"},
		{"GET", "/302/1", "1", "", "GET body 7", "map[200:1 302:1]"},
		{"GET", "/302/3", "3", "", "GET body 7", "map[200:1 302:3]"},
		{"GET", "/302/3", "2", load.ClassStatus, "", "map[302:3]"},
		{"HEAD", "/303/1", "1", "", "HEAD ", "map[200:1 303:1]"},
		{"POST", "/301/1", "1", "", "GET ", "map[200:1 301:1]"},
		{"POST", "/302/1", "1", "", "GET ", "map[200:1 302:1]"},
		{"PUT", "/302/1", "1", "", "PUT body 7", "map[200:1 302:1]"},
		{"PUT", "/303/1", "1", "", "GET ", "map[200:1 303:1]"},
		{"POST", "/307/2", "2", "", "POST body 7", "map[200:1 307:2]"},
		{"DELETE", "/308/1", "1", "", "DELETE body 7", "map[200:1 308:1]"},
	} {
		r.seen = nil
		w := user(t, kv.Settings{URL: s.URL + c.path, Props: kv.Properties{
			"http.method": c.method, "http.follow": c.follow, "http.body": "body {k}", "http.header.Authorization": "Basic x", "http.header.Content-Type": "text/plain"}})
		err := send(w, 7)
		if load.Class(err) != c.class {
			t.Errorf("%+v: error %v of class %q", c, err, load.Class(err))
		}
		got := ""
		for _, q := range r.seen {
			got = q.method + " " + q.body
			if q.header.Get("Authorization") != "Basic x" {
				t.Errorf("%+v: the same host got no Authorization", c)
			}
			if sent := q.header.Get("Content-Type") != ""; sent != (q.method == c.method) {
				t.Errorf("%+v: Content-Type sent: %v", c, sent)
			}
		}
		if c.method == "HEAD" {
			got = strings.TrimSuffix(got, "body 7")
		}
		if got != c.want {
			t.Errorf("%+v: the end was sent %q", c, got)
		}
		var traffic load.Traffic
		w.AddTraffic(&traffic)
		if text := fmt.Sprint(traffic.Statuses); text != c.statuses || traffic.Sent == 0 || traffic.Received == 0 {
			t.Errorf("%+v: traffic %+v", c, traffic)
		}
	}
}

// TestFollowAway: secrets stay with the first host.
func TestFollowAway(t *testing.T) {
	other := &recorder{}
	away := httptest.NewServer(other)
	defer away.Close()
	s, _ := redirector(t, away.URL+"/x?y=z")
	w := user(t, kv.Settings{URL: s.URL + "/away", Props: kv.Properties{
		"http.method": "POST", "http.body": "text", "http.follow": "1", "http.header.Authorization": "Basic x", "http.header.Cookie": "a=b", "http.header.X-Auth-Token": "t",
		"http.header.X-Plain": "p", "http.header.Host": "first.test"}})
	if err := send(w, 0); err != nil {
		t.Fatal(err)
	}
	got := other.seen[0]
	if got.method != "POST" || got.uri != "/x?y=z" || got.body != "text" || got.host != strings.TrimPrefix(away.URL, "http://") || got.header.Get("X-Plain") != "p" {
		t.Errorf("the other host was sent %+v", got)
	}
	for _, name := range []string{"Authorization", "Cookie", "X-Auth-Token"} {
		if got.header.Get(name) != "" {
			t.Errorf("the other host was sent %s", name)
		}
	}
}

func TestFollowNowhere(t *testing.T) {
	for _, to := range []string{"ftp://127.0.0.1/", "http://", "%zz", "mailto:me"} {
		s, _ := redirector(t, to)
		w := user(t, kv.Settings{URL: s.URL + "/away", Props: kv.Properties{"http.follow": "3"}})
		if err := send(w, 0); load.Class(err) != load.ClassProtocol {
			t.Errorf("%s: error %v of class %q, want protocol", to, err, load.Class(err))
		}
	}
}

// TestFollowNotAllowed: another host gets nothing unless it may be loaded.
func TestFollowNotAllowed(t *testing.T) {
	if !nettest.Inside(t, "10.9.9.9", "10.9.9.10") {
		return
	}
	var got [2]atomic.Int64
	for i, address := range []string{"10.9.9.9:80", "10.9.9.10:80"} {
		l, err := net.Listen("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		go http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			got[i].Add(1)
			if i == 0 {
				http.Redirect(w, r, "http://10.9.9.10/", http.StatusFound)
			}
		}))
	}
	for _, c := range []struct {
		allow []string
		class string
		sent  int64 // to the other host
	}{
		{[]string{"10.9.9.9"}, load.ClassNotAllowed, 0},
		{[]string{"10.9.9.9", "10.9.9.10:80"}, "", 3},
	} {
		got[1].Store(0)
		allow, err := load.ParseConsent(c.allow)
		if err != nil {
			t.Fatal(err)
		}
		w := user(t, kv.Settings{URL: "http://10.9.9.9/", Allow: allow, Props: kv.Properties{"http.follow": "1"}})
		for k := range uint64(3) {
			if err := send(w, k); load.Class(err) != c.class {
				t.Errorf("%v: error %v of class %q, want %q", c.allow, err, load.Class(err), c.class)
			}
		}
		if n := got[1].Load(); n != c.sent {
			t.Errorf("%v: the other host got %d requests, want %d", c.allow, n, c.sent)
		}
	}
}

// TestFirstByte has a server that sends the first byte long before the last.
func TestFirstByte(t *testing.T) {
	const pause = 200 * time.Millisecond
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "a")
		w.(http.Flusher).Flush()
		time.Sleep(pause)
		io.WriteString(w, "b")
	}))
	defer server.Close()
	for _, on := range []string{"true", "false"} {
		target := open(t, kv.Settings{URL: server.URL, Props: kv.Properties{"http.ttfb": on}})
		total, err := load.Run(t.Context(), target, load.Config{Workers: 2, Operations: 4}, nil)
		if err != nil || total.Completed != 4 {
			t.Fatalf("%v, %+v", err, total)
		}
		service := map[string]time.Duration{}
		for _, l := range total.Latencies {
			service[l.Kind] = time.Duration(l.Hist.Max())
			if l.Hist.Count() != 4 {
				t.Errorf("%s: %d values", l.Kind, l.Hist.Count())
			}
		}
		first, ok := service["GET/first-byte"]
		if ok != (on == "true") {
			t.Errorf("http.ttfb=%s: kinds %v", on, service)
		}
		if service["GET"] < pause || ok && service["GET"]-first < pause/2 {
			t.Errorf("http.ttfb=%s: %v", on, service)
		}
	}
}
