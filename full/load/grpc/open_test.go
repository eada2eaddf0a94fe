package grpc

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/testkit/loadtest/servers"
	"github.com/tarebench/tare/load/kv"
)

func TestOpenErrors(t *testing.T) {
	s := serve(t, options{})
	mute := serve(t, options{noReflection: true})
	down := servers.FreeAddr(t)
	dir := t.TempDir()
	broken := filepath.Join(dir, "broken.proto")
	os.WriteFile(broken, []byte("syntax = \"proto3\";\nmessage {\n"), 0o600)
	away := filepath.Join(dir, "away.proto")
	os.WriteFile(away, []byte("syntax = \"proto3\";\nimport \"nowhere.proto\";\nservice S {}\n"), 0o600)
	for _, c := range []struct {
		name, url string
		props     kv.Properties
		want      string
	}{
		{"no URL", "", nil, "no URL: set -p grpc.url="},
		{"no port", "grpc://127.0.0.1/shop.Orders/Get", nil, "invalid URL"},
		{"a password", "grpc://me:sentinel@127.0.0.1:1/a/b", nil, "has no user or password"},
		{"down", "grpc://" + down + "/shop.Orders/Get", nil, "cannot reach " + down + ": connection refused (start the server"},
		{"not allowed", "grpc://10.9.9.9:80/shop.Orders/Get", nil, "is not on this machine"},
		{"no service", "grpc://" + s.addr, nil, "the URL names no service; there is shop.Orders"},
		{"no method", "grpc://" + s.addr + "/shop.Orders", nil, "the URL names no method; shop.Orders has Get, Upload, Watch, Talk"},
		{"unknown service", "grpc://" + s.addr + "/shop.Order/Get", nil, `there is no service "shop.Order"; did you mean shop.Orders?`},
		{"unknown method", "grpc://" + s.addr + "/shop.Orders/get", nil, `service shop.Orders has no method "get"; did you mean Get?`},
		{"other method", "grpc://" + s.addr + "/shop.Orders/Remove", nil, `has no method "Remove"; there is Get, Upload, Watch, Talk`},
		{"no reflection", "grpc://" + mute.addr + "/shop.Orders/Get", nil, "-p grpc.proto=FILE.proto or -p grpc.descriptors=FILE"},
		{"two files", "grpc://" + s.addr + "/a/b", kv.Properties{"grpc.proto": "a", "grpc.descriptors": "b"}, "property grpc.descriptors=b: give it or grpc.proto"},
		{"no file", "grpc://" + s.addr + "/a/b", kv.Properties{"grpc.proto": "nothere.proto"}, "property grpc.proto: stat nothere.proto: no such file"},
		{"broken file", "grpc://" + s.addr + "/a/b", kv.Properties{"grpc.proto": broken}, "property grpc.proto: broken.proto:2:9: syntax error"},
		{"import", "grpc://" + s.addr + "/a/b", kv.Properties{"grpc.proto": away}, "-p grpc.import=DIR,DIR"},
		{"no set", "grpc://" + s.addr + "/a/b", kv.Properties{"grpc.descriptors": broken}, "is no FileDescriptorSet"},
		{"unknown property", "grpc://" + s.addr + "/a/b", kv.Properties{"grpc.bodi": "x"}, "unknown property grpc.bodi: did you mean grpc.body?"},
		{"expect", "grpc://" + s.addr + "/a/b", kv.Properties{"grpc.expect": "OK,Found"}, `"Found" is no status code`},
		{"header", "grpc://" + s.addr + "/a/b", kv.Properties{"grpc.header.a b": "x"}, "property grpc.header.a b: want a name"},
		{"reserved header", "grpc://" + s.addr + "/a/b", kv.Properties{"grpc.header.grpc-timeout": "x"}, "gRPC sets it by itself"},
		{"bin header", "grpc://" + s.addr + "/a/b", kv.Properties{"grpc.header.a-bin": "!"}, "want base64"},
		{"line break", "grpc://" + s.addr + "/a/b", kv.Properties{"grpc.header.a": "x\ny"}, "want printable ASCII"},
		{"TLS properties", "grpc://" + s.addr + "/shop.Orders/Get", kv.Properties{"grpc.insecure": "true"}, "are for grpcs:// URLs"},
		{"secure", "grpcs://" + s.addr + "/shop.Orders/Get", nil, "the server does not speak TLS"},
		{"placeholder", "grpc://" + s.addr + "/shop.Orders/Get", kv.Properties{"grpc.body": "{rand:0}"}, "property grpc.body: {rand:0}: want a number"},
		{"field", "grpc://" + s.addr + "/shop.Orders/Get", kv.Properties{"grpc.body": `{"idd":"x"}`},
			`property grpc.body: does not fit shop.Order, the message of Get: (line 1:2): unknown field "idd"; did you mean id?`},
		{"type", "grpc://" + s.addr + "/shop.Orders/Get", kv.Properties{"grpc.body": `{"number":"x"}`}, "(line 1:11): invalid value for int64 field number"},
		{"second line", "grpc://" + s.addr + "/shop.Orders/Upload", kv.Properties{"grpc.body": "{}\n{\"x\":1}"}, `message 2 of 2: (line 2:2): unknown field "x"`},
		{"no JSON", "grpc://" + s.addr + "/shop.Orders/Get", kv.Properties{"grpc.body": "{\n\"id\" 1}"}, "line 2:6"},
		{"two messages", "grpc://" + s.addr + "/shop.Orders/Get", kv.Properties{"grpc.body": "{}{}"}, "2 messages, and Get takes one"},
		{"array", "grpc://" + s.addr + "/shop.Orders/Upload", kv.Properties{"grpc.body": "[{},"}, "line 1:"},
		{"after array", "grpc://" + s.addr + "/shop.Orders/Upload", kv.Properties{"grpc.body": "[{}]{}"}, "text after the array, at line 1:5"},
	} {
		t.Run(c.name, func(t *testing.T) {
			target, err := Open(t.Context(), kv.Settings{URL: c.url, Props: c.props, OpTimeout: time.Minute})
			if err == nil {
				target.Close()
				t.Fatal("no error")
			}
			if !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "sentinel") {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

// TestSchemas finds the service in the three ways.
func TestSchemas(t *testing.T) {
	both, alpha, mute := serve(t, options{}), serve(t, options{alpha: true}), serve(t, options{noReflection: true})
	set := filepath.Join(t.TempDir(), "shop.pb")
	if err := os.WriteFile(set, descriptorSet(t, both.files), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		server *shop
		props  kv.Properties
	}{
		"v1":          {both, nil},
		"v1alpha":     {alpha, nil},
		"proto":       {mute, kv.Properties{"grpc.proto": "testdata/shop.proto"}},
		"import":      {mute, kv.Properties{"grpc.proto": "testdata/shop.proto", "grpc.import": "testdata/parts,testdata"}},
		"descriptors": {mute, kv.Properties{"grpc.descriptors": set}},
	} {
		t.Run(name, func(t *testing.T) {
			props := kv.Properties{"grpc.body": `{"id":"{k}","price":{"cents":1}}`}
			props.Merge(c.props)
			if err := send(user(t, kv.Settings{URL: "grpc://" + c.server.addr + "/shop.Orders/Get", Props: props}), 7); err != nil {
				t.Fatal(err)
			}
			if got := c.server.seen[len(c.server.seen)-1]; got != "7" {
				t.Errorf("the server saw %q", got)
			}
		})
	}
}

// certificate returns one for a name, and writes it to a file.
func certificate(t *testing.T, name string) (tls.Certificate, string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
		NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, file
}

func TestTLS(t *testing.T) {
	pair, ca := certificate(t, "shop.test")
	s := serve(t, options{tls: &tls.Config{Certificates: []tls.Certificate{pair}}})
	plain := "grpc://" + s.addr + "/shop.Orders/Get"
	secure := "grpcs://" + s.addr + "/shop.Orders/Get"
	for _, c := range []struct {
		url   string
		props kv.Properties
		want  string // "" if it works
	}{
		{secure, kv.Properties{"grpc.ca": ca, "grpc.servername": "shop.test"}, ""},
		{secure, kv.Properties{"grpc.insecure": "true"}, ""},
		{secure, kv.Properties{"grpc.ca": ca}, "-p grpc.servername=NAME"},
		{secure, kv.Properties{"grpc.ca": ca, "grpc.servername": "other.test"}, "-p grpc.servername=NAME"},
		{secure, kv.Properties{"grpc.servername": "shop.test"}, "-p grpc.ca=FILE, or -p grpc.insecure=true"},
		{secure, kv.Properties{"grpc.ca": "testdata/shop.proto"}, "property grpc.ca: testdata/shop.proto: no certificate in PEM"},
		{secure, kv.Properties{"grpc.cert": ca}, "property grpc.cert needs property grpc.key"},
		{plain, nil, "the server speaks TLS, and this connection is plain"},
	} {
		target, err := Open(t.Context(), kv.Settings{URL: c.url, Props: c.props, OpTimeout: time.Minute})
		if c.want == "" && err == nil {
			var w interface{ Close() error }
			worker, err2 := target.Worker(t.Context(), 0)
			if err2 != nil {
				t.Fatal(err2)
			}
			w, err = worker, send(worker, 0)
			w.Close()
			target.Close()
		}
		switch {
		case err == nil && c.want != "", err != nil && (c.want == "" || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s %v: error %v, want %q", c.url, c.props, err, c.want)
		}
	}
}
