package session

import (
	"regexp"
	"sort"
	"strings"

	"github.com/tarebench/tare/internal/redact"
	"github.com/tarebench/tare/load"
)

// secretName matches names of environment variables whose values must not be stored in records.
var secretName = regexp.MustCompile(`(?i)(secret|token|passw|pwd|api_?key|private|credential|auth|session|cookie|dsn|database_url|_key$)`)

// publicName matches names that secretName matches by accident. Masking a
// desktop's XDG_SESSION_CLASS=user would mask every "user" in an output.
var publicName = regexp.MustCompile(`(?i)^(OLDPWD|PWD|DESKTOP_SESSION|XDG_SESSION_\w+|SESSION_MANAGER|SESSIONNAME|TOKENIZERS_\w+|GIT_AUTHOR_\w+|\w+_AUTH_SOCK)$`)

// isSecret reports whether the value of a variable of that name must not be stored in records.
func isSecret(name string) bool { return secretName.MatchString(name) && !publicName.MatchString(name) }

// Masked is printed instead of a secret.
const Masked = load.Masked

// Redactor is a list of secret texts: the values of variables whose names look secret.
type Redactor []string

// NewRedactor returns the values in K=V pairs whose names look secret. It leaves out short values, because
// replacing every "1" in an output would make it unreadable; MaskPair masks those.
func NewRedactor(pairs ...string) Redactor {
	var out Redactor
	for _, p := range pairs {
		k, v, ok := strings.Cut(p, "=")
		if !ok || !isSecret(k) {
			continue
		}
		if len(v) >= 4 {
			out = append(out, v)
		}
		// Of a key of many lines an output may hold a part.
		for _, l := range strings.Split(v, "\n") {
			if l != v && len(l) >= 8 {
				out = append(out, l)
			}
		}
	}
	// Longer ones first: one may contain another.
	sort.Slice(out, func(i, j int) bool { return len(out[i]) > len(out[j]) })
	return out
}

// Mask returns the text with each secret replaced by Masked, and with the secrets of each URL
// in it: a program may print addresses that are signed.
func (r Redactor) Mask(text string) string {
	text = redact.Addresses(text)
	for _, v := range r {
		text = strings.ReplaceAll(text, v, Masked)
	}
	return text
}

// MaskPair returns the K=V pair with V masked if K looks secret.
func MaskPair(pair string) string {
	if k, _, ok := strings.Cut(pair, "="); ok && isSecret(k) {
		return k + "=" + Masked
	}
	return pair
}

// MaskPairs returns the K=V pairs with the values masked whose names look secret.
func MaskPairs(pairs []string) []string {
	var out []string
	for _, p := range pairs {
		out = append(out, MaskPair(p))
	}
	return out
}

// MaskWord masks all after a secret-looking name in a word that was meant as K=V but has no "=".
func MaskWord(word string) string {
	if at := secretName.FindStringIndex(word); at != nil && at[1] < len(word) {
		return word[:at[1]] + Masked
	}
	return word
}

// maskSidePair returns SIDE=K=V with V masked if K looks secret.
func maskSidePair(a string) string {
	name, pair, _ := strings.Cut(a, "=")
	return name + "=" + MaskPair(pair)
}
