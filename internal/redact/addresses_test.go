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
		"https://SECRET@host/x",
		"https://host/x?sig=SECRET",
		"https://host/x?a=1&sig=SECRET",
		"https://host/x?token=SECRET",
		"https://host/x?a=1&access_token=SECRET&b=2",
		"https://host/x?X-Amz-Date=1&X-Amz-Signature=SECRET",
		"https://host/x?X-Amz-Security-Token=SECRET",
		"https://host/x?X-Goog-Signature=SECRET",
		"redis://:SECRET@host:6379/0",
		"postgres://user:SECRET@host/db?sslmode=disable",
	} {
		for _, err := range []error{
			&url.Error{Op: "Get", URL: address, Err: &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("refused")}},
			errors.New("parse " + address + ": it is malformed"),
			errors.New("(" + address + ")"),
		} {
			shown := Addresses(err.Error())
			if strings.Contains(shown, "SECRET") || !strings.Contains(shown, "host") {
				t.Errorf("%s\nis shown as %s", err, shown)
			}
			if again := Addresses(shown); again != shown {
				t.Errorf("%s\nis shown again as %s", shown, again)
			}
		}
	}
	for _, text := range []string{"", "no address: x@y", "see https://go.dev/issue/48591: it says why", "http://127.0.0.1:6060/debug/pprof/"} {
		if shown := Addresses(text); shown != text {
			t.Errorf("%q is shown as %q", text, shown)
		}
	}
}
