package nats

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"

	"github.com/nats-io/nkeys"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/show/live"
)

// target is the server, or the servers of a cluster, to connect to.
type target struct {
	urls   []string
	hosts  string // of urls, for messages: without user and password
	secure bool   // TLS is required
}

const urlHint = "give nats://HOST:PORT for a server on this machine, tls://HOST:PORT for any"

// target checks the URLs, and the file of credentials.
func (c DialConfig) target() (target, error) {
	if c.Server != nil {
		return target{urls: []string{"nats://127.0.0.1"}, hosts: "this process"}, nil // the URL is not used, but must not ask for TLS
	}
	t := target{secure: c.TLS != nil}
	for text := range strings.SplitSeq(c.URL, ",") {
		u, err := parseURL(strings.TrimSpace(text), t.secure)
		if err != nil {
			return target{}, exit.Usage(err, urlHint)
		}
		t.secure = t.secure || u.Scheme == "tls"
		t.urls = append(t.urls, u.String())
		t.hosts += ", " + u.Host
	}
	t.hosts = t.hosts[len(", "):]
	if err := t.checkSecure(); err != nil {
		return target{}, err
	}
	if err := c.checkCreds(); err != nil {
		return target{}, exit.Usage(err, "give a file of credentials that nsc wrote, NAME.creds")
	}
	return t, nil
}

// checkCreds reports what is wrong with the file of credentials. The client would find it only when a server asks for them.
func (c DialConfig) checkCreds() error {
	if c.Creds == "" {
		return nil
	}
	text, err := os.ReadFile(c.Creds)
	if err != nil {
		return fmt.Errorf("credentials: %w", err)
	}
	if _, err := nkeys.ParseDecoratedUserNKey(text); err != nil {
		return fmt.Errorf("credentials: %s has no key of a user", c.Creds)
	}
	return nil
}

// checkSecure refuses to send tokens and results over a network that others may listen to.
func (t target) checkSecure() error {
	if t.secure {
		return nil
	}
	for _, text := range t.urls {
		u, err := url.Parse(text)
		if err != nil || !live.IsLoopback(u.Hostname()) {
			return exit.Usage(fmt.Errorf("%s is another machine: that needs TLS", t.hosts), "give tls:// instead of nats://")
		}
	}
	return nil
}

// parseURL returns the URL of one server. Its errors don't repeat the text, which may have a password.
func parseURL(text string, secure bool) (*url.URL, error) {
	if !strings.Contains(text, "://") {
		if secure {
			text = "tls://" + text
		} else {
			text = "nats://" + text
		}
	}
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Hostname() == "":
		return nil, fmt.Errorf("the URL of the server has no host, or is none")
	case u.Scheme != "nats" && u.Scheme != "tls":
		return nil, fmt.Errorf("the URL of the server %s begins with %s://", u.Host, u.Scheme)
	case u.Path != "" && u.Path != "/" || u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("the URL of the server %s has more than host and port", u.Host)
	}
	if u.Port() == "" {
		u.Host = net.JoinHostPort(u.Hostname(), "4222")
	}
	u.Path = ""
	return u, nil
}
