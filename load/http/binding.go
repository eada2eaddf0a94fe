package http

import (
	"net/http"

	"github.com/tarebench/tare/load/kv"
)

// The defaults of properties.
const (
	defaultMethod = http.MethodGet
	defaultExpect = "200-299"
	defaultLimit  = 64 << 20
)

// headerPrefix is the prefix of properties that set headers.
const headerPrefix = "http.header."

// Binding returns the binding "http".
func Binding() kv.Binding {
	return kv.Binding{
		Name:    "http",
		Schemes: []string{"http", "https"},
		Short:   "a web server; takes no workload",
		Properties: []kv.Property{
			{Name: "http.url", Short: "the URL; {k} is the operation's number, {k:N} modulo N, {rand:N} random below N"},
			{Name: "http.method", Default: defaultMethod, Short: "GET, POST …"},
			{Name: "http.body", Short: "a template like the URL, or @FILE"},
			{Name: headerPrefix + "NAME", Short: "a header of every request"},
			{Name: "http.version", Default: "1.1", Short: "1.1; or 2: over TLS, or else h2c with prior knowledge"},
			{Name: "http.keepalive", Default: "true", Short: "false: a connection for each request"},
			{Name: "http.expect", Default: defaultExpect, Short: "statuses that are no errors, as 200,301,400-404"},
			{Name: "http.limit", Default: "67108864", Short: "the longest body of a response, in bytes"},
			{Name: "http.timeout", Short: "of one operation; default --op-timeout"},
			{Name: "http.follow", Default: "0", Short: "how many redirects of one request are followed"},
			{Name: "http.ttfb", Default: "true", Short: "false: without the time to first byte, METHOD/first-byte"},
			{Name: "http.insecure", Default: "false", Short: "true: without checking the server's certificate"},
			{Name: "http.ca", File: true, Short: "a file of trusted certificates in PEM, instead of the system's"},
			{Name: "http.cert", File: true, Short: "a file with the client's certificate in PEM"},
			{Name: "http.key", File: true, Short: "a file with its key in PEM"},
			{Name: "http.servername", Short: "name in the server's certificate, instead of the URL's host"},
		},
		OpenTarget: Open,
	}
}
