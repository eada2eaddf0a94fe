package forge

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
	"unicode"
)

// Client talks to the interface of one repository.
type Client struct {
	API   string // https://api.github.com
	Token string
	Repo  string // owner/name
	HTTP  *http.Client
}

// StatusError is an answer other than success.
type StatusError struct {
	Request string // POST /repos/…
	Status  int
	Message string // what the forge says
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("%s: status %d: %s", e.Request, e.Status, line(e.Message))
}

// Limits of what is read.
const (
	timeout    = 30 * time.Second
	maxAnswer  = 8 << 20 // bytes
	maxPages   = 100     // of comments, 100 each
	maxMessage = 200     // characters of an error
)

// repository matches owner/name.
var repository = regexp.MustCompile(`^[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$`)

// isRepository reports whether a text is owner/name, and no path to elsewhere.
func isRepository(s string) bool {
	owner, name, _ := strings.Cut(s, "/")
	return repository.MatchString(s) && strings.Trim(owner, ".") != "" && strings.Trim(name, ".") != ""
}

// line returns a text of the forge as one line without control characters.
func line(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
}

// Validate returns what is wrong with the configuration.
func (c *Client) Validate() error {
	u, err := url.Parse(c.API)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http":
		return fmt.Errorf("the address of the forge, %q, is none", c.API)
	case u.Scheme == "http" && !isLoopback(u.Hostname()):
		return fmt.Errorf("the address of the forge, %q, has no TLS: the token would be readable on the way", c.API)
	case !isRepository(c.Repo):
		return fmt.Errorf("the repository %q is not of the form owner/name", c.Repo)
	}
	return nil
}

func isLoopback(host string) bool { return host == "localhost" || host == "127.0.0.1" || host == "::1" }

// call makes a request to the forge, with a body unless it is nil, and reads the answer into out. It returns the address of
// the next page, "" if there is none.
func (c *Client) call(ctx context.Context, method, address string, body, out any) (next string, err error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var text io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return "", err
		}
		text = bytes.NewReader(b)
	}
	req, err := http.NewRequestWithContext(ctx, method, address, text)
	if err != nil {
		return "", err
	}
	req.Header.Set("Accept", "application/vnd.github+json")
	req.Header.Set("X-GitHub-Api-Version", "2022-11-28")
	req.Header.Set("User-Agent", "tare")
	req.Header.Set("Authorization", "Bearer "+c.Token)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := c.client().Do(req)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return "", err
	}
	if res.StatusCode < 200 || res.StatusCode > 299 {
		return "", &StatusError{method + " " + req.URL.Path, res.StatusCode, message(answer, res.Status)}
	}
	if out != nil {
		if err := json.Unmarshal(answer, out); err != nil {
			return "", fmt.Errorf("%s %s: the answer is not understood: %w", method, req.URL.Path, err)
		}
	}
	return c.next(res.Header.Get("Link")), nil
}

// client follows no redirect, so that the token is sent only to the forge.
func (c *Client) client() *http.Client {
	h := http.Client{}
	if c.HTTP != nil {
		h = *c.HTTP
	}
	h.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &h
}

// message returns what the forge says about an error.
func message(answer []byte, status string) string {
	var m struct{ Message string }
	if json.Unmarshal(answer, &m) != nil || m.Message == "" {
		return status
	}
	if r := []rune(m.Message); len(r) > maxMessage {
		return string(r[:maxMessage]) + "…"
	}
	return m.Message
}

var nextLink = regexp.MustCompile(`<([^>]*)>\s*;[^,]*\brel="?next"?`)

// next returns the address of the next page that a Link header names, if it is on the same host.
func (c *Client) next(link string) string {
	m := nextLink.FindStringSubmatch(link)
	if m == nil {
		return ""
	}
	base, err := url.Parse(c.API)
	if err != nil {
		return ""
	}
	to, err := base.Parse(m[1])
	if err != nil || to.Scheme != base.Scheme || to.Host != base.Host {
		return ""
	}
	return to.String()
}

// at returns the address of a path of the repository.
func (c *Client) at(format string, args ...any) string {
	return strings.TrimSuffix(c.API, "/") + "/repos/" + c.Repo + fmt.Sprintf(format, args...)
}
