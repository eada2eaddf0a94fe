package sample

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
)

// parseAddress parses the address of a server, or of its /debug/pprof/. It keeps the query, which may contain an
// access token.
func parseAddress(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return nil, fmt.Errorf("sample: %q is not the address of a server: want one such as http://127.0.0.1:6060/debug/pprof/", shownPart(address))
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = "/debug/pprof"
	}
	u.Fragment, u.RawFragment = "", ""
	return u, nil
}

// CheckAddress returns an error if address is not valid for [URL]. It does not connect.
func CheckAddress(address string) error {
	_, err := parseAddress(address)
	return err
}

// shownPart returns the part of a malformed address that may be shown: nothing before the last @, which may be a
// password, and no query.
func shownPart(address string) string {
	ends := "?#"
	if at := strings.LastIndexByte(address, '@'); at >= 0 {
		address = address[at+1:]
		ends = "?#&=" // the @ may have been in a query
	}
	if i := strings.IndexAny(address, ends); i >= 0 {
		address = address[:i]
	}
	return visible(address)
}

// page returns the address of a page below the base address. query precedes the query of the address and takes
// precedence.
func (x *client) page(name, query string) *url.URL {
	u := *x.base
	u.Path, u.RawPath = path.Join(u.Path, name), ""
	if u.RawQuery != "" {
		query += "&" + u.RawQuery
	}
	u.RawQuery = query
	return &u
}

// shownAddress returns an address for messages: without user, password and query.
func shownAddress(u *url.URL) string {
	shown := *u
	shown.User, shown.RawQuery, shown.ForceQuery = nil, "", false
	return visible(shown.String())
}

// visible returns the beginning of a server's text in printable characters.
func visible(text string) string {
	const most = 300
	c := termtext.Charset{UTF8: true}
	return c.Head(c.Name(text[:min(len(text), 4*most)]), most) // upper limit of the bytes in that many columns
}

// serverError is an error whose text may come from a server.
type serverError struct {
	err    error
	guards []string // secrets that are redacted in the text
}

func (t *serverError) Error() string {
	text := t.err.Error()
	for _, g := range t.guards {
		text = strings.ReplaceAll(text, g, "…")
	}
	return visible(text)
}
func (t *serverError) Unwrap() error { return t.err }

// secrets returns the secrets of an address in all their encodings, longest first: the query and its values, the
// password, and the header with user and password.
func secrets(u *url.URL) []string {
	var list []string
	add := func(texts ...string) {
		for _, s := range texts {
			list = append(list, s, url.QueryEscape(s), url.PathEscape(s))
		}
	}
	add(u.RawQuery)
	for _, values := range u.Query() {
		add(values...)
	}
	for _, pair := range strings.Split(u.RawQuery, "&") {
		_, value, _ := strings.Cut(pair, "=")
		add(value)
	}
	if password, ok := u.User.Password(); ok {
		add(password, base64.StdEncoding.EncodeToString([]byte(u.User.Username()+":"+password)))
	}
	const least = 3 // bytes: a shorter text is not a secret and would be redacted inside words
	list = slices.DeleteFunc(list, func(s string) bool { return len(s) < least })
	slices.Sort(list)
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return slices.Compact(list)
}

// urlCause returns the cause of an error that repeats the address.
func urlCause(err error) error {
	if e := (*url.Error)(nil); errors.As(err, &e) {
		return e.Err
	}
	return err
}
