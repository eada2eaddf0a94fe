package grpc

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"google.golang.org/grpc/metadata"

	"github.com/tarebench/tare/internal/client/clienttls"
	"github.com/tarebench/tare/internal/client/placeholder"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// config holds the call, its address and the expected status.
type config struct {
	address string // host:port
	host    string
	secure  bool
	service string // shop.Orders
	method  string // Get

	body    placeholder.Template
	hasBody bool
	header  metadata.MD
	agent   string
	secrets []string

	files   clienttls.Files
	schema  schemaFiles
	expect  codeSet
	limit   int
	timeout time.Duration // deadline of a call; 0 for none
	setUp   time.Duration // limit of a connection, and of what happens before the run
	seed    uint64
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
	g.Known("grpc.", known)
	c := &config{
		header:  metadata.MD{},
		agent:   "tare",
		limit:   int(g.IntIn("grpc.limit", defaultLimit, 0, 1<<31-1)),
		timeout: g.Duration("grpc.timeout", s.OpTimeout),
		setUp:   cmp.Or(s.OpTimeout, defaultSetUp),
		seed:    s.Seed,
		files: clienttls.Files{
			CA: g.String("grpc.ca", ""), Cert: g.String("grpc.cert", ""), Key: g.String("grpc.key", ""),
			ServerName: g.String("grpc.servername", ""), Insecure: g.Bool("grpc.insecure", false),
		},
		schema: schemaFiles{proto: g.String("grpc.proto", ""), set: g.String("grpc.descriptors", "")},
	}
	if list := g.String("grpc.import", ""); list != "" {
		c.schema.imports = strings.Split(list, ",")
	}
	var err error
	if c.expect, err = parseCodes(g.String("grpc.expect", defaultExpect)); err != nil {
		g.Fail("grpc.expect", err.Error())
	}
	if c.schema.proto != "" && c.schema.set != "" {
		g.Fail("grpc.descriptors", "give it or grpc.proto")
	}
	if c.schema.proto == "" && c.schema.imports != nil {
		g.Fail("grpc.import", "needs grpc.proto")
	}
	err = errors.Join(g.Err(), c.parseURL(g.String("grpc.url", s.URL)), c.parseBody(s.Props), c.parseHeaders(s.Props))
	if !c.secure && c.files.Given() && err == nil {
		err = errors.New("grpc.insecure, ca, cert, key and servername are for grpcs:// URLs")
	}
	return c, err
}

// errURL does not contain the URL: any part of it may be a password.
var errURL = errors.New("invalid URL: want grpc://HOST:PORT/PACKAGE.SERVICE/METHOD, or grpcs:// over TLS")

func (c *config) parseURL(text string) error {
	if text == "" {
		return errors.New("no URL: set -p grpc.url=grpc://127.0.0.1:9000/package.Service/Method")
	}
	u, err := url.Parse(text)
	if err != nil || (u.Scheme != "grpc" && u.Scheme != "grpcs") || u.Hostname() == "" || u.Port() == "" || u.RawQuery != "" || u.Fragment != "" {
		return errURL
	}
	if u.User != nil {
		return errors.New("a URL of gRPC has no user or password: set -p grpc.header.Authorization=…")
	}
	c.address, c.host, c.secure = u.Host, u.Hostname(), u.Scheme == "grpcs"
	c.service, c.method, _ = strings.Cut(strings.TrimPrefix(u.Path, "/"), "/")
	if strings.Contains(c.method, "/") {
		return errURL
	}
	return nil
}

func (c *config) parseBody(p kv.Properties) (err error) {
	text, ok := p["grpc.body"]
	c.hasBody = ok
	if c.body, err = placeholder.ParseOrRead(text); err != nil {
		return fmt.Errorf("property grpc.body: %w", err)
	}
	return nil
}

// parseHeaders reads the metadata. Names are lower case (gRPC over HTTP/2, "Custom-Metadata").
func (c *config) parseHeaders(p kv.Properties) error {
	var errs []error
	for _, property := range p.Names() {
		name, ok := strings.CutPrefix(property, headerPrefix)
		if !ok {
			continue
		}
		name = strings.ToLower(name)
		value := p[property]
		if load.Redact(property, value) != value {
			c.secrets = append(c.secrets, value)
		}
		if err := c.addHeader(name, value); err != nil {
			errs = append(errs, fmt.Errorf("property %s: %w", property, err))
		}
	}
	return errors.Join(errs...)
}

func (c *config) addHeader(name, value string) error {
	outside := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && !strings.ContainsRune("_-.", r)
	}
	switch {
	case name == "" || strings.ContainsFunc(name, outside):
		return errors.New("want a name of letters, digits and the signs _ - . alone")
	case strings.HasPrefix(name, "grpc-"), name == "content-type", name == "te", name == "connection", name == "host":
		return errors.New("gRPC sets it by itself")
	case strings.HasSuffix(name, "-bin"):
		data, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(value, "="))
		if err != nil {
			return errors.New("want base64, because the name ends with -bin")
		}
		value = string(data)
	case strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' }):
		return errors.New("want printable ASCII, or a name that ends with -bin")
	}
	if name == "user-agent" {
		c.agent = value
		return nil
	}
	c.header.Append(name, value)
	return nil
}

// where returns the target for error messages.
func (c *config) where() string {
	if c.secure {
		return "grpcs://" + c.address
	}
	return "grpc://" + c.address
}

func (c *config) path() string { return "/" + c.service + "/" + c.method }
