package live

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
)

// Options say where the live page is served and who may open it. The zero value serves no page.
type Options struct {
	Address string // HOST:PORT; port 0 for a free one
	Token   string // as it was typed: the token, or @ and the name of a file with it
	Cert    string // file of the certificate; "" for plain HTTP
	Key     string // file of its key
	Linger  time.Duration
}

// minToken is how long a token must be at least, in bytes.
const minToken = 16

// maxToken is how much of a token's file is read, in bytes.
const maxToken = 4 << 10

// Check finds mistakes, and reads the token if a file holds it. Errors never contain the token.
func (o *Options) Check() error {
	if o.Address == "" {
		for _, f := range []struct {
			name  string
			given bool
		}{{"token", o.Token != ""}, {"cert", o.Cert != ""}, {"key", o.Key != ""}, {"linger", o.Linger != 0}} {
			if f.given {
				return exit.Usage(fmt.Errorf("--live-%s without --live: no page is served", f.name), "--live 127.0.0.1:0")
			}
		}
		return nil
	}
	host, port, err := net.SplitHostPort(o.Address)
	if err != nil || port == "" {
		return exit.Usage(fmt.Errorf("--live %q is no HOST:PORT", o.Address), "--live 127.0.0.1:0 takes a free port")
	}
	if err := o.readToken(); err != nil {
		return err
	}
	switch {
	case (o.Cert == "") != (o.Key == ""):
		return exit.Usage(errors.New("--live-cert and --live-key belong together: a certificate and its key"), "")
	case o.Linger < 0:
		return exit.Usage(fmt.Errorf("--live-linger %s is below 0", o.Linger), "")
	case IsLoopback(host):
		return nil
	case o.Token == "" || o.Cert == "":
		return exit.Usage(fmt.Errorf("--live %s: others can reach this address", o.Address), "use 127.0.0.1, or give --live-token, --live-cert and --live-key")
	}
	return nil
}

// readToken replaces @FILE by what the file holds.
func (o *Options) readToken() error {
	const hint = "head -c 24 /dev/urandom | base64 >FILE makes one: --live-token @FILE"
	what := "--live-token"
	if name, ok := strings.CutPrefix(o.Token, "@"); ok {
		what = "--live-token @" + name
		f, err := os.Open(name)
		if err != nil {
			return exit.Usage(fmt.Errorf("--live-token: %w", err), hint)
		}
		defer f.Close()
		text := make([]byte, maxToken)
		n, _ := f.Read(text)
		if o.Token = strings.TrimSpace(string(text[:n])); o.Token == "" {
			return exit.Usage(fmt.Errorf("%s: there is no token in the file", what), hint)
		}
	}
	switch {
	case o.Token == "":
	case len(o.Token) < minToken:
		return exit.Usage(fmt.Errorf("%s: the token is shorter than %d characters", what, minToken), hint)
	case strings.ContainsFunc(o.Token, func(r rune) bool { return r <= ' ' || r > '~' }):
		return exit.Usage(fmt.Errorf("%s: the token has characters other than letters, digits and signs of ASCII", what), hint)
	}
	return nil
}

// IsLoopback reports whether only this machine can reach a host. Of names only localhost is known: others may be anything.
func IsLoopback(host string) bool {
	if strings.EqualFold(strings.TrimSuffix(host, "."), "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}
