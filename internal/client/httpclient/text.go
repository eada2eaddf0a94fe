package httpclient

import (
	"cmp"
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/input/regularfile"
)

// MaxBody is the limit of a file with a request's body, in bytes.
const MaxBody = 64 << 20

// ReadBody returns the content of a file with a request's body.
func ReadBody(file string) (string, error) {
	content, err := regularfile.Read(file, MaxBody)
	return string(content), err
}

// IsToken reports whether a text may be a method or the name of a header (RFC
// 9110, section 5.6.2).
func IsToken(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		return !letter && !slices.Contains([]rune("!#$%&'*+-.^_`|~"), r)
	})
}

// IsHeaderValue reports whether a text may be the value of a header: it has no line breaks
// and no other control characters.
func IsHeaderValue(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f })
}

// Address returns the host and port to which a URL connects.
func Address(u *url.URL) string {
	port := map[string]string{"http": "80", "https": "443"}[u.Scheme]
	return net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), port))
}
