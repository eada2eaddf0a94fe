package cli

import (
	"regexp"
	"slices"
	"strings"
)

// secretName matches names of environment variables whose values are not for
// records.
var secretName = regexp.MustCompile(`(?i)(secret|token|passw|pwd|api_?key|private|credential|auth|session|cookie|dsn|database_url|_key$)`)

// publicName matches names that secretName matches by accident. Of a desktop's
// XDG_SESSION_CLASS=user every "user" in an output would go, of PWD every path.
var publicName = regexp.MustCompile(`(?i)^(OLDPWD|PWD|DESKTOP_SESSION|XDG_SESSION_\w+|SESSION_MANAGER|SESSIONNAME|TOKENIZERS_\w+|GIT_AUTHOR_\w+|\w+_AUTH_SOCK)$`)

// isSecret tells whether the value of a variable is not for records.
func isSecret(name string) bool { return secretName.MatchString(name) && !publicName.MatchString(name) }

const masked = "***"

// secrets hides the values of secret-looking variables.
type secrets []string

// newSecrets collects the values in K=V pairs whose names look secret. Short
// values are masked in pairs only: replacing every "1" in an output helps nobody.
func newSecrets(pairs ...string) secrets {
	var out secrets
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
	slices.SortFunc(out, func(a, b string) int { return len(b) - len(a) })
	return out
}

// mask replaces each secret in a text.
func (s secrets) mask(text string) string {
	for _, v := range s {
		text = strings.ReplaceAll(text, v, masked)
	}
	return text
}

// maskPair masks the value of one K=V pair if its name looks secret.
func maskPair(pair string) string {
	if k, _, ok := strings.Cut(pair, "="); ok && isSecret(k) {
		return k + "=" + masked
	}
	return pair
}

func maskPairs(pairs []string) []string {
	var out []string
	for _, p := range pairs {
		out = append(out, maskPair(p))
	}
	return out
}

// maskWord hides what follows the name in something that was to be a pair and
// looks secret.
func maskWord(word string) string {
	if at := secretName.FindStringIndex(word); at != nil && at[1] < len(word) {
		return word[:at[1]] + masked
	}
	return word
}

// maskSide masks the pair in NAME=K=V.
func maskSide(a string) string {
	name, pair, _ := strings.Cut(a, "=")
	return name + "=" + maskPair(pair)
}
