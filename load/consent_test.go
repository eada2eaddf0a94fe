package load

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/testkit/nettest"
)

func consent(t *testing.T, list ...string) *Consent {
	t.Helper()
	c, err := ParseConsent(list)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestParseConsent(t *testing.T) {
	for _, text := range []string{"shop.test", "shop.test:8080", "SHOP.test.", "10.0.0.0/16", "10.1.2.3", "10.1.2.3:80", "2001:db8::1", "[2001:db8::1]:80", "2001:db8::/32", "169.254.0.0/16", "xn--bcher-kva.example"} {
		if c, err := ParseConsent([]string{text}); err != nil || c.String() != text {
			t.Errorf("%q: %v, %v", text, c, err)
		}
	}
	for text, want := range map[string]string{
		"":                    "want a host",
		"http://shop.test":    "no URL",
		"10.0.0.0/33":         "block of addresses",
		"0.0.0.0/0":           "is every address",
		"::/0":                "is every address",
		"shop.test:":          "the port is no number",
		"shop.test:0":         "the port is no number",
		"shop.test:70000":     "the port is no number",
		"169.254.169.254":     "is a link-local address: only a block allows it, as 169.254.169.254/32",
		"0.0.0.0":             "is the unspecified address",
		"fd00:ec2::254":       "is a metadata address",
		"two words":           "want a host",
		"shop.test,10.0.0.0":  "want a host",
		"user:pw@shop.test:1": "want a host",
	} {
		if _, err := ParseConsent([]string{"a.test", text}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q in it", text, err, want)
		}
	}
	if c, err := ParseConsent(nil); c != nil || err != nil {
		t.Errorf("no list: %v, %v", c, err)
	}
}

// TestCheckAddresses has addresses, for which nothing is resolved.
func TestCheckAddresses(t *testing.T) {
	block := consent(t, "10.1.0.0/16", "192.0.2.7:80", "2001:db8::/32")
	special := consent(t, "169.254.0.0/16", "0.0.0.0/8")
	for _, c := range []struct {
		allow   *Consent
		address string
		want    string
	}{
		{nil, "127.0.0.1:80", ""},
		{nil, "127.255.3.9:80", ""},
		{nil, "[::1]:80", ""},
		{nil, "[::ffff:127.0.0.1]:80", ""},
		{nil, "/run/some.sock", ""},
		{nil, "192.0.2.1:80", "192.0.2.1:80 is not on this machine, and was not allowed"},
		{nil, "[2001:db8::1]:80", "is not on this machine"},
		{nil, "[::ffff:192.0.2.1]:80", "is not on this machine"},
		{nil, "0.0.0.0:80", "0.0.0.0:80 is the unspecified address, which only a block of addresses allows"},
		{nil, "[::]:80", "is the unspecified address"},
		{nil, "127.0.0.1", "is not host:port"},
		{nil, "", "is not host:port"},
		{block, "127.0.0.1:80", ""},
		{block, "10.1.255.1:80", ""},
		{block, "[::ffff:10.1.0.1]:80", ""},
		{block, "10.2.0.1:80", "is not on this machine"},
		{block, "192.0.2.7:80", ""},
		{block, "192.0.2.7:81", "is not on this machine"},
		{block, "[2001:db8::9]:80", ""},
		{block, "169.254.169.254:80", "is a link-local address"},
		{special, "169.254.169.254:80", ""},
		{special, "0.0.0.0:80", ""},
		{special, "224.0.0.1:80", "is a link-local address"},
		{special, "239.0.0.1:80", "is a multicast address"},
		{special, "255.255.255.255:80", "is the broadcast address"},
		{special, "[fe80::1%1]:80", "is a link-local address"},
	} {
		err := c.allow.Check(context.Background(), c.address)
		if c.want == "" { // and not dialled: some are no addresses of this machine
			if err != nil {
				t.Errorf("%q, allowed %q: %v", c.address, c.allow, err)
			}
			continue
		}
		d := NewDialer(context.Background(), c.allow, time.Minute) // nothing is waited for
		var refused *RefusedError
		_, dialled := d.DialContext(context.Background(), network(c.address), c.address)
		d.Close()
		switch {
		case err == nil || !strings.Contains(err.Error(), c.want):
			t.Errorf("%q, allowed %q: error %v, want %q in it", c.address, c.allow, err, c.want)
		case errors.As(err, &refused) && (Class(dialled) != ClassNotAllowed || !errors.As(dialled, &refused)):
			t.Errorf("%q, allowed %q: dialled, with error %v of class %s", c.address, c.allow, dialled, Class(dialled))
		}
	}
}

// TestNames: what a name resolves to counts when it is dialled, not only before the run.
func TestNames(t *testing.T) {
	if !nettest.Inside(t, "10.9.9.9", "10.9.9.10", "8.8.9.9", "8.8.9.10", "169.254.169.254") {
		return
	}
	var moved atomic.Bool
	nettest.Names(t, func(name string) string {
		moves := map[string][2]string{
			"shop.test":   {"10.9.9.9", "10.9.9.10"},
			"public.test": {"8.8.9.9", "10.9.9.9"},
			"other.test":  {"8.8.9.9", "8.8.9.10"},
			"home.test":   {"8.8.9.9", "127.0.0.1"},
			"cloud.test":  {"10.9.9.9", "169.254.169.254"},
			"self.test":   {"127.0.0.1", "10.9.9.9"},
		}
		if moved.Load() {
			return moves[name][1]
		}
		return moves[name][0]
	})
	for _, a := range []string{"10.9.9.9", "10.9.9.10", "8.8.9.9", "8.8.9.10", "169.254.169.254", "127.0.0.1"} {
		l, err := net.Listen("tcp", a+":80")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
	}
	for _, c := range []struct {
		name  string
		allow []string
		check string // what Check says; "" if it allows
		dial  string // what a dial says after the name has moved; "" if it is allowed
		moved string // by Moved
	}{
		{"shop.test:80", nil, "shop.test:80 (10.9.9.9) is not on this machine, and was not allowed", "", ""},
		{"shop.test:80", []string{"shop.test"}, "", "", "10.9.9.10"},
		{"SHOP.test.:80", []string{"shop.test:80"}, "", "", "10.9.9.10"},
		{"shop.test:80", []string{"shop.test:81"}, "is not on this machine", "", ""},
		{"shop.test:80", []string{"10.9.9.9"}, "", "10.9.9.10) is not on this machine", ""},
		{"shop.test:80", []string{"10.9.9.0/24"}, "", "", ""},
		{"other.test:80", []string{"other.test"}, "", "", "8.8.9.10"},
		{"public.test:80", []string{"public.test"}, "", "resolved to public addresses first and now to one that is not", ""},
		{"home.test:80", []string{"home.test"}, "", "resolved to public addresses first", ""},
		{"cloud.test:80", []string{"cloud.test"}, "", "is a link-local address, which only a block of addresses allows", ""},
		{"self.test:80", nil, "", "10.9.9.9) is not on this machine", ""},
		{"none.test:80", []string{"none.test"}, `cannot resolve host "none.test": no such host`, "", ""},
	} {
		t.Run(c.name+" "+strings.Join(c.allow, ","), func(t *testing.T) {
			moved.Store(false)
			allow := consent(t, c.allow...)
			err := allow.Check(context.Background(), c.name)
			if !says(err, c.check) {
				t.Fatalf("check: error %v, want %q", err, c.check)
			}
			if err != nil {
				return
			}
			moved.Store(true)
			d := NewDialer(context.Background(), allow, time.Second)
			defer d.Close()
			if _, err := d.DialContext(context.Background(), "tcp", c.name); !says(err, c.dial) {
				t.Errorf("dial: error %v, want %q", err, c.dial)
			}
			var others []string
			for _, ips := range allow.Moved() {
				for _, ip := range ips {
					others = append(others, ip.String())
				}
			}
			if got := strings.Join(others, " "); got != c.moved {
				t.Errorf("moved to %q, want %q", got, c.moved)
			}
		})
	}
}

func says(err error, want string) bool {
	return want == "" && err == nil || want != "" && err != nil && strings.Contains(err.Error(), want)
}

func TestIsPublic(t *testing.T) {
	for text, want := range map[string]bool{"8.8.8.8": true, "10.0.0.1": false, "100.64.0.1": false, "127.0.0.1": false, "fd00::1": false, "2001:4860::1": true, "169.254.1.1": false} {
		if got := isPublic(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}
