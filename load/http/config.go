package http

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strings"

	"github.com/tarebench/tare/internal/client/clienttls"
	"github.com/tarebench/tare/internal/client/httpclient"
	"github.com/tarebench/tare/internal/client/placeholder"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// config holds the request, its address and the expected response.
type config struct {
	url     placeholder.Template
	parsed  *url.URL // of operation 0, without user and password
	method  string
	content placeholder.Template // of the body
	header  http.Header
	host    string // "" for that of the URL
	secrets []string

	client httpclient.Config
	follow int // redirects of one request
	expect httpclient.Statuses
	limit  int64
	seed   uint64
}

// parseConfig reads the properties and returns all errors.
func parseConfig(s kv.Settings) (*config, error) {
	g := s.Props.Getter()
	known := Binding().Properties
	for _, name := range s.Props.Names() {
		if strings.HasPrefix(name, headerPrefix) {
			known = append(known, kv.Property{Name: name})
		}
	}
	g.Known("http.", known)
	c := &config{
		method: g.String("http.method", defaultMethod),
		header: http.Header{"User-Agent": {"tare"}},
		client: httpclient.Config{
			HTTP2:     g.OneOf("http.version", "1.1", "1.1", "2") == "2",
			KeepAlive: g.Bool("http.keepalive", true),
			FirstByte: g.Bool("http.ttfb", true),
			Timeout:   g.Duration("http.timeout", s.OpTimeout),
			Hints: httpclient.Hints{
				SelfSigned: "for a self-signed certificate: -p http.insecure=true, or -p http.ca=FILE", Plain: "-p http.url=http://…",
				TLS: "-p http.url=https://…", Version1: "-p http.version=1.1",
			},
		},
		follow: int(g.IntIn("http.follow", 0, 0, mostHops)),
		limit:  g.IntIn("http.limit", defaultLimit, 0, math.MaxInt64-1),
		seed:   s.Seed,
	}
	files := clienttls.Files{
		CA: g.String("http.ca", ""), Cert: g.String("http.cert", ""), Key: g.String("http.key", ""),
		ServerName: g.String("http.servername", ""), Insecure: g.Bool("http.insecure", false),
	}
	var err error
	if c.expect, err = httpclient.ParseStatuses(g.String("http.expect", defaultExpect)); err != nil {
		g.Fail("http.expect", err.Error())
	}
	if !httpclient.IsToken(c.method) {
		g.Fail("http.method", "want the name of a method, as GET")
	}
	err = errors.Join(g.Err(),
		c.parseURL(g.String("http.url", s.URL)),
		c.parseBody(s.Props["http.body"]),
		c.parseHeaders(s.Props))
	if err == nil {
		c.client.TLS, err = files.Config(c.parsed.Hostname(), "http.")
	}
	return c, err
}

// errURL does not contain the URL or the error of url.Parse: if a password is not
// escaped, any part may be the password.
var errURL = errors.New("invalid URL: want http://host[:port]/path, whose path and parameters may contain " +
	"{k}, {k:N} and {rand:N}")

func (c *config) parseURL(text string) (err error) {
	if text == "" {
		return errors.New("no URL: set -p http.url=http://127.0.0.1:8080/path")
	}
	if c.url, err = placeholder.Parse(text); err != nil {
		return fmt.Errorf("the URL's %w", err)
	}
	u, err := url.Parse(string(c.url.Append(nil, c.seed, 0)))
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.Opaque != "" {
		return errURL
	}
	// A brace before the path would vary the host; another brace after it is a
	// mistyped placeholder.
	begin := c.url.Texts()[0]
	_, rest, _ := strings.Cut(begin, "://")
	if c.url.Varies() && !strings.ContainsAny(rest, "/?") {
		return errURL
	}
	for _, text := range c.url.Texts() {
		if strings.ContainsAny(text, "{}") {
			return errors.New("the URL has braces other than {k}, {k:N} and {rand:N}: write them as %7B and %7D")
		}
	}
	if u.User != nil {
		password, _ := u.User.Password()
		r := http.Request{Header: c.header}
		r.SetBasicAuth(u.User.Username(), password)
		c.secrets = append(c.secrets, password, c.header.Get("Authorization"))
		u.User = nil
	}
	u.Fragment = ""
	c.parsed = u
	return nil
}

func (c *config) parseBody(text string) (err error) {
	if c.content, err = placeholder.ParseOrRead(text); err != nil {
		return fmt.Errorf("property http.body: %w", err)
	}
	return nil
}

func (c *config) parseHeaders(p kv.Properties) error {
	var errs []error
	for _, property := range p.Names() {
		name, ok := strings.CutPrefix(property, headerPrefix)
		if !ok {
			continue
		}
		value := p[property]
		if !httpclient.IsToken(name) || !httpclient.IsHeaderValue(value) {
			errs = append(errs, fmt.Errorf("property %s: want a header, whose value has no line breaks", property))
			continue
		}
		if load.Redact(property, value) != value {
			c.secrets = append(c.secrets, value)
		}
		if http.CanonicalHeaderKey(name) == "Host" {
			c.host = value
		} else {
			c.header.Set(name, value)
		}
	}
	return errors.Join(errs...)
}

// where returns the target for error messages, without parameters, which may contain
// secrets.
func (c *config) where() string { return c.parsed.Scheme + "://" + c.parsed.Host }
