package scenario

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/testkit/nettest"
	"github.com/tarebench/tare/load"
)

// TestRedirects: they are followed up to a number, with the method and the body that the status asks for.
func TestRedirects(t *testing.T) {
	var got []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body [10]byte
		n, _ := r.Body.Read(body[:])
		got = append(got, r.Method+r.URL.Path+string(body[:n])+r.Header.Get("Authorization")+r.Header.Get("Content-Type"))
		var status int
		if _, err := fmt.Sscanf(r.URL.Path, "/to/%d", &status); err == nil {
			w.Header().Set("Location", "../end")
			w.WriteHeader(status)
		}
		if r.URL.Path == "/round" {
			http.Redirect(w, r, "/round", http.StatusTemporaryRedirect)
		}
		if r.URL.Path == "/ftp" {
			http.Redirect(w, r, "ftp://x/", http.StatusFound)
		}
	}))
	defer server.Close()
	const headers = "headers: {Authorization: '${env.API_TOKEN}'}"
	for _, c := range []struct {
		step, want, err string
	}{
		{"post: /to/302, json: 1, follow: 1", "POST/to/3021s3cr3t-t0kenapplication/json GET/ends3cr3t-t0ken", ""},
		{"post: /to/303, json: 1, follow: 1", "POST/to/3031s3cr3t-t0kenapplication/json GET/ends3cr3t-t0ken", ""},
		{"post: /to/307, body: x, follow: 1", "POST/to/307xs3cr3t-t0ken POST/endxs3cr3t-t0ken", ""},
		{"put: /to/308, body: x, follow: 1", "PUT/to/308xs3cr3t-t0ken PUT/endxs3cr3t-t0ken", ""},
		{"head: /to/301, follow: 1", "HEAD/to/301s3cr3t-t0ken HEAD/ends3cr3t-t0ken", ""},
		{"get: /to/302", "GET/to/302s3cr3t-t0ken", "status 302"},
		{"get: /to/302, check: {status: 302}", "GET/to/302s3cr3t-t0ken", ""},
		{"get: /round, follow: 2", "GET/rounds3cr3t-t0ken GET/rounds3cr3t-t0ken GET/rounds3cr3t-t0ken", "status 307"},
		{"get: /ftp, follow: 2", "GET/ftps3cr3t-t0ken", "the Location is no URL of http or https"},
		{"get: /to/304, follow: 2, check: {status: 304}", "GET/to/304s3cr3t-t0ken", ""},
	} {
		got = nil
		w := user(t, open(t, "", "target: $URL\nenv: [API_TOKEN]\ntransactions: {a: {steps: [{name: x, "+headers+", "+c.step+"}]}}", server, Settings{}))
		err := send(w, 0)
		if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) || strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, %v", c.step, got, err)
		}
	}
}

// TestRedirectToOtherHost: another host gets no secrets, and nothing at all unless it may be loaded.
func TestRedirectToOtherHost(t *testing.T) {
	if !nettest.Inside(t, "10.9.9.9") {
		return
	}
	var got []http.Header
	serve := func(address string, to string) {
		l, err := net.Listen("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		go http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if to != "" {
				http.Redirect(w, r, to, http.StatusTemporaryRedirect)
				return
			}
			got = append(got, r.Header)
		}))
	}
	serve("10.9.9.9:80", "")
	serve("127.0.0.1:8081", "http://10.9.9.9/x")
	s, err := Parse([]byte(`target: http://127.0.0.1:8081
env: [API_TOKEN]
transactions: {a: {steps: [{name: x, get: /, follow: 3, headers: {Authorization: "${env.API_TOKEN}", Cookie: "a=${env.API_TOKEN}", X-Mine: "v${env.API_TOKEN}", X-Open: "1"}}]}}`), filepath.Join("", "s.yaml"), testEnv)
	if err != nil {
		t.Fatal(err)
	}
	run := func(allow ...string) error {
		consent, err := load.ParseConsent(allow)
		if err != nil {
			t.Fatal(err)
		}
		target, err := Open(context.Background(), s, Settings{Allow: consent})
		if err != nil {
			t.Fatal(err)
		}
		defer target.Close()
		w, err := target.Worker(context.Background(), 0)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		return send(w.(*worker), 0)
	}
	if err := run(); load.Class(err) != load.ClassNotAllowed || len(got) != 0 || !strings.Contains(err.Error(), "10.9.9.9:80 is not on this machine") {
		t.Errorf("%s: %v, %d requests", load.Class(err), err, len(got))
	}
	if err := run("10.9.9.9"); err != nil || len(got) != 1 {
		t.Fatalf("%v, %d requests", err, len(got))
	}
	for _, name := range []string{"Authorization", "Cookie", "X-Mine"} {
		if v := got[0].Get(name); v != "" {
			t.Errorf("the other host got %s: %s", name, v)
		}
	}
	if got[0].Get("X-Open") != "1" {
		t.Errorf("%v", got[0])
	}
}
