package http

import (
	"context"
	"io"
	"log"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/testkit/loadtest/servers"
	"github.com/tarebench/tare/load/kv"
)

func TestOpenErrors(t *testing.T) {
	plain := httptest.NewServer(&recorder{})
	defer plain.Close()
	secure := httptest.NewUnstartedServer(&recorder{})
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	down := servers.FreeAddr(t)
	for _, c := range []struct {
		name  string
		url   string
		props kv.Properties
		want  string
	}{
		{"no URL", "", nil, "no URL"},
		{"down", "http://" + down, nil, "http: cannot reach " + down + ": connection refused (start the server"},
		{"not loopback", "http://192.0.2.1/", nil, "192.0.2.1:80 is not on this machine, and was not allowed"},
		{"any address", "https://0.0.0.0/", nil, "0.0.0.0:443 is the unspecified address, which only a block of addresses allows"},
		{"other scheme", "ftp://127.0.0.1/", nil, "invalid URL"},
		{"no host", "http:///x", nil, "invalid URL"},
		{"bad port", "http://me:sen/tinel@127.0.0.1/", nil, "invalid URL"},
		{"host varies", "http://127.0.0.{k}/", nil, "invalid URL"},
		{"misspelt", plain.URL + "/{rnd:5}", nil, "other than {k}, {k:N} and {rand:N}"},
		{"modulo 0", plain.URL + "/{k:0}", nil, "{k:0}: want a number"},
		{"modulo too large", plain.URL + "/{rand:99999999999999999999}", nil, "want a number"},
		{"no file", plain.URL, kv.Properties{"http.body": "@/no/such/file"}, "property http.body: stat /no/such/file: no such file"},
		{"bad body", plain.URL, kv.Properties{"http.body": "{rand:0}"}, "property http.body: {rand:0}"},
		{"bad method", plain.URL, kv.Properties{"http.method": "GET /x"}, "http.method"},
		{"bad version", plain.URL, kv.Properties{"http.version": "3"}, "property http.version=3: want 1.1, 2"},
		{"bad expect", plain.URL, kv.Properties{"http.expect": "2xx"}, "property http.expect=2xx"},
		{"range backwards", plain.URL, kv.Properties{"http.expect": "299-200"}, "http.expect"},
		{"bad limit", plain.URL, kv.Properties{"http.limit": "-1"}, "http.limit"},
		{"bad header", plain.URL, kv.Properties{"http.header.A B": "x"}, "property http.header.A B"},
		{"bad value", plain.URL, kv.Properties{"http.header.A": "sentinel\r\nB: c"}, "property http.header.A: want a header"},
		{"unknown", plain.URL, kv.Properties{"http.metod": "GET"}, "unknown property http.metod: did you mean http.method?"},
		{"certificate", secure.URL, nil, "-p http.insecure=true"},
		{"plain server", strings.Replace(plain.URL, "http:", "https:", 1), nil, "the server does not speak TLS (tls: first record does not look like a TLS handshake) (-p http.url=http://…)"},
		{"no HTTP/2", secure.URL, kv.Properties{"http.version": "2", "http.insecure": "true"}, "secure connection to " + secure.URL},
	} {
		t.Run(c.name, func(t *testing.T) {
			target, err := Open(context.Background(), kv.Settings{URL: c.url, Props: c.props})
			if err == nil {
				target.Close()
				t.Fatal("no error")
			}
			if !strings.HasPrefix(err.Error(), "http: ") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %q, want %q in it", err, c.want)
			}
			for _, secret := range []string{"sentinel", "tinel"} {
				if strings.Contains(err.Error(), secret) {
					t.Errorf("the error holds a secret: %v", err)
				}
			}
		})
	}
}

// TestPropertiesAreKnown has the binding list what it reads.
func TestPropertiesAreKnown(t *testing.T) {
	server := httptest.NewServer(&recorder{})
	defer server.Close()
	props := kv.Properties{}
	for _, p := range Binding().Properties {
		if p.Default != "" {
			props[p.Name] = p.Default
		}
	}
	props["http.url"] = server.URL
	target, err := Binding().OpenTarget(context.Background(), kv.Settings{Props: props})
	if err != nil {
		t.Fatal(err)
	}
	target.Close()
}
