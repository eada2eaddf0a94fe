package server

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/show/live"
)

// TestGuard: names that are not ours, other pages and wrong tokens are refused, by every path.
func TestGuard(t *testing.T) {
	const token = "0123456789abcdef"
	open := start(t, live.Setup{})
	u, _ := url.Parse(open.url)
	for _, c := range []struct {
		headers []string
		want    int
	}{
		{nil, 200},
		{[]string{"Host", "localhost:1"}, 200}, // through a tunnel of another port
		{[]string{"Host", "[::1]"}, 200},
		{[]string{"Host", "evil.example"}, 421},
		{[]string{"Host", "127.0.0.1.evil.example:" + u.Port()}, 421},
		{[]string{"Origin", "http://" + u.Host}, 200},
		{[]string{"Origin", "http://evil.example"}, 403},
		{[]string{"Origin", "null"}, 403},
		{[]string{"Sec-Fetch-Site", "same-origin"}, 200},
		{[]string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors"}, 403},
		{[]string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"}, 200},
	} {
		for _, path := range []string{"/", "/metrics", "/events"} {
			if r := open.request(path, c.headers...); r.StatusCode != c.want {
				t.Errorf("%s %q: %s, want %d", path, c.headers, r.Status, c.want)
			}
		}
	}
	if r, err := http.Post(open.url, "text/plain", strings.NewReader("x")); err != nil || r.StatusCode != 405 {
		t.Errorf("POST: %v, %v", r, err)
	}
	if r := open.request("/other"); r.StatusCode != 404 {
		t.Errorf("another path: %s", r.Status)
	}
	if r := open.request("/save"); r.StatusCode != 503 {
		t.Errorf("nothing to save: %s", r.Status)
	}

	closed := start(t, live.Setup{Token: token})
	basic := func(password string) string {
		return "Basic " + base64.StdEncoding.EncodeToString([]byte("anybody:"+password))
	}
	for auth, want := range map[string]int{
		"": 401, "Bearer " + token: 200, "Bearer " + token + "x": 401, "Bearer ": 401, basic(token): 200, basic("x"): 401, "Token " + token: 401,
	} {
		for _, path := range []string{"/", "/metrics", "/events", "/save"} {
			r := closed.request(path, "Authorization", auth)
			if path == "/save" && want == 200 {
				want = 503
			}
			if r.StatusCode != want {
				t.Errorf("%s %q: %s, want %d", path, auth, r.Status, want)
			}
			if want == 401 && !strings.HasPrefix(r.Header.Get("WWW-Authenticate"), "Basic ") {
				t.Errorf("%s: the browser is not asked", path)
			}
		}
	}
}

// TestHeaders: no answer may be framed, sniffed, kept, or read by others.
func TestHeaders(t *testing.T) {
	g := start(t, live.Setup{})
	g.write(head)
	g.say(live.Message{Record: g.path})
	for _, path := range []string{"/", "/save", "/metrics", "/events", "/other"} {
		h := g.request(path).Header
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
			"Cross-Origin-Resource-Policy": "same-origin",
		} {
			if got := h.Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", path, name, got, want)
			}
		}
		if got := h.Get("Content-Security-Policy"); !strings.Contains(got, "frame-ancestors 'none'") {
			t.Errorf("%s: its policy is %q", path, got)
		}
	}
	if got := g.request("/save").Header.Get("Content-Disposition"); got != `attachment; filename="run.jsonl.html"` {
		t.Errorf("%q", got)
	}
	if got := g.text("/save"); got != "file of run.jsonl" {
		t.Errorf("%q", got)
	}
}
