package http

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// config holds the request, its address and the expected response.
type config struct {
	url     template
	parsed  *url.URL // of operation 0, without user and password
	method  string
	content template // of the body
	header  http.Header
	host    string // "" for that of the URL
	secrets []string

	http2     bool
	keepAlive bool
	insecure  bool
	expect    statuses
	limit     int64
	timeout   time.Duration
	seed      uint64
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
		method:    g.String("http.method", defaultMethod),
		header:    http.Header{"User-Agent": {"tare"}},
		http2:     g.OneOf("http.version", "1.1", "1.1", "2") == "2",
		keepAlive: g.Bool("http.keepalive", true),
		insecure:  g.Bool("http.insecure", false),
		limit:     g.IntIn("http.limit", defaultLimit, 0, math.MaxInt64-1),
		timeout:   g.Duration("http.timeout", s.OpTimeout),
		seed:      s.Seed,
	}
	var err error
	if c.expect, err = parseStatuses(g.String("http.expect", defaultExpect)); err != nil {
		g.Fail("http.expect", err.Error())
	}
	if !isToken(c.method) {
		g.Fail("http.method", "want the name of a method, as GET")
	}
	return c, errors.Join(g.Err(),
		c.parseURL(g.String("http.url", s.URL)),
		c.parseBody(s.Props["http.body"]),
		c.parseHeaders(s.Props))
}

// errURL does not contain the URL or the error of url.Parse: if a password is not
// escaped, any part may be the password.
var errURL = errors.New("invalid URL: want http://host[:port]/path, whose path and parameters may contain " +
	"{k}, {k:N} and {rand:N}")

func (c *config) parseURL(text string) (err error) {
	if text == "" {
		return errors.New("no URL: set -p http.url=http://127.0.0.1:8080/path")
	}
	if c.url, err = parseTemplate(text); err != nil {
		return fmt.Errorf("the URL's %w", err)
	}
	u, err := url.Parse(string(c.url.append(nil, c.seed, 0)))
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.Opaque != "" {
		return errURL
	}
	// A brace before the path would vary the host; another brace after it is a
	// mistyped placeholder.
	begin := c.url.parts[0].text
	_, rest, _ := strings.Cut(begin, "://")
	if c.url.varies && !strings.ContainsAny(rest, "/?") {
		return errURL
	}
	for _, p := range c.url.parts {
		if strings.ContainsAny(p.text, "{}") {
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
	if file, ok := strings.CutPrefix(text, "@"); ok {
		if text, err = bodyOf(file); err != nil {
			return fmt.Errorf("property http.body: %w", err)
		}
	}
	if c.content, err = parseTemplate(text); err != nil {
		return fmt.Errorf("property http.body: %w", err)
	}
	return nil
}

// maxBody is the limit of a file with a request's body, in bytes.
const maxBody = 64 << 20

// bodyOf returns the content of a regular file: a device may have no end, and a pipe no writer.
func bodyOf(file string) (string, error) {
	if st, err := os.Stat(file); err == nil && !st.Mode().IsRegular() {
		return "", fmt.Errorf("%s: is not a regular file", file)
	} else if err == nil && st.Size() > maxBody {
		return "", fmt.Errorf("%s: is longer than %d MiB", file, maxBody>>20)
	}
	content, err := os.ReadFile(file)
	return string(content), err
}

func (c *config) parseHeaders(p kv.Properties) error {
	var errs []error
	for _, property := range p.Names() {
		name, ok := strings.CutPrefix(property, headerPrefix)
		if !ok {
			continue
		}
		value := p[property]
		control := func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }
		if !isToken(name) || strings.ContainsFunc(value, control) {
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

// isToken reports whether a text may be a method or the name of a header (RFC
// 9110, section 5.6.2).
func isToken(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		return !letter && !slices.Contains([]rune("!#$%&'*+-.^_`|~"), r)
	})
}

// address returns the host and port to connect to.
func (c *config) address() string {
	port := map[string]string{"http": "80", "https": "443"}[c.parsed.Scheme]
	return net.JoinHostPort(c.parsed.Hostname(), cmp.Or(c.parsed.Port(), port))
}

// where returns the target for error messages, without parameters, which may contain
// secrets.
func (c *config) where() string { return c.parsed.Scheme + "://" + c.parsed.Host }
