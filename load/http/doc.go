// Package http puts a web server under load. It is a [load.Target] by itself and
// takes no workload.
//
// # Recipe
//
//	tare load --db http://127.0.0.1:8080/items/{rand:1000} --rate 2000 --duration 30s
//	tare load --db http -p http.url=http://127.0.0.1:8080/items -p http.method=POST \
//		-p 'http.body={"id":{k}}' -p http.header.Content-Type=application/json --rate 500
//
// # Properties
//
//	http.url                   the URL, a template; or the URL after --db
//	http.method       GET      the name of the operations in all figures
//	http.body                  a template, or @FILE for one in a file
//	http.header.NAME           of every request; Host too
//	http.version      1.1      or 2: over TLS, or else h2c with prior knowledge
//	http.keepalive    true     false: a connection for each request
//	http.expect       200-299  statuses that are no errors, as 200,301,400-404
//	http.limit        67108864 limit of a response's body, in bytes
//	http.timeout               of one operation; default --op-timeout
//	http.follow       0        how many redirects of one request are followed
//	http.ttfb         true     false: without the time to first byte
//	http.insecure     false    true: without checking the server's certificate
//	http.ca                    a file of certificates in PEM that are trusted, instead of the system's
//	http.cert, http.key        files of a client certificate and its key, in PEM
//	http.servername            name that the server's certificate must have, instead of the URL's host
//
// A server on another machine needs the consent that [load.Consent] describes.
//
// In templates {k} is the number of the operation, from 0; {k:N} the same modulo
// N; and {rand:N} a number from 0 to N-1 that follows from the seed and k. Other
// braces are text in a body, and an error in a URL. Placeholders are allowed only in
// the path and the parameters of a URL.
//
// # What is measured
//
// An operation ends when the body of the response has been read. Bodies are not
// decompressed. The time to the first byte of the last response is recorded as
// METHOD/first-byte. Redirects are followed only with http.follow: else a 302 is an error
// unless http.expect allows it. The class of an unexpected status is "server" for 5xx, "client" for 4xx
// and "status" for others; that of a body beyond the limit is "protocol".
//
// # Redirects
//
// With http.follow the operation ends with the last response, and statuses count all of
// them. The host of each redirect must be one that may be loaded, also where a connection to it
// is open; else the operation is an error of class "not_allowed". Another host gets no
// headers that hold secrets, no Authorization, no Cookie and no client certificate. After 303,
// and after 301 and 302 of a POST, the next request is a GET without a body; else it has
// the same method and body.
//
// # Client
//
// There are no cookies and no proxies. Each worker has its own connection, also with HTTP/2: a worker is a user and not a
// stream of one user.
//
// Requests of HTTP/1.1 are written to the connection as bytes that were made before they are due, without net/http, whose
// goroutines take more CPU than the rest. Responses are read as net/http reads them. No request is sent twice. Before a
// request is sent the connection is examined, and replaced if the server has closed it or has sent what was not asked for; not on
// Windows. If the server closes it when a request has been sent, the error is of class "reset". The head of a response has at
// most 1 MiB. Redirects that are followed (http.follow above 0), HTTP/2 and the method CONNECT need http.Transport, without
// http.Client.
//
// net/http repeats a GET if the server closes a kept-alive connection before it
// answers. That hides an error, so such an operation is counted as "reset" although it
// was answered.
package http
