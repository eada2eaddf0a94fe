package http

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarebench/tare/load/kv"
)

// TestCertificates: httptest's certificate is for example.com and 127.0.0.1, signed by itself. The
// server asks the client for one, and the test gives the same.
func TestCertificates(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.TLS.PeerCertificates) == 0 {
			w.WriteHeader(http.StatusForbidden)
		}
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.TLS = &tls.Config{ClientAuth: tls.RequestClientCert}
	server.StartTLS()
	defer server.Close()
	pair := server.TLS.Certificates[0]
	key, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := func(name, kind string, der []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	ca, keyFile := file("ca.pem", "CERTIFICATE", pair.Certificate[0]), file("key.pem", "PRIVATE KEY", key)
	for _, c := range []struct {
		props kv.Properties
		want  string // "" if it works
	}{
		{kv.Properties{"http.ca": ca, "http.cert": ca, "http.key": keyFile}, ""},
		{kv.Properties{"http.ca": ca, "http.cert": ca, "http.key": keyFile, "http.servername": "example.com"}, ""},
		{kv.Properties{"http.insecure": "true", "http.cert": ca, "http.key": keyFile}, ""},
		{kv.Properties{"http.ca": ca}, "status 403"},
		{kv.Properties{"http.ca": ca, "http.servername": "other.test"}, "other.test"},
		{nil, "-p http.insecure=true, or -p http.ca=FILE"},
		{kv.Properties{"http.ca": keyFile}, "property http.ca: " + keyFile + ": no certificate in PEM"},
		{kv.Properties{"http.ca": "nowhere.pem"}, "property http.ca: stat nowhere.pem"},
		{kv.Properties{"http.key": keyFile}, "property http.key needs property http.cert"},
		{kv.Properties{"http.cert": keyFile, "http.key": ca}, "property http.cert: " + keyFile},
	} {
		target, err := Open(t.Context(), kv.Settings{URL: server.URL, Props: c.props})
		if err == nil {
			w, err2 := target.Worker(t.Context(), 0)
			if err2 != nil {
				t.Fatal(err2)
			}
			err = send(w, 0)
			w.Close()
			target.Close()
		}
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, want %q", c.props, err, c.want)
		}
	}
}

// TestMethods sends each with a body.
func TestMethods(t *testing.T) {
	for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PURGE"} {
		var r recorder
		server := httptest.NewServer(&r)
		w := user(t, kv.Settings{URL: server.URL, Props: kv.Properties{"http.method": method, "http.body": "body {k}"}})
		for k := range uint64(2) {
			if err := send(w, k); err != nil {
				t.Errorf("%s: %v", method, err)
			}
		}
		if len(r.seen) != 2 || r.seen[1].method != method || r.seen[1].body != "body 1" || r.seen[0].remote != r.seen[1].remote {
			t.Errorf("%s: the server saw %+v", method, r.seen)
		}
		server.Close()
	}
}
