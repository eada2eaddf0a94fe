package redact

import (
	"regexp"
	"strings"
)

// address matches a URL in a text.
var address = regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*://[^\s"'<>` + "`" + `]+`)

// Addresses returns a text with the secrets of each URL in it hidden, as by [Value]: user information, the signature of a
// signed link, tokens. All that tare shows people and writes in warnings passes here, because errors of the standard
// library and of drivers repeat the address that they were given.
func Addresses(text string) string {
	if !strings.Contains(text, "://") {
		return text
	}
	return address.ReplaceAllStringFunc(text, func(url string) string { return Value("", url) })
}
