package http

import (
	"context"
	"io"
	"log"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/loadtest/servers"
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
		{"not loopback", "http://192.0.2.1/", nil, "192.0.2.1:80 is not a loopback address, and tare loads loopback targets only"},
		{"any address", "https://0.0.0.0/", nil, "loopback targets only"},
		{"other scheme", "ftp://127.0.0.1/", nil, "invalid URL"},
		{"no host", "http:///x", nil, "invalid URL"},
		{"bad port", "http://me:sen/tinel@127.0.0.1/", nil, "invalid URL"},
		{"host varies", "http://127.0.0.{k}/", nil, "invalid URL"},
		{"misspelt", plain.URL + "/{rnd:5}", nil, "other than {k}, {k:N} and {rand:N}"},
		{"modulo 0", plain.URL + "/{k:0}", nil, "{k:0}: want a number"},
		{"modulo too large", plain.URL + "/{rand:99999999999999999999}", nil, "want a number"},
		{"no file", plain.URL, kv.Properties{"http.body": "@/no/such/file"}, "property http.body: open /no/such/file"},
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

func TestTemplate(t *testing.T) {
	for text, want := range map[string]string{
		"":                 "",
		"plain":            "plain",
		"{k}":              "41",
		"a{k}b{k:40}c":     "a41b1c",
		"{rand:1}":         "0",
		"{x}{k":            "{x}{k",
		`{"a":{"b":{k}}}`:  `{"a":{"b":41}}`,
		"{k:1}{k:2}{k:50}": "0141",
	} {
		tp, err := parseTemplate(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := string(tp.append(nil, 1, 41)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if tp.varies != (text != want) {
			t.Errorf("%q: varies %v", text, tp.varies)
		}
	}
}

// TestRandom checks that random numbers follow from seed and operation, differ
// within an operation, and are spread evenly.
func TestRandom(t *testing.T) {
	tp, err := parseTemplate("{rand:10}")
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for k := range uint64(10000) {
		text := string(tp.append(nil, 42, k))
		if again := string(tp.append(nil, 42, k)); again != text {
			t.Fatalf("operation %d: %s, then %s", k, text, again)
		}
		counts[text]++
	}
	for digit, n := range counts {
		if n < 850 || n > 1150 { // five standard deviations, with a fixed seed
			t.Errorf("%s came %d times in 10000", digit, n)
		}
	}
	two, _ := parseTemplate("{rand:9223372036854775807} {rand:9223372036854775807}")
	one, other, _ := strings.Cut(string(two.append(nil, 42, 1)), " ")
	if one == other {
		t.Errorf("two random numbers of an operation are the same: %s", one)
	}
	if string(two.append(nil, 42, 1)) == string(two.append(nil, 43, 1)) {
		t.Error("another seed gives the same numbers")
	}
}

func FuzzTemplate(f *testing.F) {
	for _, seed := range []string{"{k}", "{k:3}x{rand:7}", "{{k}}", "{rand:0}", "{k:99999999999999999999}"} {
		f.Add(seed, uint64(1), uint64(2))
	}
	f.Fuzz(func(t *testing.T, text string, seed, k uint64) {
		tp, err := parseTemplate(text)
		if err != nil {
			return
		}
		got := string(tp.append(nil, seed, k))
		if !tp.varies && got != text {
			t.Errorf("%q without placeholders becomes %q", text, got)
		}
		if placeholder.MatchString(text) != tp.varies {
			t.Errorf("%q varies: %v", text, tp.varies)
		}
	})
}

func FuzzStatuses(f *testing.F) {
	for _, seed := range []string{"200-299", "200,301", "100-999", "-", "200-", ","} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := parseStatuses(text)
		if err != nil {
			return
		}
		any := false
		for n := range s {
			any = any || s[n]
			if s[n] && n < 100 {
				t.Errorf("%q allows status %d", text, n)
			}
		}
		if !any {
			t.Errorf("%q allows nothing, without an error", text)
		}
	})
}

// TestPlainToTLS: net/http answers a plain request to a TLS server by status 400, others by an
// alert, or by closing the connection.
func TestPlainToTLS(t *testing.T) {
	secure := httptest.NewUnstartedServer(&recorder{})
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	target, err := Open(t.Context(), kv.Settings{URL: strings.Replace(secure.URL, "https:", "http:", 1)})
	if err != nil {
		t.Fatal(err)
	}
	defer target.Close()
	w, err := target.Worker(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	w.Prepare(0)
	if err := w.Do(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "the server speaks TLS, and this connection is plain (status 400 Bad Request) (-p http.url=https://…)") {
		t.Error(err)
	}
}
