package redact

import (
	"errors"
	"net"
	"net/url"
	"strings"
	"testing"
)

// TestAddresses: what an error repeats of an address shows the server, and nothing that opens it.
func TestAddresses(t *testing.T) {
	for _, address := range []string{
		"https://user:SECRET@host/x",
		"https:/user:SECRET@host/x", // cleaned as a path
		"https://SECRET@host/x",
		"https://host/x?sig=SECRET",
		"https://host/x?a=1&sig=SECRET",
		"https://host/x?token=SECRET",
		"https://host/x?a=1&access_token=SECRET&b=2",
		"https://host/x?X-Amz-Date=1&X-Amz-Signature=SECRET",
		"https://host/x?X-Amz-Security-Token=SECRET",
		"https://host/x?X-Goog-Signature=SECRET",
		"redis://:SECRET@host:6379/0",
		"redis://host:SECRET",
		`postgres://host:SE"SECRET@host/db`,
		"postgres://host:SE'SECRET@host/db",
		"postgres://host:SE<SECRET@host/db",
		"postgres://host:SE>SECRET@host/db",
		"postgres://host:SE`SECRET@host/db",
		"postgres://host:SE SECRET@host/db",
		`postgres://host:"SECRET@host/db`,
		`postgres://host:SE@"SECRET@host/db`,
		`postgres://host:SE<"SECRET@S ECRET@host/db`,
		`https://host/x?a=1\u0026sig=SECRET`,
		`https://host/x?a=1\u0026sig\u003dSECRET`,
		"https://host/x?a=1%26sig%3DSECRET",
		"https://host/x?a=1&amp;sig=SECRET",
		"/host?sig=SECRET",
		"/host?a=1&X-Amz-Signature=SECRET",
		`/host?a=1\u0026token=SECRET`,
		"/host%3Fsig%3DSECRET",
		"postgres://user:SECRET@host/db?sslmode=disable",
		"http://user:SECRET@host.example.org/x/@v/list",
		"http://user:12/SECRET@host/x",
		"redis://user:12/SECRET@host",
	} {
		for _, err := range []error{
			&url.Error{Op: "Get", URL: address, Err: &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("refused")}},
			errors.New("parse " + address + ": it is malformed"),
			errors.New("(" + address + ")"),
		} {
			shown := addresses(err.Error())
			if strings.Contains(shown, "SECRET") || !strings.Contains(shown, "host") {
				t.Errorf("%s\nis shown as %s", err, shown)
			}
			if again := addresses(shown); again != shown {
				t.Errorf("%s\nis shown again as %s", shown, again)
			}
		}
	}
	for _, text := range []string{"", "no address: x@y", "see https://go.dev/issue/48591: it says why", "http://127.0.0.1:6060/debug/pprof/",
		"http://host:80, me@x", "http://host: refused, says me@x", `Get "http://host:": no port`, "(http://host:80).", "http://host:80: refused",
		"postgres://h1:5432,h2:5433/db", "http://[::1]:80/x: me@x", "want http://host[:port]/path", "http://host:port/path", "https://host/photo@2x",
		"reading http://127.0.0.1:8081/github.com/foo/bar/@v/v1.0.0.info: 404", "http://localhost:8080/users/joe@example.org/cart", "file:///a/b:c@d",
		"https://registry.example.org/@scope/pkg", "which? a=1", "/x?a=1&b=2", "a && key=2", "50%26", "Sort/n=1&key_size=4",
	} {
		if shown := addresses(text); shown != text {
			t.Errorf("%q is shown as %q", text, shown)
		}
	}
}

// TestColonBehindValue: a message goes on behind the colon that follows a secret.
func TestColonBehindValue(t *testing.T) {
	for text, want := range map[string]string{
		"--watch-vars http://u:SECRET@h:1/vars?token=SECRET: dial tcp h:1: refused": "--watch-vars http://u:***@h:1/vars?token=***: dial tcp h:1: refused",
		"/x?a=1&sig=SECRET: not found":                                              "/x?a=1&sig=***: not found",
		"GET /x?sig=SE:CRET::":                                                      "GET /x?sig=***:",
		"password=SECRET: no such user":                                             "password=***: no such user",
		"password=: no":                                                             "password=*** no",
	} {
		shown := Value("", text)
		if shown != want || Value("", shown) != want {
			t.Errorf("%s\nis shown as %s, want %s; then %s", text, shown, want, Value("", shown))
		}
		if strings.Contains(text, "?") && addresses(text) != want {
			t.Errorf("%s\nis shown as %s, want %s", text, addresses(text), want)
		}
	}
}

// TestAddressesLong: a long line takes time by its length and not by the square of it.
func TestAddressesLong(t *testing.T) {
	for text, want := range map[string]string{
		"a://b:c ": "a://b:*** ", "a://b:c@d ": "a://b:***@d ", "?sig=a ": "?sig=*** ", "?sig ": "?sig ", "a://": "", "a=b:": "", `\u0026`: `\u0026`, "password=": "",
	} {
		const n = 1 << 17
		shown := addresses(strings.Repeat(text, n) + "://")
		if want != "" && shown != strings.Repeat(want, n)+"://" {
			t.Errorf("%q is shown as %.99q", text, shown)
		}
	}
}

// FuzzAddresses: a text is the same when it is shown again, whatever is in it, and its other lines stay.
func FuzzAddresses(f *testing.F) {
	for _, s := range []string{
		`redis://u:p"w@h?sig=x y@z`, `a\u0026sig\u003dx`, "x%26key%3Dy&code=", "http://[::1]:80/?token==", `postgres://u:***@h"@`, "://@:", `AA0A0://:0"A@A2A0://:0@A`, "redis://u:pq\xe8\"w@h?si\x97\x97s://u:pq\x97\x97y@z", "a://b://c:d e@f", "password: x",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := addresses(s)
		if twice := addresses(once); twice != once {
			t.Errorf("%q: once %q, twice %q", s, once, twice)
		}
		if after := "\nno address: x@y"; addresses(s+after) != once+after && !strings.ContainsAny(s, "\n\r") {
			t.Errorf("%q: %q changes with a line behind it: %q", s, once, addresses(s+after))
		}
	})
}
